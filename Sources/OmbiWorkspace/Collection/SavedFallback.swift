import OmbiCore
import OmbiDocument

/// The response that stands in where a request gets none, or one with an error status.
public struct SavedFallback: Sendable, Equatable {
    public enum Source: Sendable, Hashable {
        /// The last good response in the history; one that is older than `maximumAge` is not used.
        case history(maximumAge: Duration?)
        /// The path of a file, which starts at the folder of the collection.
        case file(String)
    }

    public var source: Source
    public var unknown = UnknownMembers()

    public init(_ source: Source) { self.source = source }
}

extension SavedFallback: SavedObject {
    static let members = Members<SavedFallback>([
        .alternative(
            "history", ["const": true, "description": "The last good response to the same request in the history."],
            write: { if case .history = $0.source { .bool(true) } else { nil } }),
        .alternative(
            "maximumAge", Schema.reference("age", "An older response is not used."),
            write: { if case .history(let age?) = $0.source { .string(AgeText.format(age)) } else { nil } }),
        .alternative(
            "file", Schema.text("A file in the folder of the collection or below."),
            write: { if case .file(let path) = $0.source { .string(path) } else { nil } }),
    ])

    static var schema: JSONValue {
        [
            "description": .string(
                "The response that stands in where the request gets none, or one with an error status. "
                    + "The run fails all the same."),
            "oneOf": [
                members.without("file").schema(required: ["history"]),
                members.without("history", "maximumAge").schema(required: ["file"]),
            ],
        ]
    }

    init(reading object: ObjectReader) {
        let fromHistory = object.bool("history") ?? false
        switch (fromHistory, object.has("file")) {
        case (true, false): self.init(.history(maximumAge: object.age("maximumAge")))
        case (false, true):
            self.init(.file(object.path("file")))
            if object.has("maximumAge") { object.error("maximumAge", "only responses of the history have an age") }
        case (true, true), (false, false):
            self.init(.history(maximumAge: nil))
            object.log.error(
                at: object.offset,
                "a fallback is the last good response or a file; write { \"history\": true } or "
                    + "{ \"file\": \"./a.json\" }")
        }
        unknown = object.read(Self.members, into: &self)
    }
}

extension SavedFallback.Source {
    /// A line of text: `history`, `history 7d`, `file ./items.json`.
    public var text: String {
        switch self {
        case .history(nil): "history"
        case .history(let age?): "history \(AgeText.format(age))"
        case .file(let path): "file \(path)"
        }
    }

    /// Reads a source from that form.
    public init(_ text: String) throws(FieldError) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch parts.first {
        case "history" where parts.count == 1: self = .history(maximumAge: nil)
        case "history":
            guard let age = AgeText.parse(parts[1]) else {
                throw FieldError("\(parts[1]) is not an age; \(AgeText.form)")
            }
            self = .history(maximumAge: age)
        case "file" where parts.count == 2: self = .file(parts[1])
        default: throw FieldError("write history, history 7d, or file ./items.json")
        }
    }
}

extension SavedRequest {
    /// The fallback as a line of text; empty for none.
    public var fallbackText: String { fallback?.source.text ?? "" }

    public mutating func setFallback(_ text: String) throws(FieldError) {
        guard !text.isEmpty else { return fallback = nil }
        let source = try SavedFallback.Source(text)
        var changed = fallback ?? SavedFallback(source)
        changed.source = source
        fallback = changed
    }
}
