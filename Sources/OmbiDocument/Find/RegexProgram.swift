/// A regular expression compiled for bytes: a machine that follows all alternatives at once (Thompson's construction).
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
        let sequences = UTF8Sequences.of(set)
        // Sequences that end alike share their last steps: one alone has nobody to share with.
        var known: [Step: Int] = [:]
        for sequence in sequences {
            var begin = next
            for range in isReversed ? sequence : sequence.reversed() {
                let step = Step.byte(range, next: begin)
                if sequences.count > 1, let shared = known[step] {
                    begin = shared
                } else {
                    begin = try add(step)
                    if sequences.count > 1 { known[step] = begin }
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

/// A regular expression as a tree.
indirect enum RegexNode: Equatable, Sendable {
    enum Assertion: UInt8, Sendable {
        case lineStart, lineEnd, textStart, textEnd, wordEdge, notWordEdge
    }

    case empty
    case set(ScalarSet)
    case sequence([RegexNode])
    case choice([RegexNode])
    case repeated(RegexNode, least: Int, most: Int?, isGreedy: Bool)
    case assertion(Assertion)
    /// The first group, whose bounds a `GroupPattern` finds; other patterns see only its content.
    case group(RegexNode)

    /// Returns a sequence of the letters, each in both cases if wanted.
    static func text(_ text: String, foldingCase: Bool) -> RegexNode {
        .sequence(text.unicodeScalars.map { .set(foldingCase ? ScalarSet($0).foldingCase : ScalarSet($0)) })
    }

    /// The bytes that every match begins with; may be empty.
    var prefix: [UInt8] { parts.bytes }

    /// The prefix; `isAll` if it is the whole expression.
    private var parts: (bytes: [UInt8], isAll: Bool) {
        switch self {
        case .empty: return ([], true)
        case .set(let set):
            guard set.ranges.count == 1, let range = set.ranges.first, range.count == 1,
                let scalar = Unicode.Scalar(range.lowerBound)
            else { return ([], false) }
            return (Array(String(scalar).utf8), true)
        case .sequence(let nodes):
            var bytes: [UInt8] = []
            for node in nodes {
                let (more, isAll) = node.parts
                bytes += more
                if !isAll { return (bytes, false) }
            }
            return (bytes, true)
        case .group(let node): return node.parts
        case .repeated(let node, let least, _, _): return (least > 0 ? node.parts.bytes : [], false)
        case .choice, .assertion: return ([], false)
        }
    }
}

/// Texts in JSON, which has them in several forms.
extension RegexNode {
    /// Returns a text with any spaces after a key and a comma, and each character as it is or as an escape (RFC 8259,
    /// section 7); nil for a text that JSON has in one form.
    ///
    /// Letters and digits of ASCII are escaped by no writer of JSON.
    static func json(_ text: String, foldingCase: Bool) -> RegexNode? {
        var (nodes, hasForms): ([RegexNode], Bool) = ([], false)
        var before: Unicode.Scalar?
        var left = Array(text.unicodeScalars)[...]
        while let scalar = left.popFirst() {
            if scalar == ":" && before == "\"" || scalar == "," && left.first == " " {
                if scalar == ":" { nodes.append(spaces) }
                nodes += [.set(ScalarSet(scalar)), spaces]
                left = left.drop { $0 == " " }
                hasForms = true
            } else {
                let forms = jsonForms(of: scalar, foldingCase: foldingCase)
                nodes.append(forms.count == 1 ? forms[0] : .choice(forms))
                hasForms = hasForms || forms.count > 1
            }
            before = scalar
        }
        return hasForms ? .sequence(nodes) : nil
    }

    private static let spaces = RegexNode.repeated(.set(.spaces), least: 0, most: nil, isGreedy: true)
    /// The characters that have an escape of their own.
    private static let escaped = Set("\"\\/".unicodeScalars)
    /// ASCII characters that some writers escape by number, so that JSON may be embedded in HTML.
    private static let numbered = escaped.union("<>&'+=".unicodeScalars)

    private static func jsonForms(of scalar: Unicode.Scalar, foldingCase: Bool) -> [RegexNode] {
        let set = foldingCase ? ScalarSet(scalar).foldingCase : ScalarSet(scalar)
        guard !scalar.isASCII || numbered.contains(scalar) else { return [.set(set)] }
        let short = escaped.contains(scalar) ? [RegexNode.text("\\" + String(scalar), foldingCase: false)] : []
        let scalars = set.ranges.flatMap { $0.compactMap { Unicode.Scalar($0) } }
        return [RegexNode.set(set)] + short + scalars.map(jsonNumber)
    }

    /// `\u00fc`, or two of them, with letters in either case.
    private static func jsonNumber(of scalar: Unicode.Scalar) -> RegexNode {
        .sequence(
            String(scalar).utf16.flatMap { unit -> [RegexNode] in
                [.text("\\u", foldingCase: false), .text(unit.digits(4, radix: 16), foldingCase: true)]
            })
    }
}
