/// A regular expression in the syntax of a search (see `RegexParser`), for the text of its first group. Its tables are
/// filled while it matches, so it belongs to one thread.
package final class GroupPattern {
    package enum Found: Equatable {
        case nothing
        /// The range of the first group; without groups, of all that matches.
        case text(ByteRange)
        /// A match to which the group adds nothing, as in `(a)|b`.
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

    /// Searches for the first match, which may be empty. Nothing is found once the time is over.
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

/// The search for the group of a match whose bounds are known: it follows all ways through the program at the same time,
/// each with the marks that it has passed.
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
