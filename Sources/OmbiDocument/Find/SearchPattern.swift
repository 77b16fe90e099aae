/// A search pattern, checked and compiled.
package struct SearchPattern: Sendable {
    package enum Syntax: Sendable, Equatable, CaseIterable {
        /// Literal text.
        case text
        /// A regular expression (see `RegexParser`).
        case regex
        /// Bytes: `de ad be ef`, with or without spaces and `0x`.
        case hex
    }

    package enum Case: Sendable, Equatable, CaseIterable {
        /// Case-sensitive if the pattern has a capital letter.
        case smart
        case matters
        case ignored
    }

    package let source: String
    package let syntax: Syntax
    package let ignoresCase: Bool
    let compiled: Compiled

    enum Compiled: Sendable {
        case literal(LiteralMatcher)
        case regex(RegexPattern)
    }

    package init(_ source: String, syntax: Syntax = .text, case rule: Case = .smart) throws(PatternError) {
        self.source = source
        self.syntax = syntax
        guard !source.isEmpty else { throw PatternError(reason: "nothing to search for", column: 1) }
        ignoresCase = rule == .ignored || rule == .smart && !Self.hasCapitals(source, syntax)
        switch syntax {
        case .hex: compiled = .literal(LiteralMatcher(try Self.bytes(source), ignoresCase: false))
        case .text where !ignoresCase || source.utf8.allSatisfy { $0 < 0x80 }:
            compiled = .literal(LiteralMatcher(Array(source.utf8), ignoresCase: ignoresCase))
        case .text: compiled = .regex(try RegexPattern(.text(source, foldingCase: true)))
        case .regex:
            if let text = Self.plainText(source), !ignoresCase || text.utf8.allSatisfy({ $0 < 0x80 }) {
                compiled = .literal(LiteralMatcher(Array(text.utf8), ignoresCase: ignoresCase))
            } else {
                compiled = .regex(try RegexPattern(try RegexParser.parse(source, ignoringCase: ignoresCase)))
            }
        }
    }

    /// Creates a pattern for a text in JSON, in which characters may be escaped and spaces may differ.
    package init(inJSON source: String, case rule: Case = .smart) throws(PatternError) {
        let ignoresCase = rule == .ignored || rule == .smart && !Self.hasCapitals(source, .text)
        if let node = RegexNode.json(source, foldingCase: ignoresCase) {
            self.init(source, ignoresCase: ignoresCase, try RegexPattern(node))
        } else {
            try self.init(source, syntax: .text, case: rule)
        }
    }

    private init(_ source: String, ignoresCase: Bool, _ pattern: RegexPattern) {
        self.source = source
        self.ignoresCase = ignoresCase
        syntax = .text
        compiled = .regex(pattern)
    }

    /// Returns the text that a regular expression without metacharacters matches; nil for others.
    fileprivate static func plainText(_ source: String) -> String? {
        source.utf8.contains { "\\^$.|?*+()[]{}".utf8.contains($0) } ? nil : source
    }

    private static func hasCapitals(_ source: String, _ syntax: Syntax) -> Bool {
        var isEscaped = false
        for scalar in source.unicodeScalars {
            if scalar.properties.isUppercase, !(isEscaped && syntax == .regex) { return true }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return false
    }

    private static func bytes(_ source: String) throws(PatternError) -> [UInt8] {
        var bytes: [UInt8] = []
        var half: UInt8?
        let signs = Array(source)
        var index = 0
        while index < signs.count {
            let sign = signs[index]
            if sign == "0", half == nil, index + 1 < signs.count, signs[index + 1] == "x" || signs[index + 1] == "X" {
                index += 2
                continue
            }
            if let digit = sign.isASCII ? sign.hexDigitValue : nil {
                if let high = half { bytes.append(high << 4 | UInt8(digit)) }
                half = half == nil ? UInt8(digit) : nil
            } else if sign != " " && sign != "," && sign != ":" || half != nil {
                throw PatternError(
                    reason: "not bytes in hexadecimal: two digits each, such as \"de ad\"", column: index + 1)
            }
            index += 1
        }
        guard half == nil, !bytes.isEmpty else {
            throw PatternError(reason: "the last byte has one digit only", column: signs.count)
        }
        return bytes
    }
}

/// A regular expression in the syntax of a search (see `RegexParser`), for a yes or no: it also matches empty text. Its
/// tables are filled while it matches, so it belongs to one thread.
package final class TextPattern {
    private enum Form {
        case literal(LiteralMatcher)
        /// Not begun yet: most patterns are only checked.
        case program(RegexProgram)
        case machine(RegexMachine)
    }

    private var form: Form

    package convenience init(_ source: String) throws(PatternError) { try self.init(source, as: .search) }

    package convenience init(ofSchema source: String) throws(PatternError) { try self.init(source, as: .schema) }

    private init(_ source: String, as dialect: RegexParser.Dialect) throws(PatternError) {
        if !source.isEmpty, let text = SearchPattern.plainText(source) {
            form = .literal(LiteralMatcher(Array(text.utf8), ignoresCase: false))
            return
        }
        let node = try RegexParser.parse(source, ignoringCase: false, as: dialect)
        form = .program(try RegexProgram(node, isReversed: false, isAnchored: false))
    }

    /// Returns true if any part of the text matches; false once the time is over.
    package func matches(_ text: Bytes, within time: EvaluationTime? = nil) -> Bool {
        switch form {
        case .literal(let matcher): return matcher.first(in: text, from: 0, before: text.count) != nil
        case .program(let program):
            form = .machine(RegexMachine(program, wantsLongest: false))
            return matches(text, within: time)
        case .machine(let machine):
            machine.time = time
            return machine.end(in: text, from: 0, before: text.count, window: 0) != nil
        }
    }
}

/// A regular expression compiled in both directions.
struct RegexPattern: Sendable {
    let forward: RegexProgram
    let backward: RegexProgram
    /// The prefix of every match, if it is longer than a byte: it is found faster than any match.
    let prefix: LiteralMatcher?

    init(_ node: RegexNode) throws(PatternError) {
        forward = try RegexProgram(node, isReversed: false, isAnchored: false)
        let bytes = node.prefix
        prefix = bytes.count > 1 ? LiteralMatcher(bytes, ignoresCase: false) : nil
        backward = try RegexProgram(node, isReversed: true, isAnchored: true)
    }
}

/// An error in a pattern: its reason and column.
package struct PatternError: Error, Sendable, Equatable, CustomStringConvertible {
    package var reason: String
    /// The character of the pattern at fault, from 1.
    package var column: Int

    package init(reason: String, column: Int) {
        self.reason = reason
        self.column = column
    }

    package var description: String { "\(reason) (column \(column))" }
}

/// Finds bytes exactly, or ASCII letters in either case. It searches for the two bytes of the needle that are rarest in
/// texts, eight positions at a time, and compares the rest where both are found.
struct LiteralMatcher: Sendable {
    let needle: [UInt8]
    /// The bits set before a byte is compared: 0x20 for letters whose case is ignored.
    private let masks: [UInt8]
    private let first: Int
    private let second: Int

    /// - Parameter needle: Not empty.
    init(_ needle: [UInt8], ignoresCase: Bool) {
        masks = needle.map { ignoresCase && $0.isASCIILetter ? 0x20 : 0 }
        self.needle = zip(needle, masks).map { $0 | $1 }
        let byRarity = needle.indices.sorted { Self.commonness(needle[$0]) < Self.commonness(needle[$1]) }
        first = byRarity.first ?? 0
        second = byRarity.dropFirst().first ?? first
    }

    /// Ranks a byte by how common it is in texts and JSON, roughly: its index in this list.
    private static func commonness(_ byte: UInt8) -> Int {
        let common = Array("jqzxkvbJQZXKVWYwypgfmcu/;'|=+*&%$#@!?~^`hldrnosiate098765432{}[]1:,.-_\n\"".utf8)
        if byte == 0x20 { return common.count }
        return common.firstIndex(of: byte) ?? (byte.isASCIILetter ? 6 : -1)
    }

    /// Returns the first offset of the needle, at `start` or later and before `limit`.
    func first(in bytes: Bytes, from start: Int, before limit: Int) -> Int? {
        let base = bytes.base
        let end = min(limit, bytes.count - needle.count + 1)
        var offset = max(0, start)
        guard !needle.isEmpty, offset < end else { return nil }
        let (wanted, mask) = (ByteScan.all(needle[first]), ByteScan.all(masks[first]))
        let (otherWanted, otherMask) = (ByteScan.all(needle[second]), ByteScan.all(masks[second]))
        while offset + 8 <= end {
            let word = (ByteScan.word(base, offset + first) | mask) ^ wanted
            let other = (ByteScan.word(base, offset + second) | otherMask) ^ otherWanted
            var candidates = ByteScan.zeros(word | other)
            while candidates != 0 {
                let candidate = offset + candidates.trailingZeroBitCount >> 3
                if isNeedle(base + candidate) { return candidate }
                candidates &= candidates - 1
            }
            offset += 8
        }
        while offset < end {
            if isNeedle(base + offset) { return offset }
            offset += 1
        }
        return nil
    }

    @inline(__always)
    private func isNeedle(_ address: UnsafePointer<UInt8>) -> Bool {
        for index in 0..<needle.count where address[index] | masks[index] != needle[index] { return false }
        return true
    }
}

/// A regular expression in the syntax of a search (see `RegexParser`), for the text of its first group. Its tables are
/// filled while it matches, so it belongs to one thread.
package final class GroupPattern {
    package enum Found: Equatable {
        case nothing
        /// The range of the first group; without groups, of all that matches.
        case text(ByteRange)
        /// A match without the group, as in `(a)|b`.
        case noGroup
    }

    private let forward: RegexMachine
    private let backward: RegexMachine
    private let marked: RegexProgram
    private let hasGroup: Bool

    package init(_ source: String) throws(PatternError) {
        let node = try RegexParser.parse(source, ignoringCase: false, marksGroup: true)
        let pattern = try RegexPattern(node)
        forward = RegexMachine(pattern.forward, wantsLongest: false, prefix: pattern.prefix)
        backward = RegexMachine(pattern.backward, wantsLongest: true)
        marked = try RegexProgram(node, isReversed: false, isAnchored: true, marksGroup: true)
        hasGroup = marked.steps.contains { if case .mark = $0 { true } else { false } }
    }

    /// Searches for the first match, which may be empty. Finds nothing once the time is over.
    package func first(in text: Bytes, within time: EvaluationTime) -> Found {
        (forward.time, backward.time) = (time, time)
        guard let end = forward.end(in: text, from: 0, before: text.count, window: text.count),
            let start = backward.start(in: text, from: end, downTo: 0)
        else { return .nothing }
        guard hasGroup else { return .text(start..<end) }
        var run = GroupRun(marked, text)
        return run.group(of: start..<end, within: time)
    }
}

/// The search for the group of a match whose bounds are known: it follows all paths through the program at the same
/// time, each with the marks that it has passed.
private struct GroupRun {
    private struct Way {
        var step: Int
        /// Negative before the first mark.
        var start = -1
        var end = -1
    }

    private let program: RegexProgram
    private let text: Bytes
    private var visited: [Int]

    init(_ program: RegexProgram, _ text: Bytes) {
        (self.program, self.text) = (program, text)
        visited = Array(repeating: -1, count: program.steps.count)
    }

    mutating func group(of match: ByteRange, within time: EvaluationTime) -> GroupPattern.Found {
        var ways = [Way(step: program.start)]
        var found: Way?
        for offset in match.lowerBound...match.upperBound {
            guard time.step(4 &+ ways.count &* 4) else { return .nothing }
            let (waiting, end) = follow(ways, at: offset)
            if let end { found = end }
            ways.removeAll(keepingCapacity: true)
            guard offset < match.upperBound else { break }
            let byte = text[offset]
            for way in waiting {
                guard case .byte(let range, let next) = program.steps[way.step], range.contains(byte) else { continue }
                ways.append(Way(step: next, start: way.start, end: way.end))
            }
            if ways.isEmpty { break }
        }
        guard let found else { return .nothing }
        return found.end >= 0 ? .text(found.start..<found.end) : .noGroup
    }

    /// Returns the ways that wait for a byte, in order of preference, and the one that has come to the end, if any: it is
    /// preferred to those that are left out.
    private mutating func follow(_ ways: [Way], at offset: Int) -> (waiting: [Way], end: Way?) {
        let before = offset == 0 ? .edge : RegexContext(text[offset - 1])
        let after = offset == text.count ? .edge : RegexContext(text[offset])
        var waiting: [Way] = []
        var stack = Array(ways.reversed())
        while var way = stack.popLast() {
            guard visited[way.step] != offset else { continue }
            visited[way.step] = offset
            switch program.steps[way.step] {
            case .byte: waiting.append(way)
            case .split(let first, let second):
                stack.append(Way(step: second, start: way.start, end: way.end))
                stack.append(Way(step: first, start: way.start, end: way.end))
            case .assertion(let assertion, let next):
                guard RegexContext.holds(assertion, before, after) else { continue }
                way.step = next
                stack.append(way)
            case .mark(let isEnd, let next):
                if isEnd { way.end = offset } else { way.start = offset }
                way.step = next
                stack.append(way)
            case .match: return (waiting, way)
            }
        }
        return (waiting, nil)
    }
}

/// A text that a pattern matches, for values that are made of a description.
package struct PatternExample {
    private var scalars: [Unicode.Scalar] = []
    /// The number of repetitions of a repeated part, within its bounds.
    private let count: Int
    /// The nodes that it may still visit.
    private var left = 20_000

    /// In scalars.
    private static let maximumLength = 2000

    private init(repeating count: Int) { self.count = count }

    /// Returns a text that matches a pattern, with a length in scalars; nil if none was found.
    package static func text(of pattern: String, length: ClosedRange<Int>) -> String? {
        guard let node = try? RegexParser.parse(pattern, ignoringCase: false, as: .schema),
            let machine = try? TextPattern(ofSchema: pattern)
        else { return nil }
        // Few repetitions, then as many as a length may need.
        for count in [0, 1, 2, 4, 8, 16, 32, 64, length.lowerBound] {
            var example = PatternExample(repeating: count)
            guard example.append(node), length.contains(example.scalars.count) else { continue }
            var text = ""
            text.unicodeScalars.append(contentsOf: example.scalars)
            if machine.matches(Bytes(text.utf8)) { return text }
        }
        return nil
    }

    /// Appends a text that the expression matches, without its assertions; false if there is none, or it is too long.
    private mutating func append(_ node: RegexNode) -> Bool {
        left -= 1
        guard left > 0 else { return false }
        switch node {
        case .empty, .assertion: return true
        case .set(let set):
            guard let scalar = set.example, scalars.count < Self.maximumLength else { return false }
            scalars.append(scalar)
            return true
        case .sequence(let nodes):
            for node in nodes where !append(node) { return false }
            return true
        case .choice(let nodes):
            let length = scalars.count
            for node in nodes {
                if append(node) { return true }
                scalars.removeLast(scalars.count - length)
            }
            return false
        case .repeated(let node, let least, let most, _):
            for _ in 0..<max(least, min(count, most ?? count)) {
                let length = scalars.count
                guard append(node) else { return false }
                if scalars.count == length { break }
            }
            return true
        case .group(let node): return append(node)
        }
    }
}

extension ScalarSet {
    /// The scalars in order of preference: letters and digits are the most common.
    private static let usual: [Unicode.Scalar] =
        ["a", "A", "0", "1"] + (UInt32(0x21)...0x7E).compactMap { Unicode.Scalar($0) }

    /// A letter or a digit if it has one, else a sign, else any of its scalars.
    fileprivate var example: Unicode.Scalar? {
        Self.usual.first { scalar in ranges.contains { $0.contains(scalar.value) } }
            ?? ranges.lazy.compactMap { Unicode.Scalar($0.lowerBound) }.first
    }
}
