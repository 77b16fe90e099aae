/// Finds the expectations and the captures in a script of tests, statement by statement. Each is taken whole or left.
struct PostmanScript {
    private(set) var expect = Expectation()
    private(set) var captures: [Capture] = []
    private(set) var statements = 0
    /// The number of statements that became expectations and captures.
    private(set) var known = 0
    /// The lines at which the others begin.
    private(set) var left: [Int] = []
    /// Names of parts of the response.
    private var names: [String: ScriptValue] = [:]
    /// The values of constants.
    private var literals: [String: JSONValue] = [:]

    /// Tests in tests.
    private static let maximumDepth = 8

    init(_ script: String) { read(ScriptToken.tokens(of: script)[...], depth: 0) }

    /// The note on the statements that are left; nil where there are none.
    var remainder: String? {
        guard !left.isEmpty else { return nil }
        return "\(known) of \(statements) statements became expectations and captures; left: line \(leftLines)"
    }

    /// `2, 5`
    var leftLines: String { left.map { "\($0)" }.joined(separator: ", ") }

    private mutating func read(_ tokens: ArraySlice<ScriptToken>, depth: Int) {
        for statement in ScriptToken.statements(tokens) {
            if depth < Self.maximumDepth, let inner = Self.test(statement) {
                read(inner, depth: depth + 1)
                continue
            }
            if takeGuarded(statement) { continue }
            statements += 1
            var cursor = ScriptCursor(statement, names, literals)
            if take(&cursor) {
                known += 1
                continue
            }
            for name in ScriptCursor.assigned(in: statement) { (names[name], literals[name]) = (nil, nil) }
            if let first = statement.first, left.last != first.line { left.append(first.line) }
        }
    }

    // MARK: Statements

    /// The statements of a `pm.test`, a `client.test` of JetBrains or a `test` of Bruno; nil for another statement.
    private static func test(_ statement: ArraySlice<ScriptToken>) -> ArraySlice<ScriptToken>? {
        var cursor = ScriptCursor(statement, [:])
        guard cursor.take(dotted: "pm.test") || cursor.take(dotted: "client.test") || cursor.take("test"),
            cursor.take("("), cursor.text() != nil, cursor.take(","),
            statement.last?.text == ")", cursor.skipFunctionHead()
        else { return nil }
        let rest = cursor.rest.dropLast()
        guard rest.first?.text == "{" else { return rest }
        return rest.last?.text == "}" && rest.count >= 2 ? rest.dropFirst().dropLast() : nil
    }

    /// `if (pm.response.code === 200) { … }` with captures alone: no response that failed is captured from.
    private mutating func takeGuarded(_ statement: ArraySlice<ScriptToken>) -> Bool {
        var cursor = ScriptCursor(statement, names, literals)
        guard let inner = cursor.successful() else { return false }
        var whole = self
        for statement in ScriptToken.statements(inner) {
            var cursor = ScriptCursor(statement, whole.names, whole.literals)
            guard whole.take(&cursor, expects: false) else { return false }
            whole.statements += 1
            whole.known += 1
        }
        self = whole
        return true
    }

    /// - Parameter expects: false for captures, and names of what they capture, alone.
    private mutating func take(_ cursor: inout ScriptCursor, expects: Bool = true) -> Bool {
        let start = cursor
        typealias Reader = (inout PostmanScript, inout ScriptCursor) -> Bool
        let capturing: [Reader] = [
            { $0.takeName(&$1) }, { $0.takeParts(&$1) }, { $0.takeConstant(&$1) }, { $0.takeCapture(&$1) },
            { $0.takeKept(&$1) }, { $1.take(dotted: "console.log") }, { $1.take(dotted: "client.log") },
        ]
        let expecting: [Reader] = [
            { $0.takeSchema(&$1) }, { $0.takeResponse(&$1) }, { $0.takeListed(&$1) }, { $0.takeExpect(&$1) },
            { $0.takeOldTest(&$1) }, { $0.takeAssert(&$1) }, { $0.takeKulala(&$1) },
        ]
        for reader in expects ? capturing + expecting : capturing {
            cursor = start
            if reader(&self, &cursor) { return true }
        }
        return false
    }

    /// `const user = pm.response.json().user || {}`
    private mutating func takeName(_ cursor: inout ScriptCursor) -> Bool {
        _ = cursor.take("const") || cursor.take("let") || cursor.take("var")
        guard let name = cursor.word(), cursor.take("="), let value = cursor.value() else { return false }
        if cursor.take("||") {
            guard let other = cursor.literal(), other == .object([]) || other == .array([]) else { return false }
        }
        guard cursor.isAtEnd else { return false }
        names[name] = value
        return true
    }

    /// `const { user, id: key } = pm.response.json()`
    private mutating func takeParts(_ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take("const") || cursor.take("let") || cursor.take("var"), cursor.take("{") else { return false }
        var members: [String: String] = [:]
        repeat {
            guard let member = cursor.word(), let name = cursor.take(":") ? cursor.word() : member else { return false }
            members[name] = member
        } while cursor.take(",") && cursor.rest.first?.text != "}"
        guard cursor.take("}"), cursor.take("="), case .body(let path)? = cursor.value(), cursor.isAtEnd else {
            return false
        }
        for (name, member) in members { names[name] = .body(path + ScriptValue.step(member)) }
        return true
    }

    /// `const schema = { type: "object" }`
    private mutating func takeConstant(_ cursor: inout ScriptCursor) -> Bool {
        let isFixed = cursor.take("const")
        guard isFixed || cursor.take("let") || cursor.take("var"), let name = cursor.word(), cursor.take("="),
            let value = cursor.literal(), cursor.isAtEnd
        else { return false }
        // Other variables may change, but hardly those with a schema.
        guard isFixed || value["type"] != nil || value["properties"] != nil else { return false }
        literals[name] = value
        return true
    }

    /// `pm.environment.set("id", user.id)`
    private mutating func takeCapture(_ cursor: inout ScriptCursor) -> Bool {
        let setters = [
            "pm.environment.set", "pm.collectionVariables.set", "pm.globals.set", "pm.variables.set",
            "postman.setEnvironmentVariable", "postman.setGlobalVariable", "client.global.set", "bru.setVar",
            "bru.setEnvVar", "bru.setGlobalEnvVar", "bru.setCollectionVar",
        ]
        guard setters.contains(where: { cursor.take(dotted: $0) }), cursor.take("("), let name = cursor.text(),
            cursor.take(","), let value = cursor.value(), let source = value.source
        else { return false }
        // `{ persist: true }`
        if cursor.take(","), !cursor.takeObject() { return false }
        guard cursor.take(")"), cursor.isAtEnd else { return false }
        return capture(name, source)
    }

    private mutating func capture(_ name: String, _ source: Capture.Source) -> Bool {
        guard (try? source.check()) != nil else { return false }
        captures.append(Capture(name, source, isSecret: ForeignText.namesSecret(name + source.text)))
        return true
    }

    /// `$global.token = response.parsedBody.token`
    private mutating func takeKept(_ cursor: inout ScriptCursor) -> Bool {
        guard let name = cursor.keptName(), let source = cursor.value()?.source else { return false }
        return cursor.isAtEnd && capture(name, source)
    }

    // MARK: Expectations

    /// `pm.response.to.have.status(200)`
    private mutating func takeResponse(_ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take(dotted: "pm.response.to"), cursor.take(".") else { return false }
        if cursor.take(dotted: "have.status"), let values = cursor.arguments(), cursor.isAtEnd {
            return values.count == 1 && add(.equal, values[0], of: .status)
        }
        if cursor.take(dotted: "have.header"), let values = cursor.arguments(), cursor.isAtEnd,
            case .string(let name)? = values.first, values.count <= 2, !name.isEmpty
        {
            return values.count == 2 ? add(.equal, values[1], of: .header(name)) : add(.exist, .null, of: .header(name))
        }
        if cursor.take(dotted: "have.body"), let values = cursor.arguments(), cursor.isAtEnd {
            guard values.count == 1, let text = values[0].stringValue, !text.isEmpty else { return false }
            expect.body.append(BodyExpectation(nil, [.equals(values[0])]))
            return true
        }
        if cursor.take(dotted: "have.jsonBody"), let values = cursor.arguments(), cursor.isAtEnd,
            case .string(let path)? = values.first, values.count <= 2
        {
            let value = ScriptValue.body("$." + path)
            return values.count == 2 ? add(.equal, values[1], of: value) : add(.exist, .null, of: value)
        }
        if cursor.take(dotted: "be.json"), cursor.isAtEnd {
            return add(.include, "json", of: .header("Content-Type"))
        }
        guard cursor.take("be"), cursor.take("."), let word = cursor.word(), cursor.isAtEnd,
            let hundreds = Self.classes[word]
        else { return false }
        return expect.narrow(to: [.hundreds(hundreds)])
    }

    private static let classes = ["ok": 2, "success": 2, "redirection": 3, "clientError": 4, "serverError": 5]

    /// `pm.expect([200, 201]).to.include(pm.response.code)`
    private mutating func takeListed(_ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take(dotted: "pm.expect") || cursor.take("expect"), cursor.take("("),
            let list = cursor.literal(), cursor.takeMessage(), cursor.take(")"), cursor.take("."),
            cursor.take(dotted: "to.include"), cursor.take("("), cursor.value() == .status, cursor.takeMessage(),
            cursor.take(")"), cursor.isAtEnd
        else { return false }
        return addStatus(.oneOf, list)
    }

    /// `pm.expect(user.name).to.eql("Ada")`
    private mutating func takeExpect(_ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take(dotted: "pm.expect") || cursor.take("expect"), cursor.take("("), let value = cursor.value()
        else { return false }
        // The words for a failure may be computed.
        if !cursor.takeMessage() { return false }
        guard cursor.take(")") else { return false }
        // All of a chain, or nothing.
        var (whole, subject, isNegated) = (self, value, false)
        repeat {
            guard whole.takeAssertion(of: &subject, &isNegated, &cursor) else { return false }
        } while !cursor.isAtEnd
        self = whole
        return true
    }

    /// `.to.eql("Ada")`, which others may follow
    /// - Parameters:
    ///   - value: the subject, which is the property behind one.
    ///   - isNegated: true from the word `not` on.
    private mutating func takeAssertion(
        of value: inout ScriptValue, _ isNegated: inout Bool, _ cursor: inout ScriptCursor
    ) -> Bool {
        var word = ""
        repeat {
            guard cursor.take("."), let next = cursor.word() else { return false }
            word = next
            if word == "not" { isNegated = true }
        } while word == "not" || Self.fillers.contains(word)
        if let literal = Self.constants[word] { return !isNegated && add(.equal, literal, of: value) }
        switch word {
        case "exist" where !isNegated: return add(.exist, .null, of: value)
        case "undefined", "exist":
            guard case .body(let path) = value else { return false }
            return addBody(path, .exists(isNegated == (word == "undefined")))
        case "empty":
            guard case .body(let path) = value else { return false }
            return addBody(path, .count(NumberComparison(isNegated ? .greater : .equal, 0)))
        case "match", "matches": return !isNegated && addPattern(of: value, &cursor)
        default: break
        }
        if !isNegated, (Self.synonyms[word] ?? Condition(rawValue: word)) == .include, cursor.take(".") {
            return takeKeys(of: value, &cursor)
        }
        guard let values = cursor.arguments(), let first = values.first else { return false }
        if isNegated {
            let isPart = (Self.synonyms[word] ?? Condition(rawValue: word)) == .include
            if isPart { return values.count == 1 && add(.exclude, first, of: value) }
            guard word == "property", values.count == 1, case .string(let name) = first, case .body(let path) = value
            else { return false }
            return cursor.isAtEnd && addBody(path + ScriptValue.step(name), .exists(false))
        }
        if word == "within" {
            guard values.count == 2, case .body = value else { return false }
            return add(.least, first, of: value) && add(.most, values[1], of: value)
        }
        guard let condition = Condition(rawValue: word) ?? Self.synonyms[word] else { return false }
        guard condition == .property else { return values.count == 1 && add(condition, first, of: value) }
        guard case .string(let name) = first, case .body(let path) = value, values.count <= 2 else { return false }
        value = .body(path + ScriptValue.step(name))
        return values.count == 2 ? add(.equal, values[1], of: value) : add(.exist, .null, of: value)
    }

    /// `keys("id", "name")`, behind words that allow others.
    private mutating func takeKeys(of value: ScriptValue, _ cursor: inout ScriptCursor) -> Bool {
        guard case .body(let path) = value, cursor.take("keys") || cursor.take(dotted: "all.keys"),
            let values = cursor.arguments(), !values.isEmpty
        else { return false }
        for key in values {
            guard let name = key.stringValue, addBody(path + ScriptValue.step(name), .exists(true)) else {
                return false
            }
        }
        return true
    }

    private mutating func addPattern(of value: ScriptValue, _ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take("("), let pattern = cursor.pattern(), cursor.take(")"),
            (try? ValueCondition.checkPattern(pattern)) != nil
        else { return false }
        switch value {
        case .body(let path): return addBody(path, .matches(pattern))
        case .text: expect.body.append(BodyExpectation(nil, [.matches(pattern)]))
        case .header(let name): expect.headers.append(HeaderExpectation(name, [.matches(pattern)]))
        case .count, .status, .time, .cookie: return false
        }
        return true
    }

    // MARK: Schemas

    /// `pm.response.to.have.jsonSchema(schema)`, the same of `res.getBody()`, and with tv4
    /// `pm.expect(tv4.validate(user, schema)).to.be.true`
    private mutating func takeSchema(_ cursor: inout ScriptCursor) -> Bool {
        if cursor.take(dotted: "pm.response.to.have.jsonSchema") {
            guard let values = cursor.arguments(), cursor.isAtEnd, (1...2).contains(values.count) else { return false }
            return add(schema: values[0])
        }
        let isOld = cursor.take("tests")
        if isOld {
            guard cursor.take("["), cursor.text() != nil, cursor.take("]"), cursor.take("=") else { return false }
        } else {
            guard cursor.take(dotted: "pm.expect") || cursor.take("expect"), cursor.take("(") else { return false }
            var own = cursor
            if case .body("$")? = own.value(), own.take(")"), own.take("."), own.take(dotted: "to.have.jsonSchema"),
                let values = own.arguments(), own.isAtEnd, values.count == 1
            {
                return add(schema: values[0])
            }
        }
        guard cursor.take(dotted: "tv4.validate"), cursor.take("("), case .body("$")? = cursor.value(),
            cursor.take(","), let schema = cursor.literal(), cursor.take(")")
        else { return false }
        let isTrue = isOld || cursor.take(")") && cursor.take(".") && cursor.take(dotted: "to.be.true")
        return isTrue && cursor.isAtEnd && add(schema: schema)
    }

    /// Adds the schema of the whole body, unless a word of it means something else in the draft that Ombi reads.
    private mutating func add(schema: JSONValue) -> Bool {
        guard expect.schema == nil, case .object(let members) = schema, schema.isCurrentSchema else { return false }
        let plain = JSONValue.object(members.filter { $0.key != "$schema" })
        guard (try? JSONSchema(plain)) != nil else { return false }
        expect.schema = .inline(plain)
        return true
    }

    private static let fillers: Set<String> = [
        "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "deep",
    ]
    private static let constants: [String: JSONValue] = ["true": .bool(true), "false": .bool(false), "null": .null]
    private static let synonyms: [String: Condition] = [
        "eql": .equal, "eq": .equal, "equals": .equal, "an": .type, "lessThan": .below, "greaterThan": .above,
        "contain": .include, "contains": .include, "includes": .include, "length": .lengthOf, "gt": .above,
        "lt": .below, "gte": .least, "lte": .most,
    ]

    /// `tests["ok"] = responseCode.code === 200`
    private mutating func takeOldTest(_ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take("tests"), cursor.take("["), cursor.skipArgument(), cursor.take("]"), cursor.take("=") else {
            return false
        }
        var condition = cursor
        if let statuses = condition.statuses(), condition.isAtEnd { return addStatus(.oneOf, .array(statuses)) }
        if cursor.take(dotted: "responseBody.has"), let values = cursor.arguments(), cursor.isAtEnd {
            return values.count == 1 && add(.include, values[0], of: .text)
        }
        if let member = cursor.ownMember() { return cursor.isAtEnd && add(.exist, .null, of: member) }
        guard let value = cursor.value(), let sign = cursor.sign(), let literal = cursor.literal(), cursor.isAtEnd
        else {
            return false
        }
        return add(sign, literal, of: value)
    }

    /// `client.assert(response.status === 200, "it is there")`
    private mutating func takeAssert(_ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take(dotted: "client.assert") || cursor.take("assert"), cursor.take("(") else { return false }
        if let member = cursor.ownMember() {
            return cursor.takeMessage() && cursor.take(")") && cursor.isAtEnd && add(.exist, .null, of: member)
        }
        guard let value = cursor.value(), let sign = cursor.sign(), let literal = cursor.literal(),
            cursor.takeMessage(), cursor.take(")"), cursor.isAtEnd
        else { return false }
        return add(sign, literal, of: value)
    }

    /// `assert.responseHas("status", 200)`, as kulala has it, and `test.status(200)` of httpyac
    private mutating func takeKulala(_ cursor: inout ScriptCursor) -> Bool {
        guard cursor.take("assert") || cursor.take("test"), cursor.take("."), let word = cursor.word(),
            let values = cursor.arguments(), cursor.isAtEnd, let first = values.first, values.count <= 3
        else { return false }
        let name = first.stringValue ?? ""
        switch (word, values.count) {
        case ("status", 1): return add(.equal, first, of: .status)
        case ("totalTime", 1): return add(.below, first, of: .time)
        case ("responseHas", 2...): return name == "status" && add(.equal, values[1], of: .status)
        case ("headersHas", 2...), ("header", 2): return !name.isEmpty && add(.equal, values[1], of: .header(name))
        case ("headerContains", 2): return !name.isEmpty && add(.include, values[1], of: .header(name))
        case ("jsonHas", 2...): return !name.isEmpty && add(.equal, values[1], of: .body("$." + name))
        default: return false
        }
    }

    private mutating func add(_ sign: String, _ literal: JSONValue, of value: ScriptValue) -> Bool {
        guard let condition = Self.comparisons[sign], sign != "!==" || literal != .null else { return false }
        return add(condition, literal, of: value)
    }

    private static let comparisons: [String: Condition] = [
        "==": .equal, "===": .equal, "!=": .differ, "!==": .differ, "<": .below, ">": .above, "<=": .most, ">=": .least,
    ]

    /// The condition of an assertion, by the word that it ends with.
    private enum Condition: String {
        case differ = "!=", exclude = "not include"
        case equal, oneOf, include, above, below, least, most, lengthOf, property, exist
        case type = "a"
    }

    private mutating func add(_ condition: Condition, _ literal: JSONValue, of value: ScriptValue) -> Bool {
        switch value {
        case .status: return addStatus(condition, literal)
        case .time:
            guard condition == .below, let limit = literal.integerValue, (1...86_400_000).contains(limit) else {
                return false
            }
            let time = Duration.milliseconds(limit)
            expect.within = min(time, expect.within ?? time)
            return true
        case .header(let name):
            guard let met = Self.condition(condition, literal), HeaderExpectation.conditionKeys.contains(met.key),
                condition == .exist || literal.stringValue != nil, literal.stringValue != ""
            else { return false }
            expect.headers.append(HeaderExpectation(name, [met]))
            return true
        case .text:
            guard [.include, .exclude].contains(condition), let met = Self.condition(condition, literal)
            else { return false }
            expect.body.append(BodyExpectation(nil, [met]))
            return true
        case .body(let path):
            guard let met = Self.condition(condition, literal) else { return false }
            return addBody(path, met)
        case .count(let path):
            guard let count = literal.integerValue, count >= 0, let sign = Self.signs[condition] else { return false }
            if sign == .less, count == 0 { return false }
            return addBody(path, .count(NumberComparison(sign, count)))
        case .cookie: return false
        }
    }

    private static let signs: [Condition: NumberComparison.Operator] = [
        .equal: .equal, .differ: .different, .above: .greater, .below: .less, .least: .atLeast, .most: .atMost,
    ]

    private mutating func addBody(_ path: String, _ condition: ValueCondition) -> Bool {
        guard (try? JSONPath(path)) != nil else { return false }
        if let index = expect.body.firstIndex(where: { $0.path == path }) {
            if expect.body[index].conditions.contains(condition) { return true }
            guard !expect.body[index].conditions.contains(where: { $0.key == condition.key }) else { return false }
            expect.body[index].add(condition)
        } else {
            expect.body.append(BodyExpectation(path, [condition]))
        }
        return true
    }

    private mutating func addStatus(_ condition: Condition, _ literal: JSONValue) -> Bool {
        let values: [JSONValue]
        switch (condition, literal) {
        case (.equal, .number): values = [literal]
        case (.oneOf, .array(let elements)): values = elements
        default: return false
        }
        let patterns = values.compactMap { value in value.integerValue.flatMap { StatusPattern("\($0)") } }
        guard !patterns.isEmpty, patterns.count == values.count else { return false }
        return expect.narrow(to: patterns)
    }

    private static func condition(_ condition: Condition, _ literal: JSONValue) -> ValueCondition? {
        switch (condition, literal) {
        case (.equal, _): .equals(literal)
        case (.differ, .null): .type(ValueType.notNull)
        case (.include, .string(let text)) where !text.isEmpty: .contains(literal)
        case (.exclude, .string(let text)) where !text.isEmpty: .not(.contains(literal))
        case (.exist, _): .exists(true)
        case (.above, .number): .greater(literal)
        case (.below, .number): .less(literal)
        case (.least, .number): .atLeast(literal)
        case (.most, .number): .atMost(literal)
        case (.lengthOf, .number): literal.integerValue.flatMap { $0 < 0 ? nil : .count(NumberComparison(.equal, $0)) }
        case (.type, .string(let name)): ValueType(rawValue: name).map { .type([$0]) }
        default: nil
        }
    }
}
