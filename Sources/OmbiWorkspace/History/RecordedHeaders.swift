import OmbiCore
import OmbiDocument

/// The headers of attempts that differ from those of the request that was sent last, as the history keeps them: an attempt
/// before the answer to a challenge had no credentials.
enum RecordedHeaders {
    /// Returns names and values for each attempt, `null` for one with the same as the last request; nil where all have.
    static func json(_ result: SessionResult) -> JSONValue? {
        guard let attempts = result.report?.attempts, attempts.contains(where: { $0.sent != nil }),
            let last = result.prepared?.headers
        else { return nil }
        let known = last.compactMap { line($0.name, $0.value) }.sorted()
        let own = attempts.map { attempt -> JSONValue in
            guard let fields = attempt.sent?.fields,
                fields.compactMap({ line($0.key.name, $0.value.text) }).sorted() != known
            else { return .null }
            return .array(fields.map { .strings([$0.key.name, masked($0.key, $0.value.text)]) })
        }
        return own.allSatisfy { $0 == .null } ? nil : .array(own)
    }

    static func read(_ json: JSONValue?, into result: inout SessionResult) {
        guard let lists = json?.elements, var report = result.report else { return }
        for (index, list) in zip(report.attempts.indices, lists) {
            guard let rows = list.elements else { continue }
            var headers = RequestHeaders()
            for row in rows {
                guard let parts = row.elements, parts.count == 2, let name = parts[0].stringValue,
                    let value = parts[1].stringValue
                else { continue }
                headers.append(.init(value), forKey: .init(name))
            }
            report.attempts[index].sent = headers
        }
        result.report = report
    }

    /// A header to compare; nil for the span, which each attempt has for itself. Credentials count by their presence.
    private static func line(_ name: String, _ value: String) -> String? {
        let key = RequestHeaders.Key(name)
        return key == .traceParent ? nil : "\(name.lowercased()): \(masked(key, value))"
    }

    private static func masked(_ key: RequestHeaders.Key, _ value: String) -> String {
        key.isSensitive ? LogMask.mask : value
    }
}
