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
        guard !script.runsBefore else {
            return log.loss(
                script.offset, "script of \(request.name)".excerpted, ForeignText.leftOut(script: script.text))
        }
        var reader = PostmanScript()
        reader.read(script.text)
        let isWhole = expectations.add(reader.expect)
        for var capture in reader.captures {
            capture.name = log.variableName(capture.name, at: script.offset)
            request.captures.removeAll { $0.name == capture.name }
            request.captures.append(capture)
        }
        if !isWhole {
            log.loss(
                script.offset, "script of \(request.name)".excerpted,
                "what contradicts an assertion is left out: the assertion counts")
        }
        guard !reader.left.isEmpty else { return }
        let left = reader.left.map { "\($0)" }.joined(separator: ", ")
        let known = reader.statements - reader.left.count
        log.loss(
            script.offset, "script of \(request.name)".excerpted,
            "\(known) of \(reader.statements) statements became expectations and captures; left: line \(left)")
    }
}
