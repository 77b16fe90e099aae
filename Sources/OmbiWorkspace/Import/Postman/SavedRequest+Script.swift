extension SavedRequest {
    /// Adds an expectation; returns false for one without a counterpart, or that contradicts an earlier one.
    mutating func expects(_ assertion: BrunoAssertion, of value: ScriptValue) -> Bool {
        var all = BrunoExpectations(expect ?? Expectation())
        guard all.add(assertion, of: value) else { return false }
        expect = all.expect
        return true
    }

    /// Takes the expectations and captures of a script.
    mutating func take(_ script: PostmanScript, _ log: inout ImportLog, at offset: Int) {
        if let known = expect {
            var all = BrunoExpectations(known)
            if !all.add(script.expect) {
                log.loss(offset, name.excerpted, "what contradicts an earlier expectation is left out")
            }
            expect = all.expect
        } else if script.expect.count > 0 {
            expect = script.expect
        }
        for var capture in script.captures {
            capture.name = log.variableName(capture.name, at: offset)
            captures.removeAll { $0.name == capture.name }
            captures.append(capture)
        }
    }
}
