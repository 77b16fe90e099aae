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
