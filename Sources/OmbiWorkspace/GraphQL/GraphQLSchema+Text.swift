extension GraphQLSchema {
    /// The schema in the language of definitions, in the order in which it was read.
    public var definitions: String {
        var text = ""
        // A type may have the name of an operation that the service does not have: a subscription that is paid for.
        if Root.allCases.contains(where: { root($0) != type(named: $0.defaultType) }) {
            text += "schema {\n"
            for root in Root.allCases {
                if let type = self.root(root) { text += "  \(root.word): \(name(ofType: type))\n" }
            }
            text += "}\n"
        }
        for type in types where kind(type) != .scalar || !Self.isBuiltIn(name(ofType: type)) {
            if !text.isEmpty { text += "\n" }
            text += definition(of: type)
        }
        return text
    }

    /// `first: Int = 10`
    func text(of input: Input) -> String {
        "\(name(input.name)): \(text(of: input.type))" + (input.defaultValue.map { " = " + name($0) } ?? "")
    }

    private static func isBuiltIn(_ name: String) -> Bool {
        ["Int", "Float", "String", "Boolean", "ID"].contains(name)
    }

    private func definition(of type: Int) -> String {
        let interfaces = interfaces(of: type)
        let head =
            word(for: kind(type)) + " " + name(ofType: type)
            + (interfaces.isEmpty ? "" : " implements " + interfaces.joined(separator: " & "))
        switch kind(type) {
        case .scalar: return head + "\n"
        case .union:
            let members = words(of: type)
            return head + (members.isEmpty ? "" : " = " + members.joined(separator: " | ")) + "\n"
        case .enumeration: return head + Self.braces(words(of: type))
        case .input:
            return head + Self.braces(inputs(of: type).map { text(of: $0) })
        case .object, .interface:
            return head
                + Self.braces(
                    fields(of: type).map {
                        name($0.name) + signature(of: $0) + ($0.isDeprecated ? " @deprecated" : "")
                    })
        }
    }

    private static func braces(_ lines: [String]) -> String {
        lines.isEmpty ? "\n" : " {\n" + lines.reduce(into: "") { $0 += "  \($1)\n" } + "}\n"
    }
}
