/// One pass over a query with the types of a schema. It collects problems, and notes the possible continuations at the
/// end of the text.
///
/// It accepts unknown parts: nothing is checked below an unknown field, nor after a template in place of a mark.
struct GraphQLWalk {
    /// The kind of token that could continue the text at its end.
    enum Expectation {
        case definition
        case selection(Int?)
        case fragment(Int?)
        case typeCondition(Int?)
        case argument([GraphQLSchema.Input], given: Set<String>)
        case directive(GraphQLDirectivePlace?)
        case value(GraphQLSchema.Reference?)
        case variable(GraphQLSchema.Reference?)
        case inputType
    }

    struct Problem {
        var offset: Int
        var message: String
    }

    /// Ends the pass: the text is over, or it makes no sense from here on.
    struct Stop: Error {}

    let bytes: Bytes
    let schema: GraphQLSchema
    let tokens: [GraphQLToken]
    var next = 0
    private(set) var found: [Problem] = []
    /// Set where the tokens end.
    private(set) var expectation: Expectation?
    /// The definition that is being read.
    var current = GraphQLDefinition()
    var operations: [GraphQLDefinition] = []
    var fragments: [String: GraphQLDefinition] = [:]
    /// True if a template replaces definitions.
    var isPart = false
    /// The members that may still be looked through: a large schema and a long query cost little together.
    private var effort = 20_000_000

    static let maximumDepth = 128
    /// More are not looked for.
    private static let maximumProblems = 100
    /// Among more names, and for further problems, no near miss is looked for.
    private static let maximumNames = 2_000
    private static let maximumHints = 10

    /// - Parameter tokens: the first tokens of the text; all by default.
    init(_ bytes: Bytes, _ tokens: [GraphQLToken]? = nil, schema: GraphQLSchema) {
        self.bytes = bytes
        self.tokens = tokens ?? GraphQLLexer.tokens(in: bytes).tokens
        self.schema = schema
    }

    mutating func walk() {
        do throws(Stop) {
            while upcoming != nil { try readDefinition() }
            if expectation == nil { expectation = .definition }
        } catch {
            // Fragments and variables may be in the rest of the text.
            return
        }
        checkDefinitions()
    }

    // MARK: Selections

    mutating func readSelections(of type: Int?, depth: Int) throws(Stop) {
        try expect("{", nil)
        guard depth < Self.maximumDepth else { throw fail("nested deeper than \(Self.maximumDepth) levels") }
        var isEmpty = true
        var known: [String: Asked] = [:]
        while true {
            let token = try peek(.selection(type))
            if accept("}") {
                if isEmpty { note("no field is selected", at: token) }
                return
            }
            isEmpty = false
            switch token.kind {
            case .name:
                let start = next
                try readField(of: type, depth: depth)
                checkMerging(from: start, &known)
            case .spread: try readSpread(in: type, depth: depth)
            case .template: try readTemplate(in: type, depth: depth)
            case .number, .string, .punctuator, .invalid: throw fail("expected a field")
            }
        }
    }

    /// Reads a template that becomes fields, or the name of one.
    private mutating func readTemplate(in type: Int?, depth: Int) throws(Stop) {
        next += 1
        if accept(":") { return try readField(of: type, depth: depth) }
        if comes("(") { try readArguments(nil, of: nil) }
        try readDirectives(nil)
        if comes("{") { try readSelections(of: nil, depth: depth + 1) }
    }

    private mutating func readSpread(in type: Int?, depth: Int) throws(Stop) {
        next += 1
        let token = try peek(.fragment(type))
        var inner = type
        if accept("on") {
            inner = try readCondition(of: type)
        } else if token.kind == .name {
            next += 1
            current.spreads.append(token)
            return try readDirectives(.fragmentSpread)
        } else if token.kind == .template {
            return try readTemplate(in: nil, depth: depth)
        }
        try readDirectives(.inlineFragment)
        try readSelections(of: inner, depth: depth + 1)
    }

    private mutating func readField(of type: Int?, depth: Int) throws(Stop) {
        var token = try takeName(.selection(type), "a field")
        if accept(":") { token = try takeName(.selection(type), "a field") }
        let field = field(at: token, of: type)
        if comes("(") {
            try readArguments(field.map { schema.arguments(of: $0) }, of: field == nil ? nil : token)
        } else if let field, !isTemplateNext {
            checkRequired(schema.arguments(of: field), given: [], of: token, "argument")
        }
        try readDirectives(.field)
        let target = field.flatMap { schema.type($0.type.name) }
        let isSelected = comes("{")
        if let field, let target, upcoming != nil, !isTemplateNext {
            checkSelection(of: field, target, isSelected, at: token)
        }
        guard isSelected else { return }
        let inner = target.flatMap { schema.kind($0).isComposite ? $0 : nil }
        try readSelections(of: inner, depth: depth + 1)
    }

    /// Returns the field of a name; nil if it is unknown, or too expensive to look up.
    private mutating func field(at token: GraphQLToken, of type: Int?) -> GraphQLSchema.Field? {
        guard let type, spend(schema.weight(of: type)) else { return nil }
        let name = bytes.text(of: token)
        if let field = schema.field(name, of: type) { return spend(field.arguments.count) ? field : nil }
        if name.hasPrefix("__") { return nil }
        let hint = hint(
            for: name, among: schema.weight(of: type), schema.fields(of: type).map { schema.name($0.name) })
        noteUnknown("field", name, hint, of: schema.name(ofType: type), at: token)
        return nil
    }

    private mutating func checkSelection(
        of field: GraphQLSchema.Field, _ target: Int, _ isSelected: Bool, at token: GraphQLToken
    ) {
        let isComposite = schema.kind(target).isComposite
        guard isComposite != isSelected else { return }
        let (name, type) = (schema.name(field.name), schema.text(of: field.type))
        note(
            isComposite
                ? "select fields of `\(name)` in braces: it is of the type \(type)"
                : "`\(name)` is of the type \(type), which has no fields to select", at: token)
    }

    // MARK: Arguments and values

    /// - Parameters:
    ///   - inputs: nil if the arguments are unknown.
    ///   - owner: The field; nil to ignore unknown and missing arguments.
    mutating func readArguments(_ inputs: [GraphQLSchema.Input]?, of owner: GraphQLToken?) throws(Stop) {
        next += 1
        try readMembers(inputs ?? [], until: ")", of: owner, "argument", depth: 0)
    }

    /// Reads arguments, or the fields of an input value, to the closing bracket.
    private mutating func readMembers(
        _ inputs: [GraphQLSchema.Input], until closing: String, of owner: GraphQLToken?, _ word: String, depth: Int
    ) throws(Stop) {
        var given: Set<String> = []
        var isWhole = true
        while true {
            let token = try peek(.argument(inputs, given: given))
            if accept(closing) { break }
            if token.kind == .template {
                isWhole = false
                next += 1
                // It may be a name.
                if accept(":") { try readValue(nil, depth: depth) }
                continue
            }
            guard token.kind == .name else { throw fail("expected the name of an \(word) or `\(closing)`") }
            next += 1
            let name = bytes.text(of: token)
            let isLookedUp = spend(inputs.count)
            isWhole = isWhole && isLookedUp
            let number = schema.storage.names.number(of: name)
            let input = isLookedUp ? inputs.first { $0.name == number } : nil
            if let owner, input == nil, isLookedUp {
                let hint = hint(for: name, among: inputs.count, inputs.map { schema.name($0.name) })
                noteUnknown(word, name, hint, of: bytes.text(of: owner), at: token)
            }
            if !given.insert(name).inserted { note("the \(word) `\(name.excerpt(60))` is given twice", at: token) }
            try expect(":", nil)
            try readValue(input?.acceptedType, depth: depth)
        }
        if let owner, isWhole { checkRequired(inputs, given: given, of: owner, word) }
    }

    mutating func checkRequired(
        _ inputs: [GraphQLSchema.Input], given: Set<String>, of owner: GraphQLToken, _ word: String
    ) {
        for input in inputs where input.isRequired && !isFull {
            let name = schema.name(input.name)
            if given.contains(name) { continue }
            let place = word == "argument" ? " of `\(bytes.text(of: owner).excerpt(60))`" : ""
            note(
                "the \(word) `\(name)`\(place) is missing: it is of the type \(schema.text(of: input.type))", at: owner)
        }
    }

    /// - Parameter type: nil if it is unknown.
    mutating func readValue(_ type: GraphQLSchema.Reference?, depth: Int) throws(Stop) {
        let token = try peek(.value(type))
        guard depth < Self.maximumDepth else { throw fail("nested deeper than \(Self.maximumDepth) levels") }
        if accept("$") {
            let name = try takeName(.variable(type), "the name of a variable")
            return checkVariable(name, type)
        }
        checkLiteral(token, type)
        if accept("[") {
            while !accept("]") { try readValue(type?.element, depth: depth + 1) }
            return
        }
        if accept("{") {
            var input = type.flatMap { schema.type($0.name) }.flatMap { schema.kind($0) == .input ? $0 : nil }
            if let known = input, !spend(schema.weight(of: known)) { input = nil }
            return try readMembers(
                input.map { schema.inputs(of: $0) } ?? [], until: "}", of: input == nil ? nil : token, "input field",
                depth: depth + 1)
        }
        switch token.kind {
        case .name: checkWord(token, type)
        case .number, .string, .template: break
        case .punctuator, .spread, .invalid: throw fail("expected a value")
        }
        next += 1
    }

    private mutating func checkWord(_ token: GraphQLToken, _ type: GraphQLSchema.Reference?) {
        let word = bytes.text(of: token)
        guard word != "null", let type, let target = schema.type(type.name), schema.kind(target) == .enumeration,
            spend(schema.weight(of: target))
        else { return }
        let words = schema.names(ofWordsOf: target)
        if words.contains(word) { return }
        let hint = hint(for: word, among: words.count, words)
        noteUnknown("value", word, hint, of: schema.name(type.name), at: token)
    }

    // MARK: Problems

    /// Notes a type that the schema does not define or refer to. The types of introspection are in no schema.
    mutating func noteUnknownType(_ name: String, at token: GraphQLToken) {
        let size = schema.storage.fields.count + schema.storage.inputs.count + schema.storage.words.count
        guard !name.hasPrefix("__"), !isFull, spend(size), !schema.isReferred(name) else {
            return
        }
        let known = schema.storage.parts.count
        noteUnknown(
            "type", name, hint(for: name, among: known, schema.types.map(schema.name(ofType:))), at: token)
    }

    mutating func noteUnknown(
        _ word: String, _ name: String, _ hint: String, of owner: String? = nil, at token: GraphQLToken
    ) {
        let place = owner.map { $0 == "{" ? "" : " of \($0.excerpt(60))" } ?? ""
        note("unknown \(word) `\(name.excerpt(60))`\(place)\(hint)", at: token)
    }

    /// Returns the near miss of a name as a part of a message, or an empty text.
    func hint(for name: String, among count: Int, _ known: @autoclosure () -> [String]) -> String {
        guard found.count < Self.maximumHints, count <= Self.maximumNames else { return "" }
        return Spelling.hint(for: name, in: known())
    }

    /// Returns false once all effort is spent.
    mutating func spend(_ count: Int) -> Bool {
        guard effort > count else {
            effort = 0
            return false
        }
        effort -= count + 1
        return true
    }

    /// True once no further problem is noted.
    var isFull: Bool { found.count >= Self.maximumProblems }

    mutating func note(_ message: String, at token: GraphQLToken) {
        if isFull { return }
        found.append(Problem(offset: token.start, message: message.excerpt(400)))
    }

    mutating func fail(_ message: String, at token: GraphQLToken) -> Stop {
        note(message, at: token)
        return Stop()
    }

    /// Fails at the token that comes next.
    mutating func fail(_ wanted: String) -> Stop {
        guard let upcoming else { return end() }
        // It may become what is expected.
        if upcoming.kind == .template { return Stop() }
        return fail("\(wanted), found \(bytes.found(upcoming))", at: upcoming)
    }

    private mutating func end() -> Stop {
        note("the query is not complete", at: GraphQLToken(kind: .invalid, start: bytes.count, end: bytes.count))
        return Stop()
    }

    // MARK: Tokens

    var upcoming: GraphQLToken? { next < tokens.count ? tokens[next] : nil }

    /// Returns the token that comes next. Where there is none, what could come is noted.
    mutating func peek(_ expected: Expectation?) throws(Stop) -> GraphQLToken {
        if let upcoming { return upcoming }
        expectation = expected
        throw end()
    }

    var isTemplateNext: Bool { upcoming?.kind == .template }

    func comes(_ text: String) -> Bool { upcoming.map { bytes.has(text, at: $0) } ?? false }

    /// Reads a word or a punctuator if it comes next.
    mutating func accept(_ text: String) -> Bool {
        guard comes(text) else { return false }
        next += 1
        return true
    }

    mutating func expect(_ text: String, _ expected: Expectation?) throws(Stop) {
        _ = try peek(expected)
        guard accept(text) else { throw fail("expected `\(text)`") }
    }

    mutating func takeName(_ expected: Expectation?, _ wanted: String) throws(Stop) -> GraphQLToken {
        let token = try peek(expected)
        guard token.kind == .name else { throw fail("expected \(wanted)") }
        next += 1
        return token
    }
}

/// Fields of one name in the response, which a server merges only if they are the same.
extension GraphQLWalk {
    /// A field as it is asked for.
    struct Asked: Equatable {
        var name: String
        /// The texts of its arguments, sorted: their order makes no difference.
        var arguments: [String]
        /// True for one whose name or arguments a template may change.
        var isOpen = false
    }

    /// Notes a field that has the name of another one in the same braces, and is another field or has other arguments.
    /// - Parameter start: the number of its first token. All of its tokens are known.
    mutating func checkMerging(from start: Int, _ known: inout [String: Asked]) {
        let isAlias = start + 2 < next && bytes.has(":", at: tokens[start + 1])
        guard tokens[start].kind == .name, !isAlias || tokens[start + 2].kind == .name else { return }
        let response = bytes.text(of: tokens[start])
        let name = isAlias ? start + 2 : start
        let asked = asked(bytes.text(of: tokens[name]), from: name + 1)
        guard let other = known[response] else {
            known[response] = asked
            return
        }
        guard !other.isOpen, !asked.isOpen else { return }
        let subject = "`\(response.excerpt(60))`"
        if other.name != asked.name {
            let names = "`\(other.name.excerpt(60))` and `\(asked.name.excerpt(60))`"
            note("\(subject) is the name of two fields, \(names): give one another alias", at: tokens[start])
        } else if other.arguments != asked.arguments {
            note("\(subject) is selected twice with different arguments: give one an alias", at: tokens[start])
        }
    }

    private func asked(_ name: String, from start: Int) -> Asked {
        var asked = Asked(name: name, arguments: [], isOpen: isTemplateNext)
        guard start < next, bytes.has("(", at: tokens[start]) else { return asked }
        var depth = 0
        for token in tokens[start..<next] {
            if bytes.has("(", at: token) { depth += 1 }
            if bytes.has(")", at: token) { depth -= 1 }
            if depth == 0 { break }
            let text = bytes.text(of: token)
            // A string may have templates in it.
            if token.kind == .template || text.contains("{{") { asked.isOpen = true }
            asked.arguments.append(text)
        }
        asked.arguments.sort()
        return asked
    }
}
