import OmbiDocument

/// A response as an API description has it: the statuses that it stands for, and the form of its body.
public struct DocumentedResponse: Sendable, Equatable {
    /// Nil for the response to all statuses that are not listed, `default`.
    public var status: StatusPattern?
    /// A JSON Schema of draft 2020-12; nil for a body of any form.
    public var schema: JSONValue?
    /// Its meaning, on one line; empty for none.
    public var description: String
    /// Those of its body.
    public var contentTypes: [String]

    public init(
        status: StatusPattern?, schema: JSONValue?, description: String = "", contentTypes: [String] = []
    ) {
        self.status = status
        self.schema = schema
        self.description = description
        self.contentTypes = contentTypes
    }

    /// The status as the document writes it: `200`, `2XX` or `default`.
    public var name: String {
        switch status {
        case .code(let code): "\(code)"
        case .hundreds(let digit): "\(digit)XX"
        case nil: "default"
        }
    }
}

extension [DocumentedResponse] {
    /// The response that describes a status: one of that code, else of its hundreds, else the default.
    public func response(to code: Int) -> DocumentedResponse? {
        first { $0.status == .code(code) } ?? first { $0.status?.matches(code) ?? false } ?? first { $0.status == nil }
    }
}

extension Expectation {
    /// The schema of the body of a response with a status; nil where the document has none.
    func documentedSchema(of status: Int?) -> LoadedSchema? {
        guard let status, let schema = documented.response(to: status)?.schema else { return nil }
        return try? LoadedSchema(.inline(schema), folder: "") { path throws(JSONSchemaError) in
            throw LoadedSchema.unread(path)
        }
    }
}

extension ExpectationResult {
    /// Says that a body is not as a document describes it.
    /// - Parameters:
    ///   - path: the part of the body.
    ///   - kind: the type of the value there, if the document wants another one.
    mutating func differsFromDocument(at path: String, kind: JSONKind?) {
        let what = kind.map { "`\(path)` is \($0.words)" } ?? "expected \(expected), got \(found)"
        statement = "differs from the document: \(what)"
    }
}

extension JSONKind {
    /// The type as messages name it: "a string", "null".
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .true, .false: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
