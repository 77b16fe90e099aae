/// Finds the word that was probably meant.
package enum Spelling {
    /// The known word nearest to `word`, if near enough to be a typo.
    package static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        var best: (word: String, distance: Int)?
        let limit = max(1, word.count / 3)
        for candidate in known where candidate != word && !candidate.isEmpty {
            let distance = distance(word, candidate)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    /// `; did you mean "…"?`, or nothing.
    package static func hint(for word: String, in known: some Sequence<String>) -> String {
        nearest(to: word, in: known).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// The hint, or the words there are, if they are few.
    package static func suggestion(for word: String, in known: [String]) -> String {
        let hint = hint(for: word, in: known)
        guard hint.isEmpty, (1...12).contains(known.count) else { return hint }
        return "; known: " + known.joined(separator: ", ")
    }

    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (first.lowercased(), second.lowercased())
        if first == second { return 0 }
        if first.count >= 4, second.hasPrefix(first) { return 1 }
        if abs(first.count - second.count) > 8 || first.count > 64 { return .max }
        return edits(Array(first), Array(second))
    }

    /// The number of letters to add, drop, replace or swap with their neighbour to get from one word to the other
    /// (Damerau and Levenshtein).
    private static func edits(_ first: [Character], _ second: [Character]) -> Int {
        var rows = [Array(0...second.count)]
        for (i, letter) in first.enumerated() {
            var row = [i + 1]
            for (j, other) in second.enumerated() {
                let replaced = rows[i][j] + (letter == other ? 0 : 1)
                var edits = min(replaced, row[j] + 1, rows[i][j + 1] + 1)
                if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other {
                    edits = min(edits, rows[i - 1][j - 1] + 1)
                }
                row.append(edits)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}

/// Names that are taken, and numbered ones for what wants the same. However many want one name, each takes one look-up.
struct UniqueNames: Sendable {
    private var taken: Set<String>
    /// The number to try next behind a name; none below it is free.
    private var next: [String: Int] = [:]
    /// The text between a name and its number.
    private let separator: String

    init(_ taken: Set<String> = [], separator: String = "") {
        (self.taken, self.separator) = (taken, separator)
    }

    mutating func insert(_ name: String) { taken.insert(name) }

    /// Takes a name, or with the lowest number from 2 on where it is taken.
    mutating func take(_ base: String) -> String {
        if taken.insert(base).inserted { return base }
        var number = next[base] ?? 2
        while !taken.insert("\(base)\(separator)\(number)").inserted { number += 1 }
        next[base] = number + 1
        return "\(base)\(separator)\(number)"
    }
}
