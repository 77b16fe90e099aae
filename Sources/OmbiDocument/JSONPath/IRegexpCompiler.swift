/// Compiles a regular expression into steps. The index past the last step is the match.
struct IRegexpCompiler {
    private(set) var steps: [IRegexp.Step] = []

    /// Returns false if there would be too many steps.
    mutating func compile(_ node: IRegexpNode) -> Bool {
        guard steps.count < IRegexp.maximumLength else { return false }
        switch node {
        case .set(let set): steps.append(.character(set))
        case .begin: steps.append(.begin)
        case .end: steps.append(.end)
        case .sequence(let parts):
            for part in parts where !compile(part) { return false }
        case .choice(let branches): return compile(branches: branches)
        case .repetition(let part, let least, let most): return repeating(part, least: least, most: most)
        }
        return true
    }

    private mutating func compile(branches: [IRegexpNode]) -> Bool {
        var jumps: [Int] = []
        for (index, branch) in branches.enumerated() {
            let fork = steps.count
            let isLast = index + 1 == branches.count
            if !isLast { steps.append(.jump(0)) }
            guard compile(branch) else { return false }
            guard !isLast else { break }
            jumps.append(steps.count)
            steps.append(.jump(0))
            steps[fork] = .either(fork + 1, steps.count)
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
        return true
    }

    private mutating func repeating(_ part: IRegexpNode, least: Int, most: Int?) -> Bool {
        // A part that adds no steps matches only the empty text: more copies of it change nothing.
        for _ in 0..<least {
            let before = steps.count
            guard compile(part) else { return false }
            if steps.count == before { return true }
        }
        guard let most else {
            let fork = steps.count
            steps.append(.jump(0))
            guard compile(part) else { return false }
            steps.append(.jump(fork))
            steps[fork] = .either(fork + 1, steps.count)
            return true
        }
        var forks: [Int] = []
        for _ in least..<max(most, least) {
            forks.append(steps.count)
            steps.append(.jump(0))
            guard compile(part) else { return false }
        }
        for fork in forks { steps[fork] = .either(fork + 1, steps.count) }
        return true
    }
}
