/// The operations of a query, of which one is run. No schema is needed to know them.
extension GraphQLContent {
    /// In a longer query they are not looked for.
    private static let maximumByteCount = 100_000

    /// The beginning of an operation.
    struct Operation: Equatable {
        /// Empty for none.
        var name = ""
        /// Its variables, each with a value to begin with.
        var variables: [JSONValue.Member] = []
        /// The names of the variables that need a value.
        var required: [String] = []
    }

    /// The operations; nil if unknown: in a long query, and if a template replaces a definition or its name.
    var operations: [Operation]? {
        guard query.utf8.count <= Self.maximumByteCount else { return nil }
        var reader = GraphQLOperationReader(Bytes(query.utf8))
        return reader.read()
    }

    /// The names that may be chosen; none where they are not known.
    var knownOperations: [String] { (operations ?? []).map(\.name).filter { !$0.isEmpty } }

    /// The operation to run; nil if it is absent, not chosen or unknown.
    private var chosenOperation: Operation? {
        guard let operationName else { return operations.flatMap { $0.count == 1 ? $0.first : nil } }
        return operations?.first { $0.name == operationName }
    }

    /// An object with all variables of the operation, for a body that gives none.
    var suggestedVariables: [String] {
        guard variables == nil, let operation = chosenOperation, !operation.variables.isEmpty else { return [] }
        return [JSONValue.object(operation.variables).compact]
    }

    var missingVariables: [String] {
        var given: [JSONValue.Member] = []
        if case .object(let members)? = variables { given = members }
        // A template may become the name of one.
        if given.contains(where: { $0.key.contains("{{") }) { return [] }
        let names = Set(given.filter { $0.value != .null }.map(\.key))
        return chosenOperation?.required.filter { !names.contains($0) } ?? []
    }

    /// The reasons why a service could not run the operation: it is absent, not chosen, or lacks a variable.
    var operationProblems: [String] {
        guard let operations else { return [] }
        if let operationName {
            if let problem = Self.problem(ofOperation: operationName, in: operations) { return [problem] }
        } else if operations.count > 1 {
            let names = knownOperations
            let known = names.isEmpty || names.count > 12 ? "" : ": " + names.joined(separator: ", ").excerpt(120)
            return ["the query has \(operations.count) operations; name the one to run\(known)"]
        }
        return missingVariables.map { "the variable `$\($0.excerpt(60))` of the operation has no value" }
    }

    /// The reason why an operation is absent; nil for an existing one, and for a template.
    static func problem(ofOperation name: String, in operations: [Operation]) -> String? {
        let names = operations.map(\.name).filter { !$0.isEmpty }
        if names.contains(name) || name.contains("{{") { return nil }
        return "the query has no operation `\(name.excerpt(60))`" + Spelling.suggestion(for: name, in: names)
    }
}

/// Reads the beginnings of operations, and past all else.
private struct GraphQLOperationReader {
    private let bytes: Bytes
    private let tokens: [GraphQLToken]
    private var operations: [GraphQLContent.Operation] = []
    private var depth = 0
    /// True from the first word of a definition to its opening brace.
    private var isHead = false
    private var isFragment = false

    init(_ bytes: Bytes) {
        self.bytes = bytes
        tokens = GraphQLLexer.tokens(in: bytes).tokens
    }

    /// Returns nil if a template replaces a definition or its name.
    mutating func read() -> [GraphQLContent.Operation]? {
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .template where depth == 0: return nil
            case .name where depth == 0 && !isHead: begin(at: index)
            case .punctuator: take(bytes[token.start], at: index)
            case .name, .number, .string, .spread, .template, .invalid: break
            }
        }
        return operations
    }

    private mutating func begin(at index: Int) {
        isHead = true
        isFragment = bytes.has("fragment", at: tokens[index])
        if !isFragment { operations.append(GraphQLContent.Operation(name: name(at: index + 1) ?? "")) }
    }

    private mutating func take(_ mark: UInt8, at index: Int) {
        switch mark {
        case UInt8(ascii: "{") where depth == 0:
            if !isHead { operations.append(GraphQLContent.Operation()) }
            isHead = false
            depth += 1
        case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
        case UInt8(ascii: "$") where isHead && depth == 1 && !isFragment: readVariable(at: index + 1)
        default: break
        }
    }

    /// Reads `id: [ID!]!`, which needs a value without a default one.
    private mutating func readVariable(at index: Int) {
        guard let name = name(at: index), has(":", at: index + 1), !operations.isEmpty else { return }
        operations[operations.count - 1].variables.append(JSONValue.Member(name, value(ofTypeAt: index + 2)))
        var end = index + 2
        while self.name(at: end) != nil || ["[", "]", "!"].contains(where: { has($0, at: end) }) { end += 1 }
        guard has("!", at: end - 1), !has("=", at: end) else { return }
        operations[operations.count - 1].required.append(name)
    }

    /// A value to begin with: an empty text for a type that is not known by its name.
    private func value(ofTypeAt index: Int) -> JSONValue {
        if has("[", at: index) { return .array([]) }
        return switch name(at: index) {
        case "Int", "Float": .number(0)
        case "Boolean": .bool(false)
        default: .string("")
        }
    }

    private func name(at index: Int) -> String? {
        guard index < tokens.count, tokens[index].kind == .name else { return nil }
        return bytes.text(of: tokens[index])
    }

    private func has(_ mark: String, at index: Int) -> Bool {
        index < tokens.count && bytes.has(mark, at: tokens[index])
    }
}
