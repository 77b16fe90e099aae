/// A regular expression of RFC 9485. Matching takes time proportional to the length of the text times the length of the
/// expression, in every case: all paths through the expression are followed in parallel.
///
/// A `^` that opens a branch and a `$` that closes one match the beginning and the end of the text, as in every engine
/// that RFC 9485, section 5, maps to and as the JSONPath compliance suite expects; elsewhere they stand for themselves.
struct IRegexp: Sendable {
    /// The maximum number of compiled steps. Longer expressions, such as `(a{1000}){1000}`, are rejected.
    static let maximumLength = 20_000

    /// A step of the compiled expression. Targets are indices of steps.
    enum Step: Sendable {
        case character(IRegexpSet)
        case either(Int, Int)
        case jump(Int)
        case begin, end
    }

    private let steps: [Step]

    /// Returns nil for an expression that RFC 9485 does not allow or that exceeds `maximumLength`.
    init?(_ source: String) {
        var parser = IRegexpParser(source)
        guard let branch = parser.parse() else { return nil }
        var compiler = IRegexpCompiler()
        guard compiler.compile(branch) else { return nil }
        steps = compiler.steps
    }

    /// - Parameter text: UTF-8. Invalid sequences (a lone surrogate) are matched as U+FFFD.
    /// - Parameter isWhole: True to match the whole text, false to match any part of it.
    func matches(_ text: [UInt8], isWhole: Bool) -> Bool {
        var here = IRegexpStates(count: steps.count + 1)
        var next = IRegexpStates(count: steps.count + 1)
        add(0, to: &here, isAtStart: true, isAtEnd: text.isEmpty)
        var decoder = Unicode.UTF8()
        var iterator = text.makeIterator()
        var scalar = Self.decode(&decoder, &iterator)
        while let current = scalar {
            if !isWhole, here.contains(steps.count) { return true }
            scalar = Self.decode(&decoder, &iterator)
            next.removeAll()
            for state in here.list where state < steps.count {
                guard case .character(let set) = steps[state], set.contains(current) else { continue }
                add(state + 1, to: &next, isAtStart: false, isAtEnd: scalar == nil)
            }
            if !isWhole { add(0, to: &next, isAtStart: false, isAtEnd: scalar == nil) }
            if next.list.isEmpty { return false }
            swap(&here, &next)
        }
        return here.contains(steps.count)
    }

    private static func decode(
        _ decoder: inout Unicode.UTF8, _ iterator: inout IndexingIterator<[UInt8]>
    ) -> Unicode.Scalar? {
        switch decoder.decode(&iterator) {
        case .scalarValue(let scalar): scalar
        case .error: "\u{FFFD}"
        case .emptyInput: nil
        }
    }

    /// Adds a state and every state reachable from it without consuming a character.
    private func add(_ start: Int, to states: inout IRegexpStates, isAtStart: Bool, isAtEnd: Bool) {
        var pending = [start]
        while let state = pending.popLast() {
            guard states.insert(state), state < steps.count else { continue }
            switch steps[state] {
            case .character: break
            case .jump(let target): pending.append(target)
            case .either(let first, let second):
                pending.append(second)
                pending.append(first)
            case .begin: if isAtStart { pending.append(state + 1) }
            case .end: if isAtEnd { pending.append(state + 1) }
            }
        }
    }
}
