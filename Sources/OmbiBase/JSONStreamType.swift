/// The media types of bodies that are many JSON values: how such a body is read while it arrives, and how it is shown,
/// depend on them. Types are in lowercase and without parameters.
package enum JSONStreamType {
    private static let lines = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-lines",
        "application/x-jsonlines", "application/stream+json",
    ]

    /// True for lines of JSON, and for sequences.
    package static func matches(_ type: String) -> Bool { lines.contains(type) || isSequence(type) }

    /// True for a JSON text sequence (RFC 7464), such as `application/geo+json-seq` (RFC 8142).
    package static func isSequence(_ type: String) -> Bool {
        type == "application/json-seq" || type.hasSuffix("+json-seq")
    }
}
