import OmbiCore
import OmbiDocument

/// The expected outcome of a request's run, checked by `ombi run` and shown beside the response.
public struct Expectation: Sendable, Equatable {
    /// The accepted statuses; empty accepts any.
    public var status: [StatusPattern]
    /// The limit of the whole run, attempts and waits together.
    public var within: Duration?
    public var unknown = UnknownMembers()

    public init(status: [StatusPattern] = [], within: Duration? = nil) {
        self.status = status
        self.within = within
    }

    /// Returns a sentence for each unmet expectation; empty when all are met. A status of nil means no response.
    public func failures(status code: Int?, duration: Duration) -> [String] {
        var failures: [String] = []
        let wanted = status.map(\.description).joined(separator: " or ")
        if !status.isEmpty {
            if let code {
                if !status.contains(where: { $0.matches(code) }) {
                    failures.append("expected status \(wanted), got \(code)")
                }
            } else {
                failures.append("expected status \(wanted), got no response")
            }
        }
        if let within, duration > within {
            failures.append("expected within \(DurationText.format(within)), took \(Self.rounded(duration))")
        }
        return failures
    }

    /// Rounds up to whole milliseconds, so that a miss never reads like the limit itself.
    private static func rounded(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000 + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
        return DurationText.format(.seconds(seconds) + .milliseconds(milliseconds))
    }
}

extension Expectation: JSONObjectConvertible {
    static let keys = ["status", "within"]

    init(reading object: ObjectReader) {
        self.init(status: Self.status(in: object), within: object.duration("within"))
        unknown = object.unknown(besides: Self.keys)
    }

    private static func status(in object: ObjectReader) -> [StatusPattern] {
        guard let value = object.value("status") else { return [] }
        return (value.kind == .array ? value.elements : [value]).compactMap { value in
            if let text = value.string ?? value.digits, let pattern = StatusPattern(text) { return pattern }
            object.log.error(
                at: value.offset, "\"status\": expected a status such as \"2xx\" or \"200\", or a list of them")
            return nil
        }
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        let patterns = status.map { JSONValue.string($0.description) }
        writer.add("status", patterns.count == 1 ? patterns[0] : patterns.isEmpty ? nil : .array(patterns))
        writer.add("within", duration: within)
        return writer.object(unknown)
    }
}
