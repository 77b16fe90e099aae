import OmbiCore
import OmbiDocument

/// Captures and assertions.
extension HurlReader {
    /// A word, or a text in quotes.
    struct Word: Equatable {
        var text: String
        var isQuoted: Bool

        /// A text, a number, true, false or null.
        var literal: JSONValue? {
            if isQuoted { return .string(text) }
            return try? JSONValue.parse(text)
        }
    }

    static func words(_ line: String) -> [Word] {
        var words: [Word] = []
        var rest = line[...]
        while let character = rest.first {
            if character.isWhitespace {
                rest.removeFirst()
            } else if character == "#" {
                break
            } else if character == "\"" || character == "/" {
                rest.removeFirst()
                var text = ""
                while let next = rest.popFirst(), next != character {
                    let isEscape = next == "\\" && (rest.first == character || rest.first == "\\" && character == "\"")
                    text.append(isEscape ? rest.removeFirst() : next)
                }
                words.append(Word(text: text, isQuoted: true))
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(Word(text: String(word), isQuoted: false))
                rest = rest[word.endIndex...]
            }
        }
        return words
    }

    // MARK: Captures

    mutating func capture(_ name: String, _ query: String, of request: inout SavedRequest, at offset: Int) {
        var words = Self.words(query)
        let isRedacted = words.last?.text == "redact"
        if isRedacted { words.removeLast() }
        guard let source = Self.source(words) else {
            return log.loss(offset, name.excerpted, "this capture has no counterpart")
        }
        do throws(FieldError) { try source.check() } catch {
            return log.loss(offset, name.excerpted, "left out: \(error.message)")
        }
        let isSecret = isRedacted || ForeignText.namesSecret(name)
        request.captures.append(Capture(log.variableName(name, at: offset), source, isSecret: isSecret))
    }

    private static func source(_ words: [Word]) -> Capture.Source? {
        switch (words.first?.text, words.count) {
        case ("status", 1): .status
        case ("header", 2): .header(words[1].text)
        case ("cookie", 2): .cookie(words[1].text)
        case ("jsonpath", 2): .path(words[1].text)
        case ("body", 3) where words[1].text == "regex", ("regex", 2): words.last.map { .regex($0.text) }
        default: nil
        }
    }

    // MARK: Assertions

    mutating func assert(_ line: HTTPFileLine, of request: inout SavedRequest) {
        var expect = request.expect ?? Expectation()
        if Self.add(Self.words(line.text), to: &expect) {
            request.expect = expect
        } else {
            log.loss(line.offset, line.text.excerpt(40), "this assertion has no counterpart")
        }
    }

    /// Returns false for an assertion that is not known, or that no template can fill.
    private static func add(_ words: [Word], to expect: inout Expectation) -> Bool {
        guard let query = words.first?.text, !words.contains(where: { $0.text.contains("{{") }) else { return false }
        switch query {
        case "status":
            guard words.count == 3, words[1].text == "==", expect.status.isEmpty,
                let pattern = StatusPattern(words[2].text)
            else { return false }
            expect.status = [pattern]
        case "duration":
            guard words.count == 3, words[1].text == "<", let limit = Int(words[2].text),
                (1...86_400_000).contains(limit), expect.within == nil
            else { return false }
            expect.within = .milliseconds(limit)
        case "header":
            guard words.count > 2, let met = Self.condition(words[2...]), isOfHeader(met),
                !expect.headers.contains(where: { $0.name == words[1].text })
            else { return false }
            expect.headers.append(HeaderExpectation(words[1].text, [met]))
        case "body":
            guard let met = Self.condition(words[1...]), case .contains = met else { return false }
            expect.body.append(BodyExpectation(nil, [met]))
        case "jsonpath":
            guard words.count > 2, (try? JSONPath(words[1].text)) != nil, let met = Self.condition(words[2...]) else {
                return false
            }
            return add(met, at: words[1].text, to: &expect)
        default: return false
        }
        return true
    }

    /// Returns true for a condition on a text.
    private static func isOfHeader(_ condition: ValueCondition) -> Bool {
        switch condition {
        case .exists: true
        case .equals(let value), .contains(let value): value.stringValue?.isEmpty == false
        default: false
        }
    }

    /// Each value has a condition of a kind once.
    private static func add(_ condition: ValueCondition, at path: String, to expect: inout Expectation) -> Bool {
        guard let index = expect.body.firstIndex(where: { $0.path == path }) else {
            expect.body.append(BodyExpectation(path, [condition]))
            return true
        }
        guard !expect.body[index].conditions.contains(where: { $0.key == condition.key }) else { return false }
        expect.body[index].add(condition)
        return true
    }

    private static func condition(_ words: ArraySlice<Word>) -> ValueCondition? {
        guard let first = words.first else { return nil }
        let rest = words.dropFirst()
        switch (first.text, rest.count) {
        case ("exists", 0): return .exists(true)
        case ("not", 1): return rest.first?.text == "exists" ? .exists(false) : nil
        case ("isEmpty", 0): return .count(NumberComparison(.equal, 0))
        case ("count", 2):
            let digits = rest.last?.text ?? ""
            guard let sign = rest.first.flatMap({ signs[$0.text] }), let count = Int(digits), count >= 0,
                sign != .less || count > 0
            else { return nil }
            return .count(NumberComparison(sign, count))
        case (let word, 0): return types[word].map { .type([$0]) }
        case (let word, 1):
            guard let literal = rest.first?.literal else { return nil }
            return Self.condition(word, literal)
        default: return nil
        }
    }

    private static func condition(_ word: String, _ literal: JSONValue) -> ValueCondition? {
        switch (word, literal) {
        case ("==", _): .equals(literal)
        case (">", .number): .greater(literal)
        case ("<", .number): .less(literal)
        case (">=", .number): .atLeast(literal)
        case ("<=", .number): .atMost(literal)
        case ("contains", .string(let text)) where !text.isEmpty: .contains(literal)
        default: nil
        }
    }

    private static let signs: [String: NumberComparison.Operator] = [
        "==": .equal, "!=": .different, ">": .greater, "<": .less, ">=": .atLeast, "<=": .atMost,
    ]
    private static let types: [String: ValueType] = [
        "isString": .string, "isInteger": .integer, "isNumber": .number, "isBoolean": .boolean, "isList": .array,
        "isObject": .object,
    ]
}

extension HurlReader: TemplateReader {
    mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let words = Self.words(String(inner))
        guard let first = words.first, !inner.contains(where: \.isNewline) else { return nil }
        switch (first.text, words.count) {
        case ("newUuid", 1): return "{{$uuid}}"
        case ("newDate", 1): return log.isoTimestamp("{{newDate}}", at: offset)
        case ("getEnv", 2):
            let name = log.variableName(words[1].text, at: offset)
            processSecrets[name] = words[1].text
            return "{{\(name)}}"
        case (let name, 1)
        where !first.isQuoted && name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) }):
            return "{{\(log.variableName(name, at: offset))}}"
        default:
            return log.sample(of: String(inner), "{{\(inner.trimmed)}}", among: &samples, at: offset)
        }
    }
}
