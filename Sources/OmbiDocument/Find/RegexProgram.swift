/// A regular expression compiled for bytes: a machine that follows several steps at once (Thompson's construction).
struct RegexProgram: Sendable {
    enum Step: Sendable, Hashable {
        case byte(ClosedRange<UInt8>, next: Int)
        /// Continues at both steps; the first one is preferred.
        case split(Int, Int)
        case assertion(RegexNode.Assertion, next: Int)
        /// The start or the end of the first group.
        case mark(isEnd: Bool, next: Int)
        case match
    }

    private(set) var steps: [Step] = [.match]
    private(set) var start = 0
    /// The class of each byte: the machine treats all bytes of a class alike.
    private(set) var classes = [UInt8](repeating: 0, count: 256)
    private(set) var classCount = 1
    private(set) var hasAssertions = false
    let isReversed: Bool

    private let maximumSteps: Int
    private let marksGroup: Bool

    /// - Parameters:
    ///   - isReversed: True for a text that is read from its end.
    ///   - isAnchored: True to match at the start only, false to search for the first match.
    ///   - marksGroup: True for a program with the marks of its first group.
    init(
        _ node: RegexNode, isReversed: Bool, isAnchored: Bool, marksGroup: Bool = false, maximumSteps: Int = 20_000
    ) throws(PatternError) {
        (self.maximumSteps, self.marksGroup) = (maximumSteps, marksGroup)
        self.isReversed = isReversed
        start = try compile(node, next: 0)
        if !isAnchored {
            let loop = try add(.match)
            let skip = try add(.byte(0...255, next: loop))
            steps[loop] = .split(start, skip)
            start = loop
        }
        findClasses()
    }

    private mutating func add(_ step: Step) throws(PatternError) -> Int {
        guard steps.count < maximumSteps else {
            throw PatternError(reason: "the pattern is too big: it repeats too much", column: 1)
        }
        steps.append(step)
        return steps.count - 1
    }

    /// Returns the first step of a node that continues at `next`.
    private mutating func compile(_ node: RegexNode, next: Int) throws(PatternError) -> Int {
        switch node {
        case .empty: return next
        case .set(let set): return try compile(set, next: next)
        case .assertion(let assertion):
            hasAssertions = true
            return try add(.assertion(assertion, next: next))
        case .group(let node) where marksGroup:
            let end = try add(.mark(isEnd: true, next: next))
            return try add(.mark(isEnd: false, next: try compile(node, next: end)))
        case .group(let node): return try compile(node, next: next)
        case .sequence(let nodes):
            var entry = next
            for node in isReversed ? nodes : nodes.reversed() { entry = try compile(node, next: entry) }
            return entry
        case .choice(let nodes):
            var entry = try compile(nodes[nodes.count - 1], next: next)
            for node in nodes.dropLast().reversed() {
                entry = try add(.split(try compile(node, next: next), entry))
            }
            return entry
        case .repeated(let node, let least, let most, let isGreedy):
            return try compile(node, least: least, most: most, isGreedy: isGreedy, next: next)
        }
    }

    private mutating func compile(
        _ node: RegexNode, least: Int, most: Int?, isGreedy: Bool, next: Int
    ) throws(PatternError) -> Int {
        var entry = next
        if let most {
            for _ in 0..<max(0, most - least) {
                let body = try compile(node, next: entry)
                entry = try add(isGreedy ? .split(body, next) : .split(next, body))
            }
        } else {
            let loop = try add(.match)
            let body = try compile(node, next: loop)
            steps[loop] = isGreedy ? .split(body, next) : .split(next, body)
            entry = loop
        }
        for _ in 0..<least {
            let body = try compile(node, next: entry)
            // More copies of a node without steps change nothing.
            if body == entry { break }
            entry = body
        }
        return entry
    }

    private mutating func compile(_ set: ScalarSet, next: Int) throws(PatternError) -> Int {
        var entry: Int?
        // Sequences that end alike share their last steps.
        var known: [Step: Int] = [:]
        for sequence in UTF8Sequences.of(set) {
            var begin = next
            for range in isReversed ? sequence : sequence.reversed() {
                let step = Step.byte(range, next: begin)
                if let shared = known[step] {
                    begin = shared
                } else {
                    begin = try add(step)
                    known[step] = begin
                }
            }
            entry = try entry.map { (other) throws(PatternError) in try add(.split(begin, other)) } ?? begin
        }
        // A set without members, such as [^\s\S], never matches: it becomes a byte that no UTF-8 has.
        if let entry { return entry }
        return try add(.byte(0xFF...0xFF, next: next))
    }

    private mutating func findClasses() {
        var isEdge = [Bool](repeating: false, count: 257)
        for case .byte(let range, _) in steps {
            isEdge[Int(range.lowerBound)] = true
            isEdge[Int(range.upperBound) + 1] = true
        }
        if hasAssertions {
            for byte in 1...255 where RegexContext(UInt8(byte)) != RegexContext(UInt8(byte - 1)) { isEdge[byte] = true }
        }
        var number = 0
        for byte in 0...255 {
            if byte > 0, isEdge[byte] { number += 1 }
            classes[byte] = UInt8(number)
        }
        classCount = number + 1
    }
}

/// A set of program steps in order of preference, and the context before them.
struct RegexState: Hashable {
    var steps: [Int32]
    var before: RegexContext
}

/// The state in which a machine waits for a match to begin, with one of a few bytes or with the prefix of all matches.
struct RegexSkip {
    /// Negative for no state.
    var state: Int
    let bytes: [UInt8]
    var prefix: LiteralMatcher?

    /// Returns the next offset where a match may begin, or the limit.
    func next(in text: Bytes, from start: Int, before limit: Int) -> Int {
        if let prefix { return prefix.first(in: text, from: start, before: limit) ?? limit }
        return switch bytes.count {
        case 1: ByteScan.first(bytes[0], in: text, start..<limit) ?? limit
        case 2: ByteScan.first(bytes[0], or: bytes[1], in: text, start..<limit) ?? limit
        case 3: ByteScan.first(bytes[0], or: bytes[1], or: bytes[2], in: text, start..<limit) ?? limit
        default: start
        }
    }
}
