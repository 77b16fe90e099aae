import OmbiDocument

/// A query or a mutation of a schema, from which a request can be made.
public struct GraphQLOperation: Sendable, Equatable {
    /// `query` or `mutation`.
    public var kind: String
    public var name: String
    /// `(id: ID!): User`
    public var signature: String
}

/// A request that is made of an operation: all its arguments as variables, and the scalar fields of two levels.
public struct GraphQLDraft: Sendable, Equatable {
    public var name: String
    public var query: String
    /// A value for each variable that is required; nil for none.
    public var variables: JSONValue?
}

extension GraphQLSchema {
    /// The queries and the mutations, in the order of the schema.
    public var operations: [GraphQLOperation] {
        [Root.query, .mutation].flatMap { root in
            (self.root(root).map(fields) ?? []).map { field in
                GraphQLOperation(kind: root.word, name: name(field.name), signature: signature(of: field))
            }
        }
    }

    /// `(id: ID!): User`
    func signature(of field: Field) -> String {
        Self.parenthesized(arguments(of: field).map { text(of: $0) }) + ": " + text(of: field.type)
    }

    /// Returns a request for an operation; nil for one that the schema does not have.
    public func draft(of operation: GraphQLOperation) -> GraphQLDraft? {
        guard let root = Root.allCases.first(where: { $0.word == operation.kind }).flatMap({ self.root($0) }),
            let field = field(operation.name, of: root)
        else { return nil }
        let inputs = arguments(of: field)
        let names = inputs.map { name($0.name) }
        let declared = inputs.map { input in
            "$" + (hasDefault(input) ? text(of: input) : "\(name(input.name)): \(text(of: input.type))")
        }
        let given = names.map { "\($0): $\($0)" }
        var lines = [operation.kind + " " + operation.name + Self.parenthesized(declared) + " {"]
        let inner = type(field.type.name).map { selection(of: $0, indent: "    ", levels: 2) } ?? []
        lines.append("  " + operation.name + Self.parenthesized(given) + (inner.isEmpty ? "" : " {"))
        lines += inner
        if !inner.isEmpty { lines.append("  }") }
        lines.append("}")
        let values = inputs.filter { $0.type.isRequired && !hasDefault($0) }.map { input in
            JSONValue.Member(name(input.name), value(for: input.type, depth: 0))
        }
        return GraphQLDraft(
            name: operation.name, query: lines.joined(separator: "\n"),
            variables: values.isEmpty ? nil : .object(values))
    }

    /// Returns true for a variable that needs the default value of its argument, as it may not be null. A text of the
    /// service becomes no template: it would be filled in.
    private func hasDefault(_ input: Input) -> Bool {
        guard input.type.isRequired, let value = input.defaultValue else { return false }
        return !name(value).contains("{{")
    }

    private static func parenthesized(_ parts: [String]) -> String {
        parts.isEmpty ? "" : "(" + parts.joined(separator: ", ") + ")"
    }

    /// More fields are not selected.
    private static let maximumSelection = 100
    /// Further required fields of input types, and those of deeper ones, are left to be written: types may hold themselves.
    private static let maximumInputs = 20
    private static let maximumDepth = 3

    /// The lines that select the fields of a type which need no arguments; none for a leaf.
    private func selection(of type: Int, indent: String, levels: Int) -> [String] {
        guard kind(type).isComposite else { return [] }
        var lines: [String] = []
        for field in fields(of: type).prefix(Self.maximumSelection) where !field.isDeprecated {
            guard let target = self.type(field.type.name), !arguments(of: field).contains(where: \.isRequired) else {
                continue
            }
            if !kind(target).isComposite {
                lines.append(indent + name(field.name))
            } else if levels > 1, kind(target) != .union {
                let inner = selection(of: target, indent: indent + "  ", levels: levels - 1)
                lines += [indent + name(field.name) + " {"] + inner + [indent + "}"]
            }
        }
        return lines.isEmpty ? [indent + "__typename"] : lines
    }

    /// A value to begin with: of an input type with its required fields.
    private func value(for reference: Reference, depth: Int) -> JSONValue {
        guard reference.isRequired else { return .null }
        if reference.element != nil { return .array([]) }
        guard let type = type(reference.name) else { return .null }
        switch kind(type) {
        case .enumeration: return words(of: type).first.map(JSONValue.string) ?? .null
        case .input:
            guard depth < Self.maximumDepth else { return .object([]) }
            return .object(
                inputs(of: type).filter(\.isRequired).prefix(Self.maximumInputs).map {
                    JSONValue.Member(name($0.name), value(for: $0.type, depth: depth + 1))
                })
        case .scalar, .object, .interface, .union:
            return switch name(ofType: type) {
            case "Int", "Float": .number(0)
            case "Boolean": .bool(false)
            default: .string("")
            }
        }
    }
}
