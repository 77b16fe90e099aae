/// The assertions on a response.
extension HurlReader {
    static let statuses = (1...5).map { StatusPattern.hundreds($0) }

    mutating func assert(_ line: TextLine, of request: inout SavedRequest) {
        let block = takeFenced(behind: line, isInside: true)
        let mark = block.isEmpty ? nil : line.text.firstRange(of: "```")?.lowerBound
        var words = Self.plainQuery(Self.words(String(line.text[..<(mark ?? line.text.endIndex)])))
        if words.first?.text == "variable", words.count > 2 {
            words = query(ofVariable: words[1].text, in: request).map { $0 + words[2...] } ?? words
        }
        if mark != nil { words.append(Word(text: Self.fencedText(block[...]), isQuoted: true)) }
        var expect = request.expect ?? Expectation()
        if Self.add(words, to: &expect) {
            request.expect = expect
        } else {
            log.loss(line.offset, line.text.excerpt(40), "this assertion has no counterpart")
        }
    }

    /// The query of the value that the entry captures under a name; nil for any other variable.
    private func query(ofVariable name: String, in request: SavedRequest) -> [Word]? {
        switch request.captures.first(where: { $0.name == name })?.source {
        case .path(let path)?: [Word(text: "jsonpath", isQuoted: false), Word(text: path, isQuoted: true)]
        case .header(let name)?: [Word(text: "header", isQuoted: false), Word(text: name, isQuoted: true)]
        case .status?, .cookie?, .regex?, nil: nil
        }
    }

    /// The expectation of a whole body; nil for one that is filled in, or in another form than JSON and text.
    static func expectation(ofBody text: String) -> BodyExpectation? {
        var lines = text.split(separator: "\n")
        while let last = lines.last, last.trimmed.isEmpty || last.hasPrefix("#") { lines.removeLast() }
        let body = lines.joined(separator: "\n").trimmed
        guard !body.contains("{{") else { return nil }
        if body.hasPrefix("{") || body.hasPrefix("[") {
            return (try? JSONValue.parse(body)).map { BodyExpectation("$", [.equals($0)]) }
        }
        guard body.hasPrefix("`"), !body.hasPrefix("```") else { return nil }
        let content = HurlLine.quoted(body.dropFirst())
        return content.isEmpty ? nil : BodyExpectation(nil, [.equals(.string(content))])
    }

    /// Returns false for an assertion that is not known, or that no template can fill.
    private static func add(_ words: [Word], to expect: inout Expectation) -> Bool {
        guard let query = words.first?.text, !words.contains(where: { $0.text.contains("{{") }) else { return false }
        let rest = words.dropFirst()
        switch query {
        case "status": return addStatus(rest, to: &expect)
        case "duration":
            guard let limit = comparison(rest), [.less, .atMost].contains(limit.comparison),
                (1...86_400_000).contains(limit.number), expect.within == nil
            else { return false }
            expect.within = .milliseconds(limit.number)
        case "bytes":
            guard rest.first?.text == "count", expect.size == nil, let size = comparison(rest.dropFirst()) else {
                return false
            }
            expect.size = size
        case "certificate":
            guard rest.prefix(2).map(\.text) == ["Expire-Date", "daysAfterNow"], expect.certificateDays == nil,
                let days = comparison(rest.dropFirst(2)), [.greater, .atLeast].contains(days.comparison),
                days.number < 3650
            else { return false }
            expect.certificateDays = days.comparison == .greater ? days.number + 1 : days.number
        case "header":
            guard let name = rest.first?.text, let met = condition(rest.dropFirst()) else { return false }
            return add(met, header: name, to: &expect)
        case "body":
            guard let met = condition(rest), isOfText(met), met.key != "exists" else { return false }
            expect.body.append(BodyExpectation(nil, [met]))
        case "regex":
            guard let pattern = rest.first?.text, (try? ValueCondition.checkPattern(pattern)) != nil,
                case .exists(let isThere)? = condition(rest.dropFirst())
            else { return false }
            expect.body.append(BodyExpectation(nil, [isThere ? .matches(pattern) : .not(.matches(pattern))]))
        case "cookie":
            guard let name = rest.first?.text, let met = condition(rest.dropFirst()),
                let pattern = pattern(ofCookie: name, met)
            else { return false }
            return add(.matches(pattern), header: "Set-Cookie", to: &expect)
        case "jsonpath":
            guard let found = path(rest), let met = condition(found.rest) else { return false }
            return add(met, at: Self.path(found.path, of: met), to: &expect)
        default: return false
        }
        return true
    }

    /// `== 200`, or a bound such as `< 300`, which narrows the statuses.
    private static func addStatus(_ words: ArraySlice<Word>, to expect: inout Expectation) -> Bool {
        guard words.count == 2, let word = words.first?.text, let code = words.last.flatMap({ Int($0.text) }) else {
            return false
        }
        if word == "==" {
            guard expect.status.isEmpty, (100...599).contains(code) else { return false }
            expect.status = [.code(code)]
            return true
        }
        let known = expect.status.isEmpty ? statuses : expect.status
        guard let sign = signs[word] else { return false }
        let bound = NumberComparison(sign, code)
        let met = known.filter { bound.holds($0.codes.lowerBound) && bound.holds($0.codes.upperBound) }
        // All of a class, or none of it.
        let isWhole = known.allSatisfy { bound.holds($0.codes.lowerBound) == bound.holds($0.codes.upperBound) }
        guard isWhole, !met.isEmpty, sign != .different else { return false }
        expect.status = met
        return true
    }

    // MARK: Conditions

    /// The pattern of the header that sets a cookie which meets a condition; nil for one on its attributes.
    private static func pattern(ofCookie written: String, _ condition: ValueCondition) -> String? {
        guard let name = cookie(written) else { return nil }
        let start = "^" + BrunoAssertion.escaped(name) + "="
        switch condition {
        case .exists(true): return start
        case .equals(.string(let value)): return start + BrunoAssertion.escaped(value) + "(;|$)"
        default: return nil
        }
    }

    private static func isOfText(_ condition: ValueCondition) -> Bool {
        switch condition.plain {
        case .exists, .matches: true
        case .equals(let value), .contains(let value): value.stringValue?.isEmpty == false
        default: false
        }
    }

    /// Each header has a condition of a kind once.
    private static func add(_ condition: ValueCondition, header name: String, to expect: inout Expectation) -> Bool {
        guard isOfText(condition), HeaderCheck.isToken(name) else { return false }
        let lowercased = name.lowercased()
        guard let index = expect.headers.firstIndex(where: { $0.name.lowercased() == lowercased }) else {
            expect.headers.append(HeaderExpectation(name, [condition]))
            return true
        }
        let known = expect.headers[index].conditions
        if known.contains(condition) { return true }
        guard !known.contains(where: { $0.key == condition.key }) else {
            expect.headers.append(HeaderExpectation(name, [condition]))
            return true
        }
        let all = known + [condition]
        expect.headers[index].conditions = ValueCondition.keys.compactMap { key in all.first { $0.key == key } }
        return true
    }

    /// Returns true for a condition on several values together, and not on each of them.
    private static func isOfAll(_ condition: ValueCondition) -> Bool {
        switch condition {
        case .count, .exists: true
        default: false
        }
    }

    /// Each part has a condition of a kind once: another one is a part of its own.
    private static func add(_ condition: ValueCondition, at path: String, to expect: inout Expectation) -> Bool {
        // Hurl has the list of several values, and Ombi each of them.
        guard isOfAll(condition) || (try? JSONPath(path))?.isSingular ?? false else { return false }
        guard let index = expect.body.firstIndex(where: { $0.path == path }) else {
            expect.body.append(BodyExpectation(path, [condition]))
            return true
        }
        let known = expect.body.filter { $0.path == path }.flatMap(\.conditions)
        if known.contains(condition) { return true }
        if known.contains(where: { $0.key == condition.key }) {
            expect.body.append(BodyExpectation(path, [condition]))
        } else {
            expect.body[index].add(condition)
        }
        return true
    }

    /// The path of a list whose elements are to have one such, `$.tags` for `$.tags[*]`; any other path as it is.
    private static func path(_ path: String, of condition: ValueCondition) -> String {
        let all = "[*]"
        guard case .contains = condition.plain, path.hasSuffix(all) else { return path }
        return String(path.dropLast(all.count))
    }

    private static func condition(_ words: ArraySlice<Word>) -> ValueCondition? {
        let (word, rest) = (words.first?.text, words.dropFirst())
        guard word == "not" || word == "!=" else { return plainCondition(words) }
        let equal = rest.count == 1 ? rest.first?.literal.map { ValueCondition.equals($0) } : nil
        guard let condition = word == "not" ? plainCondition(rest) : equal else { return nil }
        switch condition {
        case .count(NumberComparison(.equal, 0)): return .count(NumberComparison(.greater, 0))
        case .equals(.null): return .type(ValueType.notNull)
        // An integer is a number, too.
        case .type(let types) where types != [.integer]:
            return .type((ValueType.notNull + [.null]).filter { !types.contains($0) })
        default: return condition.opposite
        }
    }

    private static func plainCondition(_ words: ArraySlice<Word>) -> ValueCondition? {
        guard let first = words.first else { return nil }
        let rest = words.dropFirst()
        switch (first.text, rest.count) {
        case ("exists", 0): return .exists(true)
        case ("isEmpty", 0): return .count(NumberComparison(.equal, 0))
        case ("count", 2): return comparison(rest).map { .count($0) }
        case (let word, 0): return types[word].map { .type([$0]) } ?? patterns[word].map { .matches($0) }
        case (let word, 1):
            guard let literal = rest.first?.literal else { return nil }
            return Self.condition(word, literal)
        default: return nil
        }
    }

    private static func comparison(_ words: ArraySlice<Word>) -> NumberComparison? {
        guard words.count == 2, let sign = words.first.flatMap({ signs[$0.text] }),
            let count = words.last.flatMap({ Int($0.text) }), count >= 0, sign != .less || count > 0
        else { return nil }
        return NumberComparison(sign, count)
    }

    private static func condition(_ word: String, _ literal: JSONValue) -> ValueCondition? {
        switch (word, literal) {
        case ("==", _): return .equals(literal)
        case (">", .number), (">", .string): return .greater(literal)
        case ("<", .number), ("<", .string): return .less(literal)
        case (">=", .number), (">=", .string): return .atLeast(literal)
        case ("<=", .number), ("<=", .string): return .atMost(literal)
        case ("contains", .string(let text)) where !text.isEmpty: return .contains(literal)
        case ("includes", _) where literal.stringValue != "": return .contains(literal)
        case ("startsWith", .string(let text)) where !text.isEmpty: return .matches("^" + BrunoAssertion.escaped(text))
        case ("endsWith", .string(let text)) where !text.isEmpty: return .matches(BrunoAssertion.escaped(text) + "$")
        case ("matches", .string(let text)):
            return (try? ValueCondition.checkPattern(text)) == nil ? nil : .matches(text)
        default: return nil
        }
    }

    private static let signs: [String: NumberComparison.Operator] = [
        "==": .equal, "!=": .different, ">": .greater, "<": .less, ">=": .atLeast, "<=": .atMost,
    ]
    private static let types: [String: ValueType] = [
        "isString": .string, "isInteger": .integer, "isNumber": .number, "isBoolean": .boolean, "isList": .array,
        "isObject": .object,
    ]
    private static let patterns = [
        "isUuid": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
        "isIsoDate": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$",
        "isIpv4": "^(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$",
    ]
}
