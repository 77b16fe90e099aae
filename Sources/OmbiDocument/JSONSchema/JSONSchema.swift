/// A JSON Schema (draft 2020-12), compiled for documents that are indexed already. `format` and the keywords about content
/// are annotations, as the draft has them by default. Its regular expressions are those of a search, and their tables are
/// filled while they match: a schema belongs to one thread.
public struct JSONSchema {
    let nodes: [SchemaNode]
    let root: Int
    let dynamicAnchors: [Int: [String: Int]]
    let tracks: Bool

    /// - Parameters:
    ///   - location: the URI at which the schema was found; references start there.
    ///   - load: returns another schema by its URI without a fragment; throws the reason why it cannot be read.
    public init(
        _ value: JSONValue, location: String = "ombi:schema",
        load: @escaping (_ uri: String) throws(JSONSchemaError) -> JSONValue = { uri throws(JSONSchemaError) in
            throw JSONSchemaError("\(uri) is not read")
        }
    ) throws(JSONSchemaError) {
        var compiler = SchemaCompiler(load: load)
        root = try compiler.compile(value, from: location)
        (nodes, dynamicAnchors, tracks) = (compiler.nodes, compiler.dynamicAnchors, compiler.tracks)
    }

    /// The limits of an evaluation.
    public struct Limits: Sendable {
        /// Schemas in schemas, with those that are referred to.
        public var depth = 256
        public var failures = 20

        public init() {}
    }

    /// The end of an evaluation that is not completed.
    public enum Interruption: Error, Equatable, Sendable {
        case tooDeep
        case interrupted(EvaluationTime.Interruption)
    }

    /// Returns what in a value does not meet the schema, the first failures in the order of the schema; empty for a valid one.
    public func failures(
        in document: JSONDocument, at node: JSONNode, limits: Limits = Limits(),
        within time: EvaluationTime = EvaluationTime()
    ) throws(Interruption) -> [JSONSchemaFailure] {
        var run = SchemaRun(self, document, limits, time)
        _ = try run.evaluate(root, node)
        if let interruption = time.interruption { throw .interrupted(interruption) }
        return run.failures
    }
}

/// An error in a JSON Schema, or in a file that it refers to.
public struct JSONSchemaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place in the schema as a JSON Pointer (RFC 6901); empty for the whole of it.
    public var pointer: String
    public var reason: String

    public init(_ reason: String, at pointer: String = "") {
        self.reason = reason
        self.pointer = pointer
    }

    public var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

/// A value of a document that does not meet a keyword of its schema.
public struct JSONSchemaFailure: Equatable, Sendable {
    /// The value, or the object that lacks one.
    public var node: JSONNode
    public var keyword: String
    /// To follow the word `expected`: `the type string`.
    public var expected: String
    /// Nil where an excerpt of the value says it.
    public var found: String?

    init(_ node: JSONNode, _ keyword: String, _ expected: String, found: String? = nil) {
        (self.node, self.keyword, self.expected, self.found) = (node, keyword, expected, found)
    }
}

/// A schema in its parts, with other schemas as indices: schemas may refer to each other in a circle.
struct SchemaNode {
    /// The pair of a reference that is resolved again while it is followed, and of the anchor that it names.
    struct DynamicReference {
        var target: Int
        /// Nil for a reference that behaves like any other.
        var anchor: String?
    }

    /// The value of a schema that is true or false; nil for an object.
    var constant: Bool?
    /// The schema resource that the schema is in: one with an identifier of its own.
    var resource = 0

    var reference: Int?
    var dynamicReference: DynamicReference?
    var (allOf, anyOf, oneOf): ([Int], [Int], [Int]) = ([], [], [])
    var (not, condition, then, otherwise): (Int?, Int?, Int?, Int?)

    var types: [String]?
    var values: [JSONValue]?
    var isConstant = false

    /// Comparisons and lengths by keyword, in the order of the schema.
    var bounds: [(keyword: String, value: JSONValue)] = []
    var pattern: (text: String, machine: TextPattern)?
    var hasUniqueItems = false

    var prefixItems: [Int] = []
    var items: Int?
    var contains: Int?
    var (minimumContains, maximumContains): (Int, Int?) = (1, nil)
    var unevaluatedItems: Int?

    var properties: [String: Int] = [:]
    var patternProperties: [(machine: TextPattern, schema: Int)] = []
    var additionalProperties: Int?
    var propertyNames: Int?
    var required: [String] = []
    var dependentRequired: [(key: String, required: [String])] = []
    var dependentSchemas: [(key: String, schema: Int)] = []
    var unevaluatedProperties: Int?
}
