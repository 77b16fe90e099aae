/// A regular expression of RFC 9485. It is matched in time that grows with the length of the text times that of the
/// expression, whatever either holds: all ways through the expression are followed side by side.
///
/// A `^` that opens a branch and a `$` that closes one are the beginning and the end of the text, as in every engine that
/// RFC 9485, section 5, maps to and as the compliance suite of JSONPath expects; elsewhere they stand for themselves.
struct IRegexp: Sendable {
    /// An expression that becomes longer than this, such as by `(a{1000}){1000}`, counts as not allowed.
    static let maximumLength = 20_000

    /// A step of the expression. Where it goes on is an index.
    enum Step: Sendable {
        case character(IRegexpSet)
        case either(Int, Int)
        case jump(Int)
        case begin, end
    }

    private let steps: [Step]

    /// nil when RFC 9485 does not allow it.
    init?(_ source: String) {
        var parser = IRegexpParser(source)
        guard let branch = parser.parse() else { return nil }
        var compiler = IRegexpCompiler()
        guard compiler.compile(branch) else { return nil }
        steps = compiler.steps
    }

    /// - Parameter text: UTF-8. What is not (a lone surrogate) is matched as U+FFFD.
    /// - Parameter isWhole: Whether all of the text must match, or any part of it.
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

    /// Adds a state and those that are reached from it without a character.
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
