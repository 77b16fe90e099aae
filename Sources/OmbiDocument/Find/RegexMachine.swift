/// Runs a compiled regular expression over bytes in one pass, whatever the pattern. The sets of program steps that can
/// be active are the states of a table, which is filled on demand (a lazy DFA): each byte costs one lookup.
///
/// Its table grows while it matches, so it belongs to one search on one thread.
final class RegexMachine {
    private let program: RegexProgram
    /// True to find the longest match, false to find the one that the pattern prefers.
    private let wantsLongest: Bool
    private let prefix: LiteralMatcher?
    private let stride: Int
    private var contexts: [RegexContext]
    /// For each state and class: the next state times the stride, or a negative code.
    private let table: UnsafeMutablePointer<Int32>
    private let classes: UnsafeMutablePointer<UInt8>
    private var states: [RegexState] = []
    private var numbers: [RegexState: Int] = [:]
    private var visited: [Int]
    private var visit = 0
    private var knownSkip: (state: Int, skip: RegexSkip)?
    /// Once it is over, nothing more is found. Nil for a search that may take any time.
    var time: EvaluationTime?

    private static let maximumStates = 1024
    /// The steps of `EvaluationTime` that a new state takes, at least.
    private static let learningSteps = 64
    private static let unknown: Int32 = -1
    private static let special = Int32.min
    private static let match: Int32 = 1 << 30
    private static let mask: Int32 = (1 << 30) - 1
    /// The first state: no match is possible any more.
    private static let dead = 0

    init(_ program: RegexProgram, wantsLongest: Bool, prefix: LiteralMatcher? = nil) {
        self.program = program
        self.prefix = prefix
        self.wantsLongest = wantsLongest
        stride = program.classCount + 1
        contexts = Array(repeating: .edge, count: stride)
        table = .allocate(capacity: Self.maximumStates * stride)
        classes = .allocate(capacity: 256)
        visited = Array(repeating: 0, count: program.steps.count)
        for byte in 0..<256 {
            classes[byte] = program.classes[byte]
            contexts[Int(program.classes[byte])] = RegexContext(UInt8(byte))
        }
        forget()
    }

    deinit {
        table.deallocate()
        classes.deallocate()
    }

    /// Reads forward from an offset. Returns the end of the match that begins first; at most `window` bytes are read
    /// after the first end found.
    func end(in bytes: Bytes, from start: Int, before limit: Int, window: Int) -> Int? {
        var state = number(of: begin(start == 0 ? .edge : RegexContext(bytes[start - 1]))) * stride
        var skip = RegexSkip(state: -1, bytes: [])
        if !program.hasAssertions { (state, skip) = findSkip(from: state) }
        var offset = start
        var limit = min(limit, bytes.count)
        var found: Int?
        let (table, classes, base) = (self.table, self.classes, bytes.base)
        while offset < limit {
            if state == skip.state {
                offset = skip.next(in: bytes, from: offset, before: limit)
                if offset >= limit { break }
            }
            var code = table[state &+ Int(classes[Int(base[offset])])]
            if skip.state < 0 {
                while code >= 0, offset &+ 1 < limit {
                    offset &+= 1
                    state = Int(code)
                    code = table[state &+ Int(classes[Int(base[offset])])]
                }
            }
            if code < 0 {
                if code == Self.unknown { (state, code) = learn(state, Int(classes[Int(base[offset])]), &skip) }
                if code & Self.match != 0, code < 0 {
                    if found == nil { limit = min(limit, offset + window) }
                    found = offset
                }
                code &= Self.mask
                if code == Self.dead { return found }
            }
            state = Int(code)
            offset += 1
        }
        return matches(state, contextOf: offset, in: bytes) ? offset : found
    }

    /// Reads backward from an offset. Returns the start of the longest match that ends there, not before `floor`.
    func start(in bytes: Bytes, from end: Int, downTo floor: Int) -> Int? {
        var state = number(of: begin(end >= bytes.count ? .edge : RegexContext(bytes[end]))) * stride
        var skip = RegexSkip(state: -1, bytes: [])
        var offset = end
        var found: Int?
        while offset > floor {
            let classNumber = Int(classes[Int(bytes.base[offset - 1])])
            var code = table[state + classNumber]
            if code < 0 {
                if code == Self.unknown { (state, code) = learn(state, classNumber, &skip) }
                if code & Self.match != 0, code < 0 { found = offset }
                code &= Self.mask
                if code == Self.dead { return found }
            }
            state = Int(code)
            offset -= 1
        }
        return matches(state, contextOf: offset - 1, in: bytes) ? offset : found
    }

    /// Returns true if a match ends where reading stopped; `neighbour` is the next byte that would be read.
    private func matches(_ state: Int, contextOf neighbour: Int, in bytes: Bytes) -> Bool {
        let isInside = neighbour >= 0 && neighbour < bytes.count
        // The last column stands for the edge of the text, where no byte follows.
        let classNumber = isInside ? Int(classes[Int(bytes.base[neighbour])]) : stride - 1
        var code = table[state + classNumber]
        var skip = RegexSkip(state: -1, bytes: [])
        if code == Self.unknown { (_, code) = learn(state, classNumber, &skip) }
        return code < 0 && code & Self.match != 0
    }

    private func begin(_ before: RegexContext) -> RegexState {
        RegexState(steps: [Int32(program.start)], before: program.hasAssertions ? before : .other)
    }

    private func forget() {
        states = []
        numbers = [:]
        knownSkip = nil
        _ = number(of: RegexState(steps: [], before: .other))
    }

    private func number(of state: RegexState) -> Int {
        if let number = numbers[state] { return number }
        if states.count >= Self.maximumStates { forget() }
        let number = states.count
        states.append(state)
        numbers[state] = number
        (table + number * stride).update(repeating: Self.unknown, count: stride)
        return number
    }

    /// Computes the next state for a class of bytes and stores it in the table. Also returns the current state, whose
    /// number changes when a full table is emptied.
    private func learn(_ from: Int, _ classNumber: Int, _ skip: inout RegexSkip) -> (state: Int, code: Int32) {
        // A known state costs a lookup, which no text has enough bytes to make last.
        if let time, !time.step(Self.learningSteps) { return (from, Self.special) }
        let state = states[from / stride]
        let (steps, isMatch) = closure(of: state, before: contexts[classNumber])
        var next: [Int32] = []
        visit += 1
        for step in steps {
            guard case .byte(let range, let target) = program.steps[Int(step)], visited[target] != visit,
                program.classes[Int(range.lowerBound)] <= classNumber,
                program.classes[Int(range.upperBound)] >= classNumber
            else { continue }
            visited[target] = visit
            next.append(Int32(target))
        }
        let isFull = states.count + 1 >= Self.maximumStates
        if isFull {
            forget()
            skip.state = -1
        }
        let before = program.hasAssertions ? contexts[classNumber] : .other
        let target = next.isEmpty ? 0 : number(of: RegexState(steps: next, before: before))
        let current = isFull ? number(of: state) * stride : from
        var code = Int32(target * stride)
        if isMatch { code |= Self.special | Self.match }
        if target == 0 { code |= Self.special }
        table[current + classNumber] = code
        return (current, code)
    }

    /// Returns all steps that a state is in before the next byte, in order of preference.
    private func closure(of state: RegexState, before after: RegexContext) -> (steps: [Int32], isMatch: Bool) {
        visit += 1
        var steps: [Int32] = []
        var isMatch = false
        var stack = Array(state.steps.reversed())
        while let step = stack.popLast() {
            guard visited[Int(step)] != visit else { continue }
            visited[Int(step)] = visit
            switch program.steps[Int(step)] {
            case .byte: steps.append(step)
            case .split(let first, let second):
                stack.append(Int32(second))
                stack.append(Int32(first))
            case .assertion(let assertion, let next):
                let (left, right) = program.isReversed ? (after, state.before) : (state.before, after)
                if RegexContext.holds(assertion, left, right) { stack.append(Int32(next)) }
            case .mark(_, let next): stack.append(Int32(next))
            case .match:
                isMatch = true
                // Less preferred steps no longer count.
                if !wantsLongest { return (steps, true) }
            }
        }
        return (steps, isMatch)
    }

    /// Returns the first state, whose number may change, and its skip: bytes that lead out of it are searched for, if
    /// they are few.
    private func findSkip(from state: Int) -> (state: Int, skip: RegexSkip) {
        if prefix != nil { return (state, RegexSkip(state: state, bytes: [], prefix: prefix)) }
        if let knownSkip, knownSkip.state == state { return knownSkip }
        var state = state
        var none = RegexSkip(state: -1, bytes: [])
        var leaving: [UInt8] = []
        for byte in 0..<256 {
            let classNumber = Int(classes[byte])
            if table[state + classNumber] == Self.unknown { (state, _) = learn(state, classNumber, &none) }
            if table[state + classNumber] != Int32(state) { leaving.append(UInt8(byte)) }
            if leaving.count > 3 { break }
        }
        let isUseful = (1...3).contains(leaving.count)
        let known = (state, isUseful ? RegexSkip(state: state, bytes: leaving) : none)
        knownSkip = known
        return known
    }
}

/// Finds the matches of a regular expression: forward to the end of a match, then back from there to its beginning.
final class RegexMatcher {
    private let forward: RegexMachine
    private let backward: RegexMachine

    /// The maximum length of a match in bytes; longer matches are cut.
    static let window = 16 << 10

    init(_ pattern: RegexPattern) {
        forward = RegexMachine(pattern.forward, wantsLongest: false, prefix: pattern.prefix)
        backward = RegexMachine(pattern.backward, wantsLongest: true)
    }

    /// Returns the first match that is not empty and begins at `start` or later and before `limit`.
    func first(in bytes: Bytes, from start: Int, before limit: Int) -> ByteRange? {
        var offset = max(0, start)
        let end = min(bytes.count, limit > bytes.count - Self.window ? bytes.count : limit + Self.window)
        while offset < limit, offset < bytes.count {
            guard let stop = forward.end(in: bytes, from: offset, before: end, window: Self.window) else { return nil }
            let floor = max(offset, stop - Self.window)
            let begin = backward.start(in: bytes, from: stop, downTo: floor) ?? floor
            guard begin < limit else { return nil }
            if begin < stop { return begin..<stop }
            offset = stop + 1
        }
        return nil
    }
}

/// The context on one side of a position in a text, as `^`, `$` and `\b` distinguish it.
enum RegexContext: UInt8, Sendable {
    case edge, lineFeed, carriageReturn, word, other

    init(_ byte: UInt8) {
        switch byte {
        case 0x0A: self = .lineFeed
        case 0x0D: self = .carriageReturn
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: self = .word
        default: self = .other
        }
    }

    static func holds(
        _ assertion: RegexNode.Assertion, _ before: RegexContext, _ after: RegexContext
    ) -> Bool {
        switch assertion {
        case .textStart: before == .edge
        case .textEnd: after == .edge
        case .lineStart: before == .edge || before == .lineFeed || before == .carriageReturn && after != .lineFeed
        case .lineEnd: after == .edge || after == .carriageReturn || after == .lineFeed && before != .carriageReturn
        case .wordEdge: (before == .word) != (after == .word)
        case .notWordEdge: (before == .word) == (after == .word)
        }
    }
}
