import OmbiDocument

/// The operations of a query, of which one is run. No schema is needed to know them.
extension GraphQLContent {
    /// In a longer query they are not looked for.
    private static let maximumByteCount = 100_000

    /// The names of the operations, an empty one for each that has none; nil where they are not known: in a long query, and
    /// where a template stands for a definition or its name.
    var operationNames: [String]? {
        guard query.utf8.count <= Self.maximumByteCount else { return nil }
        let bytes = Bytes(query.utf8)
        let tokens = GraphQLLexer.tokens(in: bytes).tokens
        var names: [String] = []
        var depth = 0
        // True from the first word of a definition to its opening brace.
        var isHead = false
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .template where depth == 0: return nil
            case .name where depth == 0 && !isHead:
                isHead = true
                if bytes.has("fragment", at: token) { continue }
                let next = index + 1 < tokens.count ? tokens[index + 1] : nil
                names.append(next.flatMap { $0.kind == .name ? bytes.text(of: $0) : nil } ?? "")
            case .punctuator:
                switch bytes[token.start] {
                case UInt8(ascii: "{") where depth == 0:
                    if !isHead { names.append("") }
                    isHead = false
                    depth += 1
                case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
                default: break
                }
            case .name, .number, .string, .spread, .template, .invalid: break
            }
        }
        return names
    }

    /// The names that may be chosen; none where they are not known.
    var knownOperations: [String] { (operationNames ?? []).filter { !$0.isEmpty } }

    /// The reason why a service could not tell which operation to run; nil for none.
    var operationProblem: String? {
        guard let names = operationNames else { return nil }
        guard let operationName else {
            guard names.count > 1 else { return nil }
            return "the query has \(names.count) operations; name the one to run" + known(knownOperations)
        }
        return Self.problem(ofOperation: operationName, in: names)
    }

    /// The reason why there is no operation of a name; nil for one that there is, and for a template.
    static func problem(ofOperation name: String, in names: [String]) -> String? {
        if names.contains(name) || name.contains("{{") { return nil }
        return "the query has no operation `\(name.excerpt(60))`"
            + Spelling.suggestion(for: name, in: names.filter { !$0.isEmpty })
    }

    private func known(_ names: [String]) -> String {
        names.isEmpty || names.count > 12 ? "" : ": " + names.joined(separator: ", ").excerpt(120)
    }
}
