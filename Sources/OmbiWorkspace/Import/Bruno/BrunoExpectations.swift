/// Collects what assertions and scripts expect of a response. Each is taken whole or left.
struct BrunoExpectations {
    private(set) var expect: Expectation

    init(_ expect: Expectation = Expectation()) { self.expect = expect }

    /// Returns false for an assertion without a counterpart, or that contradicts an earlier one.
    mutating func add(_ assertion: BrunoAssertion, of value: ScriptValue) -> Bool {
        // No expectation is filled in.
        guard !assertion.operand.contains("{{") else { return false }
        switch value {
        case .status: return addStatus(assertion)
        case .time:
            guard ["lt", "lte"].contains(assertion.comparison), let limit = assertion.count,
                (1...86_400_000).contains(limit)
            else { return false }
            expect.within = min(.milliseconds(limit), expect.within ?? .milliseconds(limit))
            return true
        case .header(let name):
            guard let condition = Self.condition(ofText: assertion) else { return false }
            return add(condition, header: name)
        case .body("$") where Self.isOfText(assertion), .text:
            guard let condition = Self.condition(ofText: assertion), BodyExpectation.textKeys.contains(condition.key)
            else { return false }
            expect.body.append(BodyExpectation(nil, [condition]))
            return true
        case .body(let path):
            return assertion.conditions.map { add($0, at: path) } ?? false
        case .count(let path):
            guard let count = assertion.count, let sign = Self.signs[assertion.comparison], sign != .less || count > 0
            else { return false }
            return add([.count(NumberComparison(sign, count))], at: path)
        case .cookie: return false
        }
    }

    private static let signs: [String: NumberComparison.Operator] = [
        "eq": .equal, "neq": .different, "gt": .greater, "gte": .atLeast, "lt": .less, "lte": .atMost,
    ]

    /// Takes what a script expects; returns false if a part of it contradicts an earlier one.
    mutating func add(_ other: Expectation) -> Bool {
        var isWhole = other.status.isEmpty || expect.narrow(to: other.status)
        if let limit = other.within { expect.within = min(limit, expect.within ?? limit) }
        if let schema = other.schema {
            isWhole = isWhole && (expect.schema ?? schema) == schema
            expect.schema = expect.schema ?? schema
        }
        for header in other.headers {
            for condition in header.conditions { isWhole = add(condition, header: header.name) && isWhole }
        }
        for part in other.body {
            // A body alone is a text wherever a text is expected.
            for condition in part.conditions where part.path == nil || part.path == "$" && Self.isText(condition) {
                expect.body.append(BodyExpectation(nil, [condition]))
            }
            guard let path = part.path else { continue }
            let conditions = part.conditions.filter { path != "$" || !Self.isText($0) }
            if !conditions.isEmpty { isWhole = add(conditions, at: path) && isWhole }
        }
        return isWhole
    }

    // MARK: Parts

    private mutating func addStatus(_ assertion: BrunoAssertion) -> Bool {
        let values: [JSONValue]
        switch assertion.comparison {
        case "eq": values = BrunoAssertion.literal(assertion.operand).map { [$0] } ?? []
        case "in": values = assertion.list
        case "between": return assertion.list == [.number("200"), .number("299")] && expect.narrow(to: [.hundreds(2)])
        default: return false
        }
        let patterns = values.compactMap { value -> StatusPattern? in
            if case .number(let digits) = value { StatusPattern(digits) } else { nil }
        }
        return !patterns.isEmpty && patterns.count == values.count && expect.narrow(to: patterns)
    }

    private mutating func add(_ condition: ValueCondition, header name: String) -> Bool {
        let lowercased = name.lowercased()
        if let known = expect.headers.first(where: { $0.name.lowercased() == lowercased }) {
            return known.conditions == [condition]
        }
        expect.headers.append(HeaderExpectation(name, [condition]))
        return true
    }

    /// Each value has a condition of a kind once, but for parts of it: further ones are expectations of their own.
    private mutating func add(_ conditions: [ValueCondition], at path: String) -> Bool {
        guard (try? JSONPath(path)) != nil else { return false }
        guard let index = expect.body.firstIndex(where: { $0.path == path }) else {
            var part = BodyExpectation(path, [])
            for condition in conditions { part.add(condition) }
            expect.body.append(part)
            return true
        }
        let known = expect.body.filter { $0.path == path }.flatMap(\.conditions)
        let new = conditions.filter { !known.contains($0) }
        let isOther = new.contains { condition in
            known.contains { $0.key == condition.key } && !Self.isOfPart(condition)
        }
        let isAbsent = new.contains(.exists(false)) || known.contains(.exists(false))
        guard !isOther, new.isEmpty || !isAbsent else { return false }
        for condition in new {
            if known.contains(where: { $0.key == condition.key }) {
                expect.body.append(BodyExpectation(path, [condition]))
            } else {
                expect.body[index].add(condition)
            }
        }
        return true
    }

    /// Returns true for a condition on a part of a value, of which others may hold as well.
    private static func isOfPart(_ condition: ValueCondition) -> Bool {
        switch condition {
        case .contains, .matches, .not: true
        default: false
        }
    }

    // MARK: Texts

    /// True for an assertion that a text meets: that of the whole body, which need not be JSON.
    private static func isOfText(_ assertion: BrunoAssertion) -> Bool {
        switch (assertion.opposite ?? assertion).comparison {
        case "eq", "contains": BrunoAssertion.literal(assertion.operand)?.stringValue != nil
        case "matches", "startsWith", "endsWith": true
        default: false
        }
    }

    private static func isText(_ condition: ValueCondition) -> Bool {
        switch condition {
        case .equals(let value), .contains(let value): value.stringValue != nil
        default: false
        }
    }

    /// Nil for what no text can meet.
    private static func condition(ofText assertion: BrunoAssertion) -> ValueCondition? {
        if let opposite = assertion.opposite { return condition(ofText: opposite)?.opposite }
        if let pattern = assertion.pattern { return .matches(pattern) }
        switch assertion.comparison {
        case "isDefined": return .exists(true)
        case "isUndefined": return .exists(false)
        case "eq", "contains":
            guard let value = BrunoAssertion.literal(assertion.operand) else {
                return assertion.comparison == "eq" ? .exists(false) : nil
            }
            let text = value.stringValue ?? value.compact
            guard !text.isEmpty else { return nil }
            return assertion.comparison == "eq" ? .equals(.string(text)) : .contains(.string(text))
        default: return nil
        }
    }
}

/// Assertions, scripts and variables of the response: scripts are read and never run.
extension BrunoReader {
    mutating func setExpectations(_ source: BrunoRequest, of request: inout SavedRequest) {
        var expectations = BrunoExpectations()
        for row in source.assertions {
            let subject = "\(row.name): \(row.value)".excerpted
            guard row.isEnabled else {
                log.loss(row.offset, subject, "a disabled assertion is left out")
                continue
            }
            let value = Self.value(row.name)
            guard let value, expectations.add(BrunoAssertion(row.value), of: value) else {
                log.loss(row.offset, subject, "this assertion has no counterpart")
                continue
            }
            if value == .time {
                log.remark(row.offset, "responseTime", "a limit of the whole run, in which retries count, too")
            } else if BrunoAssertion(row.value).opposite != nil {
                log.remark(row.offset, subject, "expected of a value that is there")
            }
        }
        for row in source.scope.captures { addCapture(row, to: &request) }
        for script in source.scope.scripts { take(script, &expectations, of: &request) }
        if expectations.expect.count > 0 { request.expect = expectations.expect }
    }

    /// A part of the response; nil for another expression.
    private static func value(_ expression: String) -> ScriptValue? {
        let text = expression.trimmed
        // As earlier versions had it.
        let tokens = ScriptToken.tokens(of: text.hasPrefix("$res") ? String(text.dropFirst()) : text)
        var cursor = ScriptCursor(tokens[...], [:])
        guard let value = cursor.value(), cursor.isAtEnd else { return nil }
        return value
    }

    private mutating func addCapture(_ row: BrunoRow, to request: inout SavedRequest) {
        let name = log.variableName(row.name, at: row.offset)
        guard let source = Self.value(row.value)?.source else {
            return log.loss(row.offset, name.excerpted, "only parts of the response are captured")
        }
        do throws(FieldError) { try source.check() } catch {
            return log.loss(row.offset, name.excerpted, "left out: \(error.message)")
        }
        let isSecret = ForeignText.namesSecret(name + source.text)
        request.captures.removeAll { $0.name == name }
        request.captures.append(Capture(name, source, isSecret: isSecret, enabled: row.isEnabled))
    }

    private mutating func take(
        _ script: BrunoScript, _ expectations: inout BrunoExpectations, of request: inout SavedRequest
    ) {
        guard !ScriptToken.tokens(of: script.text).isEmpty else { return }
        let subject = "script of \(request.name)".excerpted
        guard !script.runsBefore else {
            return log.loss(script.offset, subject, ForeignText.leftOut(script: script.text))
        }
        let reader = PostmanScript(script.text)
        let isWhole = expectations.add(reader.expect)
        for var capture in reader.captures {
            capture.name = log.variableName(capture.name, at: script.offset)
            request.captures.removeAll { $0.name == capture.name }
            request.captures.append(capture)
        }
        if !isWhole {
            log.loss(
                script.offset, subject, "what contradicts an assertion is left out: the assertion counts")
        }
        if let left = reader.remainder { log.loss(script.offset, subject, left) }
    }
}
