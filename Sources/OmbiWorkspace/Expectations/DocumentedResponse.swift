import OmbiCore
import OmbiDocument

/// The schemas of a document. Each is converted once it is needed: there are thousands, and few of them are looked at.
protocol DocumentedSchemas: AnyObject, Sendable {
    /// The same for documents of the same content.
    var digest: Int { get }

    func converted(_ schema: JSONValue) -> ConvertedSchema
}

/// A schema of a document as JSON Schema of draft 2020-12.
enum ConvertedSchema: Sendable, Equatable {
    case schema(JSONValue)
    /// The schema says nothing of a body.
    case nothing
    /// The schema is too large, no JSON Schema, or has a reference that leads nowhere.
    case refused

    var value: JSONValue? { if case .schema(let schema) = self { schema } else { nil } }
}

/// A schema as a document writes it. A pane that is drawn often asks for it each time: it is converted once.
private final class WrittenSchema: Sendable {
    private let written: JSONValue
    private let document: any DocumentedSchemas
    private let known = Lock<ConvertedSchema?>(nil)

    init(_ written: JSONValue, of document: any DocumentedSchemas) {
        (self.written, self.document) = (written, document)
    }

    var converted: ConvertedSchema {
        if let known = known.withLock({ $0 }) { return known }
        let result = document.converted(written)
        known.withLock { $0 = result }
        return result
    }

    /// Schemas of documents that differ somewhere are different: what a schema refers to may be anywhere.
    func isSame(as other: WrittenSchema) -> Bool {
        written == other.written && (document === other.document || document.digest == other.document.digest)
    }
}

/// A body of a response as an API description has it.
public struct DocumentedBody: Sendable {
    /// `application/json`, or a range such as `application/*`; empty for any.
    public var contentType: String
    /// Nil for a body of any form.
    private let source: Source?

    private enum Source: Sendable {
        /// JSON Schema.
        case schema(JSONValue)
        case document(WrittenSchema)
    }

    public init(contentType: String, schema: JSONValue?) {
        self.contentType = contentType
        source = schema.map { Source.schema($0) }
    }

    init(contentType: String, schema: JSONValue?, of document: any DocumentedSchemas) {
        self.contentType = contentType
        source = schema.map { Source.document(WrittenSchema($0, of: document)) }
    }

    /// A JSON Schema of draft 2020-12; nil for a body of any form.
    public var schema: JSONValue? {
        switch source {
        case .schema(let schema)?: schema
        case .document(let schema)?: schema.converted.value
        case nil: nil
        }
    }

    /// True for a body whose schema is too large to judge it, or is no JSON Schema.
    public var isUnjudged: Bool {
        if case .document(let schema)? = source { schema.converted == .refused } else { false }
    }

    /// Without parameters, in lower case.
    private var name: String { Self.name(contentType) }

    static func name(_ contentType: String) -> String { contentType.prefix { $0 != ";" }.trimmed.lowercased() }

    /// Returns a higher number the closer the type fits that of a response; nil for one that does not fit.
    /// - Parameter type: without parameters, in lower case; empty for a response without one.
    fileprivate func fit(_ type: String) -> Int? {
        let isJSON = type.isEmpty || type.hasSuffix("/json") || type.hasSuffix("+json")
        guard name.contains("*") || name.isEmpty else { return name == type ? 2 : nil }
        // Any form may be sent; the schema is that of JSON.
        guard isJSON else { return nil }
        let start = name.prefix { $0 != "*" }
        return type.hasPrefix(start) || type.isEmpty ? (start.isEmpty ? 0 : 1) : nil
    }
}

extension DocumentedBody: Equatable {
    public static func == (one: DocumentedBody, other: DocumentedBody) -> Bool {
        guard one.contentType == other.contentType else { return false }
        switch (one.source, other.source) {
        case (nil, nil): return true
        case (.schema(let one)?, .schema(let other)?): return one == other
        case (.document(let one)?, .document(let other)?): return one === other || one.isSame(as: other)
        default: return false
        }
    }
}

/// A response as an API description has it: the statuses that it stands for, and the forms of its body.
public struct DocumentedResponse: Sendable, Equatable {
    /// Nil for the response to all statuses that are not listed, `default`.
    public var status: StatusPattern?
    public var bodies: [DocumentedBody]
    /// Its meaning, on one line; empty for none.
    public var description: String

    public init(status: StatusPattern?, bodies: [DocumentedBody] = [], description: String = "") {
        self.status = status
        self.bodies = bodies
        self.description = description
    }

    /// Those of its bodies.
    public var contentTypes: [String] { bodies.map(\.contentType).filter { !$0.isEmpty } }

    /// The first form that is described; nil for none.
    public var schema: JSONValue? { bodies.lazy.compactMap(\.schema).first }

    /// True for a response with a body that its schema does not judge.
    public var isUnjudged: Bool { bodies.contains(where: \.isUnjudged) }

    /// Returns the schema of a body that a response has; nil for one of any form.
    func schema(ofType contentType: String?) -> JSONValue? {
        // A body of another type than the only one is none of the document.
        if bodies.count == 1, !bodies[0].contentType.contains("*") { return bodies[0].schema }
        let type = DocumentedBody.name(contentType ?? "")
        var best: (fit: Int, schema: JSONValue?)?
        for body in bodies {
            guard let fit = body.fit(type), fit > best?.fit ?? -1 else { continue }
            best = (fit, body.schema)
        }
        return best?.schema
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
    /// The schema of the body of a response; nil where the document has none.
    func documentedSchema(of status: Int?, contentType: String?) -> LoadedSchema? {
        guard let status, let response = documented.response(to: status),
            let schema = response.schema(ofType: contentType)
        else { return nil }
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
