/// The response that stands in where a request gets none, or one with an error status.
package struct SavedFallback: Sendable, Equatable {
    package enum Source: Sendable, Hashable {
        /// The last good response in the history; one that is older than `maximumAge` is not used.
        case history(maximumAge: Duration?)
        /// The path of a file, which starts at the folder of the collection.
        case file(String)
    }

    package var source: Source
    package var unknown = UnknownMembers()

    package init(_ source: Source) { self.source = source }
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
        // A value of another type has its own error already.
        let fromHistory = object.bool("history") ?? object.has("history")
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
    package var text: String {
        switch self {
        case .history(nil): "history"
        case .history(let age?): "history \(AgeText.format(age))"
        case .file(let path): "file \(path)"
        }
    }

    /// Reads a source from that form.
    package init(_ text: String) throws(FieldError) {
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
    package var fallbackText: String { fallback?.source.text ?? "" }

    package mutating func setFallback(_ text: String) throws(FieldError) {
        guard !text.isEmpty else { return fallback = nil }
        let source = try SavedFallback.Source(text)
        var changed = fallback ?? SavedFallback(source)
        changed.source = source
        fallback = changed
    }
}

/// A response that is kept with its request, to be read and to be handed on. It is never sent.
package struct SavedExample: Sendable, Equatable {
    package var name: String
    package var status: Int
    package var headers: [Field]
    /// The path of a file with the body, which starts at the folder of the collection; nil for a text.
    package var file: String?
    /// Empty for a body in a file. No template in it is filled in.
    @Stored package var body: String
    package var unknown = UnknownMembers()

    package init(_ name: String, status: Int, headers: [Field] = [], body: String = "", file: String? = nil) {
        self.name = name
        self.status = status
        self.headers = headers
        self.file = file
        self.body = body
    }

    /// Empty for a response that names none.
    package var contentType: String {
        headers.first { $0.enabled && $0.name.lowercased() == "content-type" }?.value ?? ""
    }
}

extension SavedExample: SavedObject {
    static let members = Members<SavedExample>([
        .name("name", "The name of the example.", isRequired: true, { $0.name = $1 }, { $0.name }),
        .integer("status", nil, in: 100...599, default: 200, { $0.status = $1 }, { $0.status }),
        Member(
            "headers", Schema.reference("fields", "The headers of the response, in order."),
            read: { $0.headers = $1.list($2, of: Field.self) }, write: { JSONValue.list($0.headers) }),
        Member(
            "body", Schema.text("The text of the body. No template in it is filled in."),
            read: { $0._body = $1.storedText($2) }, write: { $0.file == nil ? JSONValue.optional($0.body) : nil }),
        Member(
            "file", Schema.reference("path", "The body."), read: { $0.file = $1.path($2) },
            write: { $0.file.map(JSONValue.string) }),
    ])

    init(reading object: ObjectReader) {
        self.init("", status: 200)
        unknown = object.read(Self.members, into: &self)
        if object.has("file"), object.has("body") {
            object.log.error(at: object.offset, "an example has a \"body\" or a \"file\", not both")
        }
    }
}
