/// A regular expression of RFC 9485. Its tables are filled while it matches, so it belongs to one thread.
///
/// A `^` that opens a branch and a `$` that closes one match the beginning and the end of the text, as in every engine
/// that RFC 9485, section 5, maps to and as the JSONPath compliance suite expects; elsewhere they stand for themselves.
final class IRegexp {
    private let node: RegexNode
    private lazy var whole = machine(isWhole: true)
    private lazy var part = machine(isWhole: false)

    /// The maximum number of compiled steps: `\p{L}` alone has 2000. Longer expressions, such as `(a{1000}){1000}`, are
    /// rejected.
    private static let maximumSteps = 200_000

    /// Returns nil for an expression that RFC 9485 does not allow or that is too long.
    init?(_ source: String) {
        var parser = IRegexpParser(source)
        guard let node = parser.parse() else { return nil }
        self.node = node
        guard part != nil else { return nil }
    }

    private func machine(isWhole: Bool) -> RegexMachine? {
        let program = try? RegexProgram(
            node, isReversed: false, isAnchored: isWhole, maximumSteps: Self.maximumSteps)
        return program.map { RegexMachine($0, wantsLongest: isWhole) }
    }

    /// - Parameter text: UTF-8. Invalid sequences (a lone surrogate) are matched as U+FFFD.
    /// - Parameter isWhole: True to match the whole text, false to match any part of it.
    func matches(_ text: [UInt8], isWhole: Bool, within time: EvaluationTime? = nil) -> Bool {
        let isASCII = text.allSatisfy { $0 < 0x80 }
        let bytes = isASCII ? Bytes(text) : Bytes(String(decoding: text, as: UTF8.self).utf8)
        let count = bytes.count
        let machine = isWhole ? whole : part
        machine?.time = time
        if isWhole { return machine?.end(in: bytes, from: 0, before: count, window: count) == count }
        return machine?.end(in: bytes, from: 0, before: count, window: 0) != nil
    }
}

/// Parses a regular expression by exactly the grammar of RFC 9485, section 4.
struct IRegexpParser: RegexReading {
    private static let maximumDepth = 64
    let pattern: [Unicode.Scalar]
    var index = 0
    private var depth = 0

    init(_ source: String) { pattern = Array(source.unicodeScalars) }

    /// Returns nil for text outside the grammar.
    mutating func parse() -> RegexNode? {
        guard let result = choice(), index == pattern.count else { return nil }
        return result
    }

    private mutating func choice() -> RegexNode? {
        guard depth < Self.maximumDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        var branches: [RegexNode] = []
        repeat {
            guard let branch = branch() else { return nil }
            branches.append(branch)
        } while take("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func branch() -> RegexNode? {
        var parts: [RegexNode] = []
        if take("^") { parts.append(.assertion(.textStart)) }
        while let scalar = next, scalar != "|", scalar != ")" {
            let after = index + 1 < pattern.count ? pattern[index + 1] : "|"
            if scalar == "$", after == "|" || after == ")" {
                index += 1
                parts.append(.assertion(.textEnd))
            } else {
                guard let atom = atom(), let part = quantified(atom) else { return nil }
                parts.append(part)
            }
        }
        return .sequence(parts)
    }

    private mutating func atom() -> RegexNode? {
        guard let scalar = next else { return nil }
        index += 1
        switch scalar {
        case "(":
            guard let inner = choice(), take(")") else { return nil }
            return inner
        case ".": return .set(.notLineEnds)
        case "\\": return escape().map { .set($0) }
        case "[": return bracketed().map { .set($0) }
        case "*", "+", "?", "]", "{", "}": return nil
        default: return .set(ScalarSet(scalar))
        }
    }

    private mutating func quantified(_ atom: RegexNode) -> RegexNode? {
        if take("*") { return .repeated(atom, least: 0, most: nil, isGreedy: true) }
        if take("+") { return .repeated(atom, least: 1, most: nil, isGreedy: true) }
        if take("?") { return .repeated(atom, least: 0, most: 1, isGreedy: true) }
        guard take("{") else { return atom }
        guard let least = number() else { return nil }
        if take("}") { return .repeated(atom, least: least, most: least, isGreedy: true) }
        guard take(",") else { return nil }
        if take("}") { return .repeated(atom, least: least, most: nil, isGreedy: true) }
        guard let most = number(), take("}"), least <= most else { return nil }
        return .repeated(atom, least: least, most: most, isGreedy: true)
    }

    /// Parses the rest of an escape, after the backslash.
    private mutating func escape() -> ScalarSet? {
        guard let scalar = next else { return nil }
        index += 1
        switch scalar {
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return ScalarSet(scalar)
        case "n": return ScalarSet("\n")
        case "r": return ScalarSet("\r")
        case "t": return ScalarSet("\t")
        case "p", "P": return category(isInverted: scalar == "P")
        default: return nil
        }
    }

    private mutating func bracketed() -> ScalarSet? {
        let isNegated = take("^")
        var result = ScalarSet([])
        if take("-") { result = ScalarSet("-") }
        while let scalar = next, scalar != "]" {
            if take("-") {
                result = result.union(ScalarSet("-"))
                break  // a hyphen stands for itself at either end only
            }
            guard let low = classMember() else { return nil }
            guard let first = low.single, next == "-", index + 1 < pattern.count, pattern[index + 1] != "]" else {
                result = result.union(low.set)
                continue
            }
            index += 1
            guard let last = classMember()?.single, first <= last else { return nil }
            result = result.union(ScalarSet([first...last]))
        }
        guard take("]"), !result.ranges.isEmpty else { return nil }
        return isNegated ? result.inverted : result
    }

    /// Parses one character or category in brackets.
    private mutating func classMember() -> (set: ScalarSet, single: UInt32?)? {
        guard let scalar = next, scalar != "[", scalar != "-" else { return nil }
        index += 1
        let isCategory = scalar == "\\" && (next == "p" || next == "P")
        guard let set = scalar == "\\" ? escape() : ScalarSet(scalar) else { return nil }
        return (set, isCategory ? nil : set.ranges.first?.lowerBound)
    }
}
