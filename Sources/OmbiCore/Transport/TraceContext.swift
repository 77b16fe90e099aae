/// The place of an attempt in a distributed trace, as `traceparent` has it (W3C Trace Context §3.2): the trace of the
/// run, and the span of the attempt.
package struct TraceContext: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private let span: UInt64
    private let flags: UInt8

    private static let sampled: UInt8 = 1
    /// A longer text is none.
    private static let maximumBytes = 256

    private init(high: UInt64, low: UInt64, span: UInt64, flags: UInt8) {
        (self.high, self.low, self.span, self.flags) = (high, low, span, flags)
    }

    /// Returns a trace of its own that is sampled, from the random numbers of the system.
    package static func random() -> TraceContext {
        TraceContext(
            high: UInt64.random(in: 0...UInt64.max), low: UInt64.random(in: 1...UInt64.max), span: newSpan(),
            flags: sampled)
    }

    private static func newSpan() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

    /// Reads a `traceparent`; nil for text that is none, or whose identifiers are all zeros.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = Self.number(parts[0], digits: 2), version != 0xFF,
            // Versions to come may have more parts.
            version > 0 || parts.count == 4,
            let high = Self.number(parts[1].prefix(16), digits: 16),
            let low = Self.number(parts[1].dropFirst(16), digits: 16),
            let span = Self.number(parts[2], digits: 16), let flags = Self.number(parts[3], digits: 2),
            high | low != 0, span != 0
        else { return nil }
        self.init(high: high, low: low, span: span, flags: UInt8(flags))
    }

    /// The same trace with a span of its own.
    package func next() -> TraceContext { TraceContext(high: high, low: low, span: Self.newSpan(), flags: flags) }

    /// 32 digits.
    package var traceID: String { high.digits(16, radix: 16) + low.digits(16, radix: 16) }
    /// 16 digits.
    package var spanID: String { span.digits(16, radix: 16) }
    /// `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`
    package var header: String { "00-\(traceID)-\(spanID)-\(flags.digits(2, radix: 16))" }

    private static func number(_ text: Substring, digits: Int) -> UInt64? {
        let isHexadecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return text.utf8.count == digits && isHexadecimal ? UInt64(text, radix: 16) : nil
    }
}

/// The way in which the attempts of a request are traced.
package enum AttemptTracing: Sendable, Equatable {
    case off
    /// Each attempt has a span of its own in the trace that the header of the request names.
    case spans
    /// Each attempt has the header as somebody has written it.
    case asWritten
}

extension RequestHeaders.Key {
    /// The trace and the span of a request (W3C Trace Context §3.2).
    package static let traceParent: RequestHeaders.Key = "traceparent"
}

extension TransportRequest {
    /// Begins a trace, unless the request has a header of its own. A redirect to another origin has no part in it: a
    /// trace tells who asks for what, and is for the servers that were chosen (W3C Trace Context,
    /// "Privacy Considerations").
    package mutating func beginTrace(_ trace: TraceContext) {
        guard headers[.traceParent] == nil else { return tracing = .asWritten }
        headers[.traceParent] = .string(trace.header)
        originHeaders.insert(.traceParent)
        tracing = .spans
    }

    /// Gives an attempt after the first one a span of its own.
    /// - Returns: the trace of the attempt; nil for none.
    mutating func beginSpan(isFirst: Bool) -> TraceContext? {
        guard tracing != .off, let trace = headers[.traceParent].flatMap({ TraceContext($0.text) }) else { return nil }
        guard tracing == .spans, !isFirst else { return trace }
        let next = trace.next()
        headers[.traceParent] = .string(next.header)
        return next
    }
}
