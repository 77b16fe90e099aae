/// A parser of regular expressions, scalar by scalar.
protocol RegexReading {
    var pattern: [Unicode.Scalar] { get }
    /// The index of the next scalar.
    var index: Int { get set }
}

extension RegexReading {
    var next: Unicode.Scalar? { index < pattern.count ? pattern[index] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    /// Takes a number, at most a million; nil without digits.
    mutating func number() -> Int? {
        var number: Int?
        while let scalar = next, let digit = Int(String(scalar)) {
            number = min(1_000_000, (number ?? 0) * 10 + digit)
            index += 1
        }
        return number
    }

    /// Takes the rest of a Unicode category, such as `\p{Lu}`, after the letter; nil if it is none.
    mutating func category(isInverted: Bool) -> ScalarSet? {
        guard take("{") else { return nil }
        var name = ""
        while let scalar = next, scalar != "}", name.unicodeScalars.count < 3 {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard take("}"), let set = ScalarSet.category(name) else { return nil }
        return isInverted ? set.inverted : set
    }
}

/// Parses regular expressions: the common ground of grep, JavaScript and Perl, without what needs backtracking
/// (backreferences, lookaround). `.` stops at the end of a line.
struct RegexParser: RegexReading {
    /// The texts that a pattern is for.
    enum Dialect {
        /// Bodies that are searched: `^` and `$` match at line breaks, letters of all scripts are `\w`.
        case search
        /// Values of JSON: ECMA-262 without flags, as JSON Schema has it.
        case schema
    }

    let pattern: [Unicode.Scalar]
    var index = 0
    private let dialect: Dialect
    private var depth = 0
    private var ignoresCase: Bool
    private var matchesLineEnds = false
    /// True while no group has been captured that is to be marked.
    private var marksGroup: Bool

    private static let maximumDepth = 100
    private static let maximumRepeats = 1000

    /// - Parameter marksGroup: True for a tree with a node for the first group.
    static func parse(
        _ pattern: String, ignoringCase: Bool, marksGroup: Bool = false, as dialect: Dialect = .search
    ) throws(PatternError) -> RegexNode {
        var parser = RegexParser(
            pattern: Array(pattern.unicodeScalars), ignoresCase: ignoringCase, marksGroup: marksGroup, dialect)
        parser.readFlags()
        let node = try parser.choice()
        guard parser.index == parser.pattern.count else { throw parser.error("')' without '('") }
        return node
    }

    private init(pattern: [Unicode.Scalar], ignoresCase: Bool, marksGroup: Bool, _ dialect: Dialect) {
        self.pattern = pattern
        self.dialect = dialect
        self.ignoresCase = ignoresCase
        self.marksGroup = marksGroup
    }

    /// Reads flags for the whole pattern, such as `(?is)`; `m` always holds.
    private mutating func readFlags() {
        guard pattern.starts(with: "(?".unicodeScalars) else { return }
        let flags = pattern.dropFirst(2).prefix { "ims".unicodeScalars.contains($0) }
        guard !flags.isEmpty, flags.endIndex < pattern.count, pattern[flags.endIndex] == ")" else { return }
        if flags.contains("i") { ignoresCase = true }
        if flags.contains("s") { matchesLineEnds = true }
        index = flags.endIndex + 1
    }

    private func error(_ reason: String, at position: Int? = nil) -> PatternError {
        PatternError(reason: reason, column: (position ?? index) + 1)
    }

    private mutating func choice() throws(PatternError) -> RegexNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw error("groups are nested too deep") }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternError) -> RegexNode {
        var parts: [RegexNode] = []
        while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repeatedAtom()) }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func repeatedAtom() throws(PatternError) -> RegexNode {
        var node = try atom()
        var times = 0
        while let (least, most) = try quantifier() {
            times += 1
            guard times <= 3 else { throw error("too many repetitions of a repetition") }
            node = .repeated(node, least: least, most: most, isGreedy: !take("?"))
        }
        return node
    }

    private mutating func quantifier() throws(PatternError) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard next == "{" else { return nil }
        let start = index
        index += 1
        guard let least = number() else {
            // A brace that opens no repetition stands for itself, as in `{"id"`.
            index = start
            return nil
        }
        var most: Int? = least
        if take(",") { most = number() }
        guard take("}") else {
            index = start
            return nil
        }
        guard least <= Self.maximumRepeats, most ?? 0 <= Self.maximumRepeats else {
            throw error("more than \(Self.maximumRepeats) repetitions", at: start)
        }
        if let most, most < least {
            throw error("the repetition {\(least),\(most)} has its bounds in the wrong order", at: start)
        }
        return (least, most)
    }

    private var dot: ScalarSet {
        if matchesLineEnds { return ScalarSet([0...ScalarSet.last]) }
        return dialect == .schema ? .notScriptLineEnds : .notLineEnds
    }

    private mutating func atom() throws(PatternError) -> RegexNode {
        guard let scalar = next else { return .empty }
        let start = index
        index += 1
        switch scalar {
        case "(": return try group(start)
        case "[": return try .set(bracket(start))
        case ".": return .set(dot)
        case "^": return .assertion(dialect == .schema ? .textStart : .lineStart)
        case "$": return .assertion(dialect == .schema ? .textEnd : .lineEnd)
        case "*", "+", "?": throw error("nothing to repeat before '\(scalar)'", at: start)
        case "\\": return try escape(start)
        default: return .set(cased(ScalarSet(scalar)))
        }
    }

    private func cased(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.foldingCase : set }

    private mutating func group(_ start: Int) throws(PatternError) -> RegexNode {
        var isCaptured = true
        if take("?") {
            switch next {
            case ":":
                index += 1
                isCaptured = false
            case "P", "<", "'":
                index += next == "P" ? 2 : 1
                if next == "=" || next == "!" { throw error("lookaround is not supported", at: start) }
                while let scalar = next, scalar != ">", scalar != "'" { index += 1 }
                index += 1
            case "=", "!": throw error("lookaround is not supported", at: start)
            default: throw error("unknown kind of group", at: start)
            }
        }
        let isMarked = isCaptured && marksGroup
        if isMarked { marksGroup = false }
        let node = try choice()
        guard take(")") else { throw error("'(' without ')'", at: start) }
        return isMarked ? .group(node) : node
    }

    private mutating func escape(_ start: Int) throws(PatternError) -> RegexNode {
        switch next {
        case nil: throw error("'\\' at the end", at: start)
        case "b":
            index += 1
            return .assertion(.wordEdge)
        case "B":
            index += 1
            return .assertion(.notWordEdge)
        case "A":
            index += 1
            return .assertion(.textStart)
        case "z", "Z":
            index += 1
            return .assertion(.textEnd)
        case "1"?, "2"?, "3"?, "4"?, "5"?, "6"?, "7"?, "8"?, "9"?:
            throw error("backreferences are not supported", at: start)
        default: return .set(cased(try escapedSet(start)))
        }
    }

    private var spaces: ScalarSet { dialect == .schema ? .scriptSpaces : .spaces }
    private var words: ScalarSet { dialect == .schema ? .scriptWords : .words }

    /// Parses the rest of an escape, after the backslash, within brackets or without.
    private mutating func escapedSet(_ start: Int) throws(PatternError) -> ScalarSet {
        guard let scalar = next else { throw error("'\\' at the end", at: start) }
        index += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "s": return spaces
        case "S": return spaces.inverted
        case "w": return words
        case "W": return words.inverted
        case "n": return ScalarSet("\n")
        case "t": return ScalarSet("\t")
        case "r": return ScalarSet("\r")
        case "f": return ScalarSet("\u{0C}")
        case "v": return ScalarSet("\u{0B}")
        case "e": return ScalarSet("\u{1B}")
        case "0": return ScalarSet("\0")
        case "p", "P":
            if let set = category(isInverted: scalar == "P") { return set }
            throw error("not a Unicode category, such as \\p{L} or \\p{Lu}", at: start)
        case "x": return try hexadecimal(2, start)
        case "u": return try hexadecimal(4, start)
        default:
            let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
            if isLetter || scalar.properties.numericType != nil { throw error("unknown escape \\\(scalar)", at: start) }
            return ScalarSet(scalar)
        }
    }

    private mutating func hexadecimal(_ digits: Int, _ start: Int) throws(PatternError) -> ScalarSet {
        let isBraced = take("{")
        var value: UInt32 = 0
        var count = 0
        while count < (isBraced ? 6 : digits), let scalar = next, let digit = UInt32(String(scalar), radix: 16) {
            value = value << 4 | digit
            count += 1
            index += 1
        }
        guard count > 0, isBraced ? take("}") : count == digits, let scalar = Unicode.Scalar(value) else {
            throw error("not the number of a character", at: start)
        }
        return ScalarSet(scalar)
    }

    private mutating func bracket(_ start: Int) throws(PatternError) -> ScalarSet {
        let isInverted = take("^")
        var set = ScalarSet([])
        var isFirst = true
        while isFirst || next != "]" {
            guard next != nil else { throw error("'[' without ']'", at: start) }
            isFirst = false
            let position = index
            let low = try member()
            if next == "-", index + 1 < pattern.count, pattern[index + 1] != "]" {
                index += 1
                let high = try member()
                guard low.ranges.count == 1, high.ranges.count == 1, let first = low.ranges.first?.lowerBound,
                    let last = high.ranges.first?.upperBound, first <= last, low.ranges[0].count == 1
                else { throw error("not a range of characters", at: position) }
                set = set.union(ScalarSet([first...last]))
            } else {
                set = set.union(low)
            }
        }
        index += 1
        set = cased(set)
        return isInverted ? set.inverted : set
    }

    private mutating func member() throws(PatternError) -> ScalarSet {
        let start = index
        guard let scalar = next else { throw error("'[' without ']'", at: start) }
        index += 1
        if scalar == "[", next == ":" { throw error("named classes are not supported", at: start) }
        guard scalar == "\\" else { return ScalarSet(scalar) }
        if next == "b" {
            index += 1
            return ScalarSet("\u{08}")
        }
        return try escapedSet(start)
    }
}
