/// The schemas of a document. Each is converted once it is needed: there are thousands, and few of them are looked at.
protocol DocumentedSchemas: AnyObject, Sendable {
    /// The same for documents of the same content.
    var digest: Int { get }

    func converted(_ schema: JSONValue) -> ConvertedSchema
    /// A value that a schema allows; nil if there is no finite one, or it is too large.
    func sample(_ schema: JSONValue) -> JSONValue?
}

/// A schema of a document as JSON Schema of draft 2020-12.
enum ConvertedSchema: Sendable, Equatable {
    case schema(JSONValue)
    /// The schema does not describe a body.
    case nothing
    /// The schema is too large, no JSON Schema, or has a reference that leads nowhere.
    case refused

    var value: JSONValue? { if case .schema(let schema) = self { schema } else { nil } }

    /// In bytes of a body.
    private static let maximumSize = 1 << 20

    /// Returns the first difference of a body from the schema: `at $.id: expected the type integer`. nil if it matches,
    /// is longer than a mebibyte, or cannot be judged.
    func difference(of body: JSONValue, within time: EvaluationTime = EvaluationTime()) -> String? {
        let text = Bytes(body.compact.utf8)
        guard let value, text.count <= Self.maximumSize, let schema = try? JSONSchema(value, assertsFormats: true),
            let document = try? JSONDocument(checking: text), let root = document.firstRoot,
            let failure = (try? schema.failures(in: document, at: root, within: time))?.first
        else { return nil }
        return "at \(document.shortPath(of: failure.node).excerpt(80)): expected \(failure.expected.excerpt(120))"
    }
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

    var sample: JSONValue? { document.sample(written) }

    /// Returns true for the same schema in equal documents: a reference may lead to any part of a document.
    func isSame(as other: WrittenSchema) -> Bool {
        written == other.written && (document === other.document || document.digest == other.document.digest)
    }
}

/// A body of a response as an API description has it.
package struct DocumentedBody: Sendable {
    /// `application/json`, or a range such as `application/*`; empty for any.
    package var contentType: String
    /// True for a body of which the document has no example: one is made of its schema where it is looked at.
    var isSampled = false
    /// Nil for a body of any form.
    private let written: WrittenSchema?

    init(contentType: String, schema: JSONValue?, of document: any DocumentedSchemas) {
        self.contentType = contentType
        written = schema.map { WrittenSchema($0, of: document) }
    }

    /// A JSON Schema of draft 2020-12; nil for a body of any form.
    package var schema: JSONValue? { written?.converted.value }

    /// Returns the first difference of a body from the schema; nil if it matches.
    func difference(of body: JSONValue) -> String? { written?.converted.difference(of: body) }

    /// True for a body whose schema is too large to judge it, or is no JSON Schema.
    package var isUnjudged: Bool { written?.converted == .refused }

    /// A value that the schema allows; nil for none.
    var sample: JSONValue? { isSampled ? written?.sample : nil }

    /// Without parameters, in lower case.
    private var name: String { Self.name(contentType) }

    static func name(_ contentType: String) -> String { contentType.prefix { $0 != ";" }.trimmed.lowercased() }

    /// Returns true for a type that the document's type includes.
    /// - Parameter type: Without parameters, in lower case.
    fileprivate func includes(_ type: String) -> Bool {
        name.isEmpty || (name.contains("*") ? type.hasPrefix(name.prefix { $0 != "*" }) : name == type)
    }

    /// Returns a higher number the closer the type is to the response's; nil if it does not fit.
    /// - Parameter type: Without parameters, in lower case; empty for a response without one.
    fileprivate func fit(_ type: String) -> Int? {
        let isJSON = type.isEmpty || type.hasSuffix("/json") || type.hasSuffix("+json")
        guard name.contains("*") || name.isEmpty else { return type.isEmpty ? 0 : name == type ? 2 : nil }
        // Any form may be sent; the schema describes JSON.
        guard isJSON else { return nil }
        let start = name.prefix { $0 != "*" }
        return type.hasPrefix(start) || type.isEmpty ? (start.isEmpty ? 0 : 1) : nil
    }
}

extension DocumentedBody: Equatable {
    package static func == (one: DocumentedBody, other: DocumentedBody) -> Bool {
        guard one.contentType == other.contentType, one.isSampled == other.isSampled else { return false }
        guard let written = one.written, let others = other.written else { return one.written === other.written }
        return written === others || written.isSame(as: others)
    }
}

/// A response in an API description: its statuses, and the forms of its body.
package struct DocumentedResponse: Sendable, Equatable {
    /// Nil for the response to all statuses that are not listed, `default`.
    package var status: StatusPattern?
    package var bodies: [DocumentedBody] = []
    /// Its meaning, on one line; empty for none.
    package var description = ""

    package var contentTypes: [String] { bodies.map(\.contentType).filter { !$0.isEmpty } }

    /// The first form that is described; nil for none.
    package var schema: JSONValue? { bodies.lazy.compactMap(\.schema).first }

    /// True for a response with a body that its schema does not judge.
    package var isUnjudged: Bool { bodies.contains(where: \.isUnjudged) }

    /// Returns true for a content type that the document has; of a response without any, for all.
    func has(contentType: String?) -> Bool {
        let type = DocumentedBody.name(contentType ?? "")
        return bodies.isEmpty || bodies.contains { $0.includes(type) }
    }

    /// Returns the schema of a body that a response has; nil for one of any form.
    func schema(ofType contentType: String?) -> JSONValue? {
        let type = DocumentedBody.name(contentType ?? "")
        var best: (fit: Int, schema: JSONValue?)?
        for body in bodies {
            guard let fit = body.fit(type), fit > best?.fit ?? -1 else { continue }
            best = (fit, body.schema)
        }
        return best?.schema
    }

    /// The status as the document writes it: `200`, `2XX` or `default`.
    package var name: String {
        switch status {
        case .code(let code): "\(code)"
        case .hundreds(let digit): "\(digit)XX"
        case nil: "default"
        }
    }
}

extension [DocumentedResponse] {
    /// The response that describes a status: one of that code, else of its hundreds, else the default.
    package func response(to code: Int) -> DocumentedResponse? {
        first { $0.status == .code(code) } ?? first { $0.status?.matches(code) ?? false } ?? first { $0.status == nil }
    }
}

extension Expectation {
    /// Returns the parts of a response other than its body that the document lacks: the status, or the content type.
    func undocumented(_ observation: Observation, contentType: String?) -> [ExpectationResult] {
        guard let status = observation.status, !documented.isEmpty else { return [] }
        var result: ExpectationResult
        if let response = documented.response(to: status) {
            let hasContent = contentType != nil || !observation.body.isEmpty
            guard hasContent, !response.has(contentType: contentType) else { return [] }
            let types = response.contentTypes.joined(separator: " or ").excerpt(120)
            result = ExpectationResult(
                .header("Content-Type"), "header Content-Type", expected: "the content type \(types)",
                found: contentType.map { observation.excerpt(JSONValue.quoted($0)) } ?? "none", isMet: false)
        } else {
            // The one that is expected is judged already; the end of a redirect is no response of the operation.
            let isRedirect = documented.contains { $0.status.map { $0.codes.lowerBound / 100 == 3 } ?? false }
            guard self.status.isEmpty, !isRedirect else { return [] }
            let names = documented.map(\.name).joined(separator: " or ").excerpt(120)
            result = ExpectationResult(
                .status, "status", expected: "status \(names)", found: "\(status)", isMet: false)
        }
        result.differsFromDocument(at: "", kind: nil)
        return [result]
    }

    /// The schema of the body of a response; nil if the document has none.
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
    /// Marks a body as different from its description in a document.
    /// - Parameters:
    ///   - path: The part of the body.
    ///   - kind: The type of the value there, if the document requires another one.
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

/// A value in the body of a documented response.
package struct DocumentedValue: Sendable, Equatable {
    /// `$.items[*].id`
    package var path: String
    /// `integer`, `string or null, date-time`, `"a", "b"`; empty for any.
    package var type: String
    package var isRequired: Bool
}

extension DocumentedResponse {
    /// The values that its schema describes, each after its container; none for a body of any form.
    package var values: [DocumentedValue] {
        guard let schema else { return [] }
        var outline = SchemaOutline(root: schema)
        outline.add(schema, at: "$", isRequired: false, inside: [], depth: 0)
        // That a body is an object is said by its members.
        return outline.values.count > 1 && outline.values[0].type == "object"
            ? Array(outline.values.dropFirst()) : outline.values
    }
}

/// Lists the values that a schema describes, down to recursive schemas.
private struct SchemaOutline {
    /// With the definitions that references lead to.
    let root: JSONValue
    private(set) var values: [DocumentedValue] = []

    private static let maximumValues = 200
    private static let maximumDepth = 8
    private static let maximumChoices = 6

    mutating func add(
        _ schema: JSONValue, at path: String, isRequired: Bool, inside references: Set<String>, depth: Int
    ) {
        guard values.count < Self.maximumValues, depth < Self.maximumDepth else { return }
        var references = references
        let parts = parts(of: schema, &references, nesting: 0)
        values.append(DocumentedValue(path: path, type: Self.type(parts), isRequired: isRequired))
        let required = Set(parts.flatMap { $0["required"]?.elements ?? [] }.compactMap(\.stringValue))
        var known: Set<String> = []
        for part in parts {
            if case .object(let members)? = part["properties"] {
                for member in members where known.insert(member.key).inserted {
                    add(
                        member.value, at: path + Self.step(to: member.key),
                        isRequired: required.contains(member.key), inside: references, depth: depth + 1)
                }
            }
            if let items = part["items"], case .object = items {
                add(items, at: path + "[*]", isRequired: false, inside: references, depth: depth + 1)
            }
        }
    }

    /// The schema with those that it refers to and consists of.
    private func parts(of schema: JSONValue, _ references: inout Set<String>, nesting: Int) -> [JSONValue] {
        guard nesting < Self.maximumDepth, case .object = schema else { return [] }
        var parts = [schema]
        if let reference = schema["$ref"]?.stringValue, references.insert(reference).inserted,
            let target = root["$defs"]?[Self.name(of: reference)]
        {
            parts += self.parts(of: target, &references, nesting: nesting + 1)
        }
        for part in schema["allOf"]?.elements ?? [] {
            parts += self.parts(of: part, &references, nesting: nesting + 1)
        }
        let branches = Self.branches(of: schema)
        if branches.count == 1 { parts += self.parts(of: branches[0], &references, nesting: nesting + 1) }
        return parts
    }

    private static func branches(of schema: JSONValue) -> [JSONValue] {
        let all = (schema["oneOf"]?.elements ?? []) + (schema["anyOf"]?.elements ?? [])
        return all.filter { $0["type"]?.stringValue != "null" }
    }

    // MARK: Words

    private static func type(_ parts: [JSONValue]) -> String {
        for part in parts {
            if let choices = part["enum"]?.elements {
                let shown = choices.prefix(maximumChoices).map { $0.compact.excerpt(40) }.joined(separator: ", ")
                return choices.count > maximumChoices ? shown + ", …" : shown
            }
            if let value = part["const"] { return value.compact.excerpt(40) }
            let types = part["type"]?.elements?.compactMap(\.stringValue) ?? [part["type"]?.stringValue ?? ""]
            let type = types.joined(separator: " or ")
            guard type.isEmpty else { return type + (part["format"]?.stringValue.map { ", \($0)" } ?? "") }
        }
        if parts.contains(where: { $0["properties"] != nil }) { return "object" }
        if parts.contains(where: { $0["items"] != nil }) { return "array" }
        if let count = parts.map({ branches(of: $0).count }).max(), count > 1 { return "one of \(count) forms" }
        // It contains itself.
        return parts.first?["$ref"]?.stringValue.map { name(of: $0) } ?? ""
    }

    private static func name(of reference: String) -> String {
        reference.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func step(to name: String) -> String {
        let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
        return isPlain && !(name.first?.isNumber ?? true) ? "." + name : "[\(JSONValue.quoted(name))]"
    }
}
