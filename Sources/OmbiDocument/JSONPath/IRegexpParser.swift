/// Parses a regular expression by exactly the grammar of RFC 9485, section 4.
struct IRegexpParser {
    private static let maximumDepth = 64
    private let text: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ source: String) { text = Array(source.unicodeScalars) }

    /// Returns nil for text outside the grammar.
    mutating func parse() -> IRegexpNode? {
        guard let result = choice(), position == text.count else { return nil }
        return result
    }

    private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func choice() -> IRegexpNode? {
        guard depth < Self.maximumDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        var branches: [IRegexpNode] = []
        repeat {
            guard let branch = branch() else { return nil }
            branches.append(branch)
        } while take("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func branch() -> IRegexpNode? {
        var parts: [IRegexpNode] = []
        if take("^") { parts.append(.begin) }
        while let scalar = next, scalar != "|", scalar != ")" {
            let after = position + 1 < text.count ? text[position + 1] : "|"
            if scalar == "$", after == "|" || after == ")" {
                position += 1
                parts.append(.end)
            } else {
                guard let atom = atom(), let part = quantified(atom) else { return nil }
                parts.append(part)
            }
        }
        return .sequence(parts)
    }

    private mutating func atom() -> IRegexpNode? {
        guard let scalar = next else { return nil }
        position += 1
        switch scalar {
        case "(":
            guard let inner = choice(), take(")") else { return nil }
            return inner
        case ".": return .set(.any)
        case "\\": return escape().map { .set($0) }
        case "[": return bracketed().map { .set($0) }
        case "*", "+", "?", "]", "{", "}": return nil
        default: return .set(IRegexpSet(scalar))
        }
    }

    private mutating func quantified(_ atom: IRegexpNode) -> IRegexpNode? {
        if take("*") { return .repetition(atom, least: 0, most: nil) }
        if take("+") { return .repetition(atom, least: 1, most: nil) }
        if take("?") { return .repetition(atom, least: 0, most: 1) }
        guard take("{") else { return atom }
        guard let least = number() else { return nil }
        if take("}") { return .repetition(atom, least: least, most: least) }
        guard take(",") else { return nil }
        if take("}") { return .repetition(atom, least: least, most: nil) }
        guard let most = number(), take("}"), least <= most else { return nil }
        return .repetition(atom, least: least, most: most)
    }

    /// Parses a count, clamped to `IRegexp.maximumLength + 1`.
    private mutating func number() -> Int? {
        let start = position
        var result = 0
        while let next, "0"..."9" ~= next {
            result = min(result * 10 + Int(next.value - 0x30), IRegexp.maximumLength + 1)
            position += 1
        }
        return position > start ? result : nil
    }

    /// Parses the rest of an escape, after the backslash.
    private mutating func escape() -> IRegexpSet? {
        guard let scalar = next else { return nil }
        position += 1
        switch scalar {
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return IRegexpSet(scalar)
        case "n": return IRegexpSet("\n")
        case "r": return IRegexpSet("\r")
        case "t": return IRegexpSet("\t")
        case "p", "P": return category(isNegated: scalar == "P")
        default: return nil
        }
    }

    private mutating func category(isNegated: Bool) -> IRegexpSet? {
        guard take("{") else { return nil }
        var name = ""
        while let next, next != "}", name.unicodeScalars.count < 3 {
            name.unicodeScalars.append(next)
            position += 1
        }
        guard take("}") else { return nil }
        return IRegexpCategory(name, isNegated: isNegated).map { IRegexpSet($0) }
    }

    private mutating func bracketed() -> IRegexpSet? {
        var result = IRegexpSet()
        result.isNegated = take("^")
        if take("-") { result.ranges.append(0x2D...0x2D) }
        while let scalar = next, scalar != "]" {
            if take("-") {
                result.ranges.append(0x2D...0x2D)
                break  // a hyphen stands for itself at either end only
            }
            guard let first = classMember() else { return nil }
            guard let low = first.single, next == "-", position + 1 < text.count, text[position + 1] != "]" else {
                result.ranges += first.ranges
                result.categories += first.categories
                continue
            }
            position += 1
            guard let high = classMember()?.single, low <= high else { return nil }
            result.ranges.append(low...high)
        }
        guard take("]"), !result.ranges.isEmpty || !result.categories.isEmpty else { return nil }
        return result
    }

    /// Parses one character or category in brackets.
    private mutating func classMember() -> IRegexpSet? {
        guard let scalar = next, scalar != "[", scalar != "-" else { return nil }
        position += 1
        return scalar == "\\" ? escape() : IRegexpSet(scalar)
    }
}

extension IRegexpSet {
    /// The character of a set that holds only one.
    fileprivate var single: UInt32? {
        categories.isEmpty && ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil
    }
}
