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
