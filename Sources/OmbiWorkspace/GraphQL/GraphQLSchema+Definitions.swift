extension GraphQLSchema {
    /// The schema in the language of definitions, in the order in which it was read; directives come last.
    package var definitions: String {
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
        for directive in storage.directives where !directive.isImplied {
            if !text.isEmpty { text += "\n" }
            text += definition(of: directive)
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
            text(of: storage.parts[type].remark, "") + word(for: kind(type)) + " " + name(ofType: type)
            + (interfaces.isEmpty ? "" : " implements " + interfaces.joined(separator: " & "))
        switch kind(type) {
        case .scalar: return head + "\n"
        case .union:
            let members = names(ofWordsOf: type)
            return head + (members.isEmpty ? "" : " = " + members.joined(separator: " | ")) + "\n"
        case .enumeration:
            return head + Self.braces(words(of: type).map { described(name($0.name), $0.remark, "  ") })
        case .input: return head + Self.braces(inputs(of: type).map { described(text(of: $0), $0.remark, "  ") })
        case .object, .interface: return head + Self.braces(fields(of: type).map { definition(of: $0) })
        }
    }

    private func definition(of field: Field) -> String {
        described(
            name(field.name) + definition(of: arguments(of: field), "  ") + ": " + text(of: field.type), field.remark,
            "  ")
    }

    private func definition(of directive: Directive) -> String {
        let head = "directive @" + name(directive.name) + definition(of: arguments(of: directive), "")
        let places = places(of: directive).joined(separator: " | ")
        return text(of: directive.remark, "") + head + (directive.isRepeatable ? " repeatable" : "") + " on \(places)\n"
    }

    /// Arguments in parentheses, each on a separate line if one has a description.
    private func definition(of inputs: [Input], _ indent: String) -> String {
        if inputs.isEmpty { return "" }
        guard inputs.contains(where: { $0.remark.description > 0 }) else {
            return "(" + inputs.map { described(text(of: $0), $0.remark, "") }.joined(separator: ", ") + ")"
        }
        return inputs.reduce("(\n") { $0 + described(text(of: $1), $1.remark, indent + "  ") + "\n" } + indent + ")"
    }

    /// A member with its description on the line before, and its deprecation after it.
    private func described(_ member: String, _ remark: Remark, _ indent: String) -> String {
        let reason = reason(remark)
        let deprecation = " @deprecated" + (reason.isEmpty ? "" : "(reason: \(JSONValue.quoted(reason)))")
        return text(of: remark, indent) + indent + member + (remark.isDeprecated ? deprecation : "")
    }

    /// The description on a separate line; empty without one.
    private func text(of remark: Remark, _ indent: String) -> String {
        remark.description > 0 ? indent + JSONValue.quoted(description(remark)) + "\n" : ""
    }

    private static func braces(_ members: [String]) -> String {
        members.isEmpty ? "\n" : " {\n" + members.reduce(into: "") { $0 += $1 + "\n" } + "}\n"
    }
}
