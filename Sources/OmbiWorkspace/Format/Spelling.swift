/// Finds the word that was probably meant.
enum Spelling {
    /// The known word nearest to `word`, if near enough to be a typo.
    static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        var best: (word: String, distance: Int)?
        let limit = max(1, word.count / 3)
        for candidate in known where candidate != word {
            let distance = distance(word, candidate)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    /// `; did you mean "…"?`, or nothing.
    static func hint(for word: String, in known: some Sequence<String>) -> String {
        nearest(to: word, in: known).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (first.lowercased(), second.lowercased())
        if first == second { return 0 }
        if first.count >= 4, second.hasPrefix(first) { return 1 }
        if abs(first.count - second.count) > 8 || first.count > 64 { return .max }
        return edits(Array(first), Array(second))
    }

    /// The number of letters to add, drop or replace to get from one word to the other (Levenshtein).
    private static func edits(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (i, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
