/// A query or a mutation of a schema, from which a request can be made.
package struct GraphQLOperation: Sendable, Equatable {
    /// `query` or `mutation`.
    package var kind: String
    package var name: String
    /// `(id: ID!): User`
    package var signature: String
    /// The kind and the signature, and the reason for the deprecation or the first sentence of the description.
    package var note = ""
}

/// A request that is made of an operation: all its arguments as variables, and the scalar fields of two levels.
package struct GraphQLDraft: Sendable, Equatable {
    package var name: String
    package var query: String
    /// A value for each variable that is required; nil for none.
    package var variables: JSONValue?
}

extension GraphQLSchema {
    /// The queries and the mutations, in the order of the schema.
    package var operations: [GraphQLOperation] {
        [Root.query, .mutation].flatMap { root in
            (self.root(root).map(fields) ?? []).map { field in
                let signature = signature(of: field)
                let word = root.rawValue + (signature.hasPrefix("(") ? " " : "") + signature
                return GraphQLOperation(
                    kind: root.rawValue, name: name(field.name), signature: signature, note: note(word, field.remark))
            }
        }
    }

    /// `(id: ID!): User`
    func signature(of field: Field) -> String {
        Self.parenthesized(arguments(of: field).map { text(of: $0) }) + ": " + text(of: field.type)
    }

    /// Returns a request for an operation; nil if the schema does not have it.
    package func draft(of operation: GraphQLOperation) -> GraphQLDraft? {
        guard let root = Root(rawValue: operation.kind).flatMap({ self.root($0) }),
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
    /// The maximum number of input types that are filled in; others, and deeper ones, are left to the user, because
    /// types may be recursive.
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
        case .enumeration: return words(of: type).first.map { JSONValue.string(name($0.name)) } ?? .null
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

/// A problem of a query that the service would refuse.
package struct GraphQLProblem: Sendable, Equatable, CustomStringConvertible {
    /// In bytes, from the start of the query.
    package var offset: Int
    package var position: TextPosition
    package var message: String

    package var description: String { "\(position): \(message)" }
}

extension GraphQLSchema {
    /// A longer query is not checked.
    package static let maximumQueryByteCount = 500_000

    /// Returns the problems of a query, in its order; none for a text that is too long to be checked.
    package func problems(in query: Bytes) -> [GraphQLProblem] {
        guard query.count <= Self.maximumQueryByteCount else { return [] }
        var walk = GraphQLWalk(query, schema: self)
        walk.walk()
        var locator = TextLocator(query)
        return walk.found.sorted { $0.offset < $1.offset }.map {
            GraphQLProblem(offset: $0.offset, position: locator.position(of: $0.offset), message: $0.message)
        }
    }

    package func problems(in query: String) -> [GraphQLProblem] { problems(in: Bytes(query.utf8)) }
}

/// The texts that could complete a query at a place.
package struct GraphQLCompletion: Sendable, Equatable {
    /// The bytes of the name that is being typed.
    package var typed: Range<Int>
    package var choices: [FieldChoice]
    /// True after a mark such as `(` or `$`, where choices are shown before a letter is typed.
    package var isInvited: Bool
}

extension GraphQLSchema {
    /// Returns the completions of a query at a place; nil in a string, a comment or a number, and if nothing is known.
    /// - Parameter cursor: An offset in bytes.
    package func completion(of query: Bytes, at cursor: Int) -> GraphQLCompletion? {
        guard (0...min(query.count, Self.maximumQueryByteCount)).contains(cursor) else { return nil }
        let lexed = GraphQLLexer.tokens(in: query[0..<cursor])
        if lexed.endsInComment { return nil }
        var tokens = lexed.tokens
        var typed = cursor..<cursor
        if let last = tokens.last {
            if last.kind == .invalid || last.kind == .number && last.end == cursor { return nil }
            if last.kind == .name, last.end == cursor {
                typed = last.range
                tokens.removeLast()
            }
        }
        let mark = tokens.last.flatMap { $0.end == typed.lowerBound ? query[$0.start] : nil }
        var walk = GraphQLWalk(query, tokens, schema: self)
        walk.walk()
        guard let expectation = walk.expectation else { return nil }
        let choices = choices(for: expectation, in: query, walk)
        let isInvited = mark.map { "($.@".utf8.contains($0) } ?? false
        return choices.isEmpty ? nil : GraphQLCompletion(typed: typed, choices: choices, isInvited: isInvited)
    }

    /// More members of a type are not offered.
    private static let maximumChoices = 20_000

    private func choices(
        for expectation: GraphQLWalk.Expectation, in query: Bytes, _ walk: GraphQLWalk
    ) -> [FieldChoice] {
        switch expectation {
        case .definition:
            (Root.allCases.filter { root($0) != nil }.map(\.rawValue) + ["fragment"]).map { FieldChoice($0) }
        case .selection(let type): type.map(fieldChoices) ?? []
        case .fragment(let type): fragmentChoices(in: query) + [FieldChoice("on", note: type.map(name(ofType:)) ?? "")]
        case .typeCondition(let type): conditions(in: type)
        case .argument(let inputs, let given):
            inputs.prefix(Self.maximumChoices).filter { !given.contains(name($0.name)) }.map { choice($0) }
        case .directive(let place): directiveChoices(at: place)
        case .value(let type): type.map(valueChoices) ?? []
        case .variable(let type): walk.variableChoices(for: type)
        case .inputType:
            types.filter { !kind($0).isComposite }.map(typeChoice)
        }
    }

    private func fieldChoices(of type: Int) -> [FieldChoice] {
        let fields = fields(of: type).prefix(Self.maximumChoices).map { field in
            FieldChoice(name(field.name), note: note(text(of: field.type), field.remark))
        }
        return fields + [FieldChoice("__typename", note: "String!")]
    }

    private func choice(_ input: Input) -> FieldChoice {
        FieldChoice(name(input.name), note: note(text(of: input.type), input.remark))
    }

    /// The directives that may be at a place; all where it is not known.
    private func directiveChoices(at place: GraphQLDirectivePlace?) -> [FieldChoice] {
        storage.directives.prefix(Self.maximumChoices)
            .filter { directive in place.map { places(of: directive).contains($0.rawValue) } ?? true }
            .map { directive in
                let inputs = Self.parenthesized(arguments(of: directive).map { text(of: $0) })
                return FieldChoice(name(directive.name), note: note(inputs, directive.remark))
            }
    }

    private func valueChoices(of reference: Reference) -> [FieldChoice] {
        guard let type = type(reference.name) else { return [] }
        let word = text(of: reference)
        if kind(type) == .enumeration {
            return words(of: type).map { FieldChoice(name($0.name), note: note(word, $0.remark)) }
        }
        return name(ofType: type) == "Boolean" ? ["true", "false"].map { FieldChoice($0, note: word) } : []
    }

    private func typeChoice(_ type: Int) -> FieldChoice {
        FieldChoice(name(ofType: type), note: note(kind(type).rawValue, storage.parts[type].remark))
    }

    /// The types that a fragment in a type may be on: its members, the types that implement it, and its interfaces.
    private func conditions(in type: Int?) -> [FieldChoice] {
        guard let type else { return types.filter { kind($0).isComposite }.map(typeChoice) }
        let own = name(ofType: type)
        let names: [String] =
            switch kind(type) {
            case .union: self.names(ofWordsOf: type)
            case .interface:
                types.filter { kind($0) == .object && interfaces(of: $0).contains(own) }.map(name(ofType:))
            case .object, .scalar, .enumeration, .input: interfaces(of: type)
            }
        return (names + [own]).map { self.type(named: $0).map(typeChoice) ?? FieldChoice($0) }
    }

    /// The fragments of the whole query.
    private func fragmentChoices(in query: Bytes) -> [FieldChoice] {
        let tokens = GraphQLLexer.tokens(in: query).tokens
        return tokens.indices.dropLast(3).compactMap { index in
            guard query.has("fragment", at: tokens[index]), tokens[index + 1].kind == .name,
                query.has("on", at: tokens[index + 2]), tokens[index + 3].kind == .name
            else { return nil }
            return FieldChoice(query.text(of: tokens[index + 1]), note: query.text(of: tokens[index + 3]))
        }
    }
}

extension GraphQLWalk {
    /// The variables of the current operation, or of all before a fragment: those that fit a type come first.
    fileprivate func variableChoices(for type: GraphQLSchema.Reference?) -> [FieldChoice] {
        var known = current.variables
        if current.isFragment {
            known = operations.reduce(into: known) { $0.merge($1.variables) { first, _ in first } }
        }
        let fits = { (variable: GraphQLVariable) in type.flatMap { variable.sentType?.fits($0) } ?? true }
        let sorted = known.sorted { $0.key < $1.key }
        return (sorted.filter { fits($0.value) } + sorted.filter { !fits($0.value) }).map {
            FieldChoice($0.key, note: $0.value.text)
        }
    }
}
