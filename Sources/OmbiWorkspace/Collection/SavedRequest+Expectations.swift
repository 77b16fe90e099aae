/// The expectations of a request as rows of names and values.
extension SavedRequest {
    public var expectedHeaders: [Field] {
        get { expect?.headerRows ?? [] }
        set { changeExpectation { $0.headerRows = newValue } }
    }

    public var expectedBody: [Field] {
        get { expect?.bodyRows ?? [] }
        set { changeExpectation { $0.bodyRows = newValue } }
    }

    private mutating func changeExpectation(_ change: (inout Expectation) -> Void) {
        var changed = expect ?? Expectation()
        change(&changed)
        expect = changed == Expectation() ? nil : changed
    }
}

extension SavedRequest {
    /// Expects a condition of the values at a path: together with others there, in place of one of the same kind.
    public mutating func expect(_ condition: ValueCondition, at path: String) {
        changeExpectation { expectation in
            guard let index = expectation.body.firstIndex(where: { $0.path == path }) else {
                let conditions = condition == .exists(true) ? [] : [condition]
                return expectation.body.append(BodyExpectation(path, conditions))
            }
            if condition != .exists(true) { expectation.body[index].add(condition) }
        }
    }
}
