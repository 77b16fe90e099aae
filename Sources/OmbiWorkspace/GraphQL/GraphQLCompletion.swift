import OmbiDocument

/// The texts that could complete a query at a place.
public struct GraphQLCompletion: Sendable, Equatable {
    /// The bytes of the name that is being typed.
    public var typed: Range<Int>
    public var choices: [FieldChoice]
    /// True behind a mark such as `(` or `$`, where a choice is welcome before a letter is typed.
    public var isInvited: Bool
}

extension GraphQLSchema {
    /// Returns what completes a query at a place; nil in a string, a comment or a number, and where nothing is known.
    /// - Parameter cursor: an offset in bytes.
    public func completion(of query: Bytes, at cursor: Int) -> GraphQLCompletion? {
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
        let isInvited = mark.map { "($.".utf8.contains($0) } ?? false
        return choices.isEmpty ? nil : GraphQLCompletion(typed: typed, choices: choices, isInvited: isInvited)
    }

    /// More members of a type are not offered.
    private static let maximumChoices = 20_000

    private func choices(
        for expectation: GraphQLWalk.Expectation, in query: Bytes, _ walk: GraphQLWalk
    ) -> [FieldChoice] {
        switch expectation {
        case .definition: (Root.allCases.filter { root($0) != nil }.map(\.word) + ["fragment"]).map { FieldChoice($0) }
        case .selection(let type): type.map(fieldChoices) ?? []
        case .fragment(let type): fragmentChoices(in: query) + [FieldChoice("on", note: type.map(name(ofType:)) ?? "")]
        case .typeCondition(let type): conditions(in: type)
        case .argument(let inputs, let given):
            inputs.prefix(Self.maximumChoices).filter { !given.contains(name($0.name)) }.map { choice($0) }
        case .value(let type): type.map(valueChoices) ?? []
        case .variable: walk.variables.sorted { $0.key < $1.key }.map { FieldChoice($0.key, note: $0.value) }
        case .inputType:
            types.filter { !kind($0).isComposite }.map { FieldChoice(name(ofType: $0), note: word(for: kind($0))) }
        }
    }

    private func fieldChoices(of type: Int) -> [FieldChoice] {
        let fields = fields(of: type).prefix(Self.maximumChoices).map { field in
            FieldChoice(name(field.name), note: text(of: field.type) + (field.isDeprecated ? ", deprecated" : ""))
        }
        return fields + [FieldChoice("__typename", note: "String!")]
    }

    private func choice(_ input: Input) -> FieldChoice { FieldChoice(name(input.name), note: text(of: input.type)) }

    private func valueChoices(of reference: Reference) -> [FieldChoice] {
        guard let type = type(reference.name) else { return [] }
        let note = text(of: reference)
        if kind(type) == .enumeration { return words(of: type).map { FieldChoice($0, note: note) } }
        return name(ofType: type) == "Boolean" ? ["true", "false"].map { FieldChoice($0, note: note) } : []
    }

    /// The types that a fragment in a type may be on: its members, those that implement it, and what it implements.
    private func conditions(in type: Int?) -> [FieldChoice] {
        guard let type else {
            return types.filter { kind($0).isComposite }.map {
                FieldChoice(name(ofType: $0), note: word(for: kind($0)))
            }
        }
        let own = name(ofType: type)
        let names: [String] =
            switch kind(type) {
            case .union: words(of: type)
            case .interface:
                types.filter { kind($0) == .object && interfaces(of: $0).contains(own) }.map(name(ofType:))
            case .object, .scalar, .enumeration, .input: interfaces(of: type)
            }
        return (names + [own]).map { FieldChoice($0, note: self.type(named: $0).map { word(for: kind($0)) } ?? "") }
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

    /// The word of a kind in definitions.
    func word(for kind: Kind) -> String {
        switch kind {
        case .scalar: "scalar"
        case .object: "type"
        case .interface: "interface"
        case .union: "union"
        case .enumeration: "enum"
        case .input: "input"
        }
    }
}
