extension GraphQLSchema {
    init(
        definitions bytes: Bytes, maximumMembers: Int = GraphQLSchemaBuilder.maximumMembers
    ) throws(GraphQLSchemaError) {
        var reader = GraphQLDefinitionReader(bytes)
        reader.maximumMembers = maximumMembers
        try reader.read()
        self = try reader.builder.finish()
    }
}

/// Reads definitions of types and their extensions. It does not recurse: what nests is skipped with a count.
private struct GraphQLDefinitionReader {
    let bytes: Bytes
    var builder = GraphQLSchemaBuilder()
    var maximumMembers = GraphQLSchemaBuilder.maximumMembers
    private var lexer: GraphQLLexer
    /// The token that comes next; nil at the end.
    private var upcoming: GraphQLToken?

    init(_ bytes: Bytes) {
        self.bytes = bytes
        lexer = GraphQLLexer(bytes)
        upcoming = lexer.token()
    }

    mutating func read() throws(GraphQLSchemaError) {
        while upcoming != nil { try readDefinition() }
    }

    private mutating func readDefinition() throws(GraphQLSchemaError) {
        let description = readDescription()
        let isExtension = accept("extend")
        let keyword = try takeName("a definition")
        switch bytes.text(of: keyword) {
        case "schema":
            try readRoots()
            if !isExtension { builder.hasRoots = true }
        case "directive": try readDirectiveDefinition(description)
        case let word:
            guard let kind = GraphQLSchema.Kind(rawValue: word) else {
                throw error(
                    "expected a definition such as `type` or `enum`, found \(bytes.found(keyword))", at: keyword.start)
            }
            try readType(kind, description)
        }
    }

    // MARK: Definitions

    private mutating func readRoots() throws(GraphQLSchemaError) {
        try readDirectives()
        guard accept("{") else { return }
        while !accept("}") {
            _ = readDescription()
            let word = try takeName("`query`, `mutation` or `subscription`")
            try expect(":")
            let type = builder.intern(try takeName("the name of a type"), in: bytes)
            guard let root = GraphQLSchema.Root.allCases.first(where: { bytes.has($0.rawValue, at: word) }) else {
                throw error(
                    "expected `query`, `mutation` or `subscription`, found \(bytes.found(word))", at: word.start)
            }
            builder.roots[root] = type
            try readDirectives()
        }
    }

    /// Reads `@name(…) repeatable on PLACE | PLACE`.
    private mutating func readDirectiveDefinition(_ description: String?) throws(GraphQLSchemaError) {
        try expect("@")
        let name = builder.intern(try takeName("the name of a directive"), in: bytes)
        let start = try readInputs("(", ")").lowerBound
        let arguments = builder.shareArguments(from: start)
        let isRepeatable = accept("repeatable")
        guard accept("on") else { throw unexpected("`on`") }
        let places = builder.wordCount
        _ = accept("|")
        repeat { try readWord("the place of a directive") } while accept("|")
        builder.directives.append(
            GraphQLSchema.Directive(
                name: name, arguments: arguments, places: places..<builder.wordCount, isRepeatable: isRepeatable,
                remark: builder.remark(description)))
    }

    private mutating func readType(_ kind: GraphQLSchema.Kind, _ description: String?) throws(GraphQLSchemaError) {
        let token = try takeName("the name of a type")
        let name = builder.intern(token, in: bytes)
        let interfaces = try readInterfaces(of: kind)
        try readDirectives()
        let start = builder.count(of: kind)
        switch kind {
        case .object, .interface: try readFields()
        case .input: _ = try readInputs("{", "}")
        case .enumeration: try readValues()
        case .union: try readMembers()
        case .scalar: break
        }
        let part = GraphQLSchema.Part(
            name: name, kind: kind, members: start..<builder.count(of: kind), interfaces: interfaces,
            remark: builder.remark(description))
        guard builder.add(part) else {
            throw error("more than \(GraphQLSchemaBuilder.maximumTypes) types", at: token.start)
        }
    }

    private mutating func readInterfaces(of kind: GraphQLSchema.Kind) throws(GraphQLSchemaError) -> Range<UInt32> {
        let start = builder.wordCount
        if kind == .object || kind == .interface, accept("implements") {
            _ = accept("&")
            // Old definitions have no `&` between them.
            repeat {
                try readWord("the name of an interface")
            } while accept("&") || upcoming?.kind == .name && !startsDefinition
        }
        return start..<builder.wordCount
    }

    /// True if a definition without members may be over: its next word begins another one.
    private var startsDefinition: Bool {
        guard let upcoming else { return true }
        return ["schema", "directive", "scalar", "type", "interface", "union", "enum", "input", "extend"].contains {
            bytes.has($0, at: upcoming)
        }
    }

    private mutating func readFields() throws(GraphQLSchemaError) {
        guard accept("{") else { return }
        while !accept("}") {
            let description = readDescription()
            let name = builder.intern(try takeName("the name of a field"), in: bytes)
            let start = try readInputs("(", ")").lowerBound
            let arguments = builder.shareArguments(from: start)
            try expect(":")
            let type = try readReference()
            let remark = builder.remark(description, deprecation: try readDirectives())
            builder.fields.append(GraphQLSchema.Field(name: name, type: type, arguments: arguments, remark: remark))
        }
    }

    /// Reads arguments in parentheses, or the fields of an input type in braces; none where neither comes.
    private mutating func readInputs(
        _ opening: String, _ closing: String
    ) throws(GraphQLSchemaError) -> Range<UInt32> {
        let start = builder.inputCount
        guard accept(opening) else { return start..<start }
        while !accept(closing) {
            let description = readDescription()
            let name = builder.intern(try takeName("the name of an argument"), in: bytes)
            try expect(":")
            let type = try readReference()
            var value: UInt32?
            if accept("=") {
                let range = try skipValue()
                value = builder.intern(bytes.text(range))
            }
            let remark = builder.remark(description, deprecation: try readDirectives())
            builder.inputs.append(GraphQLSchema.Input(name: name, type: type, defaultValue: value, remark: remark))
        }
        return start..<builder.inputCount
    }

    private mutating func readValues() throws(GraphQLSchemaError) {
        guard accept("{") else { return }
        while !accept("}") {
            let description = readDescription()
            let name = builder.intern(try takeName("the value of an enum"), in: bytes)
            let remark = builder.remark(description, deprecation: try readDirectives())
            builder.words.append(GraphQLSchema.Word(name: name, remark: remark))
        }
    }

    private mutating func readMembers() throws(GraphQLSchemaError) {
        guard accept("=") else { return }
        _ = accept("|")
        repeat { try readWord("the name of a type") } while accept("|")
    }

    private mutating func readWord(_ wanted: String) throws(GraphQLSchemaError) {
        builder.words.append(GraphQLSchema.Word(name: builder.intern(try takeName(wanted), in: bytes)))
    }

    private mutating func readReference() throws(GraphQLSchemaError) -> GraphQLSchema.Reference {
        var lists = 0
        while accept("[") {
            lists += 1
            guard lists * 2 < GraphQLSchema.Reference.maximumWrappers else {
                throw unexpected("a type in fewer lists")
            }
        }
        let name = builder.intern(try takeName("the name of a type"), in: bytes)
        // The inner ones come first.
        var wrappers: UInt32 = accept("!") ? GraphQLSchema.Reference.nonNull : 0
        for _ in 0..<lists {
            try expect("]")
            wrappers = wrappers << 2 | GraphQLSchema.Reference.list
            if accept("!") { wrappers = wrappers << 2 | GraphQLSchema.Reference.nonNull }
        }
        return GraphQLSchema.Reference(name: name, wrappers: wrappers)
    }

    // MARK: Remarks

    /// Reads the text before a definition; nil if there is none.
    private mutating func readDescription() -> String? {
        guard let token = upcoming, token.kind == .string else { return nil }
        advance()
        return bytes.string(of: token)
    }

    /// Reads past directives.
    /// - Returns: the reason in `@deprecated`, which may be empty; nil without one.
    @discardableResult
    private mutating func readDirectives() throws(GraphQLSchemaError) -> String? {
        var reason: String?
        while accept("@") {
            let name = try takeName("the name of a directive")
            let isDeprecated = bytes.has("deprecated", at: name)
            if isDeprecated { reason = reason ?? "" }
            guard comes("(") else { continue }
            let range = try skipValue()
            if isDeprecated { reason = self.reason(in: bytes[range]) ?? reason }
        }
        return reason
    }

    /// Returns the text of `(reason: "…")`.
    private func reason(in arguments: Bytes) -> String? {
        let tokens = GraphQLLexer.tokens(in: arguments).tokens
        guard let index = tokens.firstIndex(where: { arguments.has("reason", at: $0) }), index + 2 < tokens.count,
            tokens[index + 2].kind == .string
        else { return nil }
        return arguments.string(of: tokens[index + 2])
    }

    /// Reads past a value, or past brackets with all that is in them.
    /// - Returns: its range.
    @discardableResult
    private mutating func skipValue() throws(GraphQLSchemaError) -> Range<Int> {
        let start = upcoming?.start ?? 0
        var (brackets, end) = (GraphQLBrackets(), start)
        repeat {
            guard let token = upcoming, brackets.take(token, in: bytes) else { throw unexpected("a value") }
            end = token.end
            advance()
        } while brackets.depth > 0
        return start..<end
    }

    // MARK: Tokens

    private mutating func advance() { upcoming = lexer.token() }

    private func comes(_ text: String) -> Bool { upcoming.map { bytes.has(text, at: $0) } ?? false }

    /// Reads a word or a punctuator if it comes next.
    private mutating func accept(_ text: String) -> Bool {
        guard comes(text) else { return false }
        advance()
        return true
    }

    private mutating func expect(_ text: String) throws(GraphQLSchemaError) {
        guard accept(text) else { throw unexpected("`\(text)`") }
    }

    private mutating func takeName(_ wanted: String) throws(GraphQLSchemaError) -> GraphQLToken {
        guard let token = upcoming, token.kind == .name else { throw unexpected(wanted) }
        guard builder.memberCount <= maximumMembers else {
            throw error("more than \(maximumMembers) fields, arguments and values", at: token.start)
        }
        advance()
        return token
    }

    private func unexpected(_ wanted: String) -> GraphQLSchemaError {
        guard let upcoming else { return error("expected \(wanted), found the end", at: bytes.count) }
        return error("expected \(wanted), found \(bytes.found(upcoming))", at: upcoming.start)
    }

    private func error(_ reason: String, at offset: Int) -> GraphQLSchemaError {
        var locator = TextLocator(bytes)
        return GraphQLSchemaError(reason, at: locator.position(of: offset))
    }
}

extension Bytes {
    fileprivate func string(of token: GraphQLToken) -> String {
        let isBlock = starts(with: Array("\"\"\"".utf8), at: token.start)
        let quotes = isBlock ? 3 : 1
        let inner = text(token.start + quotes..<token.end - quotes)
        guard !isBlock, inner.utf8.contains(0x5C) else { return inner }
        // It has the same escapes as JSON.
        return (try? JSONValue.parse(text(of: token)))?.stringValue ?? inner
    }
}

extension GraphQLSchemaBuilder {
    fileprivate mutating func intern(_ token: GraphQLToken, in bytes: Bytes) -> UInt32 {
        bytes.withUnsafeBytes(token.range) { intern($0.bindMemory(to: UInt8.self)) }
    }
}

/// Matches the brackets of a value.
struct GraphQLBrackets {
    /// The brackets that close the open ones, the innermost last.
    private var closings: [UInt8] = []

    var depth: Int { closings.count }

    /// Reads the next token of a value.
    /// - Returns: False for one that does not begin or continue a value.
    mutating func take(_ token: GraphQLToken, in bytes: Bytes) -> Bool {
        guard token.kind == .punctuator else { return token.kind != .invalid }
        switch bytes[token.start] {
        case UInt8(ascii: "("): closings.append(UInt8(ascii: ")"))
        case UInt8(ascii: "["): closings.append(UInt8(ascii: "]"))
        case UInt8(ascii: "{"): closings.append(UInt8(ascii: "}"))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            return closings.popLast() == bytes[token.start]
        default: return depth > 0
        }
        return true
    }

    /// Returns true for a text that is one value, as definitions may have it.
    static func isValue(_ text: String) -> Bool {
        let bytes = Bytes(text.utf8)
        let (tokens, endsInComment) = GraphQLLexer.tokens(in: bytes)
        // A comment would hide what follows.
        guard let first = tokens.first, !bytes.has("(", at: first), !endsInComment else { return false }
        var brackets = GraphQLBrackets()
        for (index, token) in tokens.enumerated() {
            guard index == 0 || brackets.depth > 0, brackets.take(token, in: bytes) else { return false }
        }
        return brackets.depth == 0
    }
}
