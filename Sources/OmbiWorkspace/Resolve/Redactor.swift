import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Masks secrets, in every form in which they travel, in texts that are shown, logged, copied or kept.
///
/// It is internal: `ResolveError`, `PreparedRequest` and `SessionEvent` are masked before they leave this module.
struct Redactor: Sendable, Equatable {
    static let mask = LogMask.mask

    /// By possible first byte, for a single pass over a text.
    private var patterns: [UInt8: [SecretPattern]] = [:]
    /// The response headers whose whole values are masked.
    var secretHeaders: Set<RequestHeaders.Key> = []
    /// True while the body has yet to come that a secret is captured from: a header may hold the same value.
    var hidesHeaders = false
    /// True if a secret is captured from the body: the response to an earlier attempt may hold another value of it.
    var hidesEarlierResponses = false

    /// True where everything stays as it is.
    var isEmpty: Bool { patterns.isEmpty && secretHeaders.isEmpty && !hidesHeaders && !hidesEarlierResponses }

    /// Masks these values; empty ones are ignored.
    init(_ secrets: some Sequence<String> = []) { add(secrets) }

    /// Masks these values, too.
    mutating func add(_ secrets: some Sequence<String>) {
        let forms = secrets.reduce(into: Set<String>()) { $0.formUnion(SecretForms.all(of: $1)) }
        for pattern in forms.sorted().map(SecretPattern.init) {
            for first in pattern.firstBytes { patterns[first, default: []].append(pattern) }
        }
    }

    func redact(_ text: String) -> String {
        if patterns.isEmpty { return text }
        return String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    func redact(_ data: Data) -> Data {
        patterns.isEmpty ? data : Data(redact(Array(data)))
    }

    /// Returns the part that arrived of a body, masked also where it ends within a secret.
    func redact(part data: Data) -> Data {
        if patterns.isEmpty { return data }
        let end = Array("…".utf8)
        var bytes = Array(data)
        bytes += end
        let masked = redact(bytes)
        return Data(masked.suffix(end.count).elementsEqual(end) ? masked.dropLast(end.count) : masked[...])
    }

    /// Overlapping matches are masked as one.
    private func redact(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var masked = 0
        var mayStart = [Bool](repeating: false, count: 256)
        for byte in patterns.keys { mayStart[Int(byte)] = true }
        for index in bytes.indices {
            guard mayStart[Int(bytes[index])] else {
                if index >= masked { result.append(bytes[index]) }
                continue
            }
            for pattern in patterns[bytes[index]] ?? [] {
                guard let end = pattern.end(in: bytes, from: index) else { continue }
                if index >= masked { result += Array(Self.mask.utf8) }
                masked = max(masked, end)
            }
            if index >= masked { result.append(bytes[index]) }
        }
        return result
    }
}

extension ResolveError {
    /// Masks the name of the field, which may be a template, and the reason, which may quote a value.
    func redacted(by redactor: Redactor) -> ResolveError {
        var error = self
        (error.field, error.reason) = (redactor.redact(message: field), redactor.redact(message: reason))
        return error
    }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
    var description: String { "Redactor" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
