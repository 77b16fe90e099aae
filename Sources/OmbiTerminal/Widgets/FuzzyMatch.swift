/// Fuzzy matching of typed words, as in fuzzy finders: every word must be found, as a whole or letter by letter in order.
package struct FuzzyMatch: Sendable {
    private let words: [[UInt8]]

    /// - Parameter query: words with spaces between them; case does not count.
    package init(_ query: String) {
        words = query.lowercased().utf8.split(separator: 0x20).map(Array.init)
    }

    /// True when everything matches.
    package var isEmpty: Bool { words.isEmpty }

    /// Returns a score that is higher for closer matches; nil where a word is missing.
    package func score(_ text: String) -> Int? {
        if words.isEmpty { return 0 }
        let bytes = Array(text.lowercased().utf8)
        var total = 0
        for word in words {
            guard let score = Self.whole(word, in: bytes) ?? Self.scattered(word, in: bytes) else { return nil }
            total += score
        }
        // Of equal matches the one in the shorter text is closer.
        return total * 1024 - min(bytes.count, 1023)
    }

    /// Returns true where every word is found in one piece: for texts with numbers, in which letters in order mean nothing.
    package func isFoundWhole(in text: String) -> Bool {
        let bytes = Array(text.lowercased().utf8)
        return words.allSatisfy { Self.whole($0, in: bytes) != nil }
    }

    /// A word found in one piece: best at the start of a word.
    private static func whole(_ word: [UInt8], in text: [UInt8]) -> Int? {
        guard word.count <= text.count else { return nil }
        var best: Int?
        for start in 0...(text.count - word.count) where text[start] == word[0] {
            guard text[start..<start + word.count].elementsEqual(word) else { continue }
            if isStart(start, of: text) { return 40 }
            best = 30
        }
        return best
    }

    /// A word of three letters or more whose letters are found in order, the first one at the start of a word.
    private static func scattered(_ word: [UInt8], in text: [UInt8]) -> Int? {
        guard word.count >= 3 else { return nil }
        for start in text.indices where text[start] == word[0] && isStart(start, of: text) {
            var position = start
            var gaps = 0
            var found = true
            for letter in word.dropFirst() {
                guard let next = text[(position + 1)...].firstIndex(of: letter) else {
                    found = false
                    break
                }
                if next > position + 1 { gaps += 1 }
                position = next
            }
            if found { return max(1, 20 - gaps * 4) }
        }
        return nil
    }

    /// True where a word begins: after something that is neither a letter nor a digit.
    private static func isStart(_ index: Int, of text: [UInt8]) -> Bool {
        guard index > 0 else { return true }
        let before = text[index - 1]
        return !(0x61...0x7A).contains(before) && !(0x30...0x39).contains(before) && before < 0x80
    }
}
