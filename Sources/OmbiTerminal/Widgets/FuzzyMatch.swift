/// Fuzzy matching of typed words, as in fuzzy finders: every word must be found, as a whole or letter by letter in order.
package struct FuzzyMatch: Sendable {
    private let words: [[UInt8]]

    /// The distance between scores of whole and scattered matches: more than the words found in one piece score
    /// together, so that a word of scattered letters puts a match after all others.
    private static let scattering = 100_000
    /// The maximum number of words over which the letters of one may be scattered in a match that is not loose.
    private static let maximumSpread = 3

    /// - Parameter query: words with spaces between them; case does not count.
    package init(_ query: String) {
        words = query.lowercased().utf8.split(separator: 0x20).map(Array.init)
    }

    /// True when everything matches.
    package var isEmpty: Bool { words.isEmpty }

    /// Returns a score that is higher for closer matches, and negative if the letters of a word are scattered; nil if a
    /// word is missing.
    package func score(_ text: String) -> Int? {
        if words.isEmpty { return 0 }
        let bytes = Self.lowercased(text)
        var total = 0
        for word in words {
            if let score = Self.whole(word, in: bytes) {
                total += score
            } else if let score = scattered(word, in: bytes) {
                total += score - Self.scattering
            } else {
                return nil
            }
        }
        // Of equal matches the one with the words nearer to each other is closer, then the one in the shorter text.
        return (total * 1024 + nearness(in: bytes)) * 1024 - min(bytes.count, 1023)
    }

    /// The bytes in lowercase. ASCII only: most texts have no other letters, and the separators that Ombi writes
    /// between names, such as ›, have no case.
    private static func lowercased(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                bytes[index] = byte.lowercasedASCII
                index += 1
            } else if byte == 0xE2, bytes[index + 1] == 0x80 {
                index += 3
            } else {
                return Array(text.lowercased().utf8)
            }
        }
        return bytes
    }

    /// The nearness of the words to each other, if each begins a word of the text, in the order typed: 1023 for
    /// adjacent words, 0 in any other order.
    private func nearness(in text: [UInt8]) -> Int {
        guard words.count > 1 else { return 0 }
        var nearest = 1023
        var from = 0
        while let first = Self.start(of: words[0], in: text, from: from),
            let gap = gap(after: first + words[0].count, in: text)
        {
            nearest = min(nearest, gap)
            from = first + 1
        }
        return 1023 - nearest
    }

    /// The bytes between the words after the first one, from `start`; nil if they are in another order.
    private func gap(after start: Int, in text: [UInt8]) -> Int? {
        var (gap, end) = (0, start)
        for word in words.dropFirst() {
            guard let next = Self.start(of: word, in: text, from: end) else { return nil }
            gap += next - end
            end = next + word.count
        }
        return gap
    }

    /// Returns true if every word is found in one piece: for texts with numbers, in which scattered letters mean
    /// nothing.
    package func isFoundWhole(in text: String) -> Bool {
        let bytes = Self.lowercased(text)
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

    /// The place of a word at the start of a word of the text.
    private static func start(of word: [UInt8], in text: [UInt8], from first: Int) -> Int? {
        let last = text.count - word.count
        guard first <= last else { return nil }
        return (first...last).first { start in
            text[start] == word[0] && isStart(start, of: text)
                && text[start..<start + word.count].elementsEqual(word)
        }
    }

    /// A word of three letters or more whose letters are found in order, the first one at the start of a word. Two letters
    /// are found so next to other words only, and in one word of the text.
    private func scattered(_ word: [UInt8], in text: [UInt8]) -> Int? {
        guard word.count >= 3 || word.count == 2 && words.count > 1 else { return nil }
        for start in text.indices where text[start] == word[0] && Self.isStart(start, of: text) {
            if let found = Self.placement(of: word, in: text, from: start) { return max(1, 20 - found.gaps * 4) }
        }
        return nil
    }

    /// The gaps between the letters of a word that are found in order from a position on, and the number of words that they
    /// are in.
    private static func placement(
        of word: [UInt8], in text: [UInt8], from start: Int
    ) -> (gaps: Int, spread: Int)? {
        let end = word.count > 2 ? nil : text[(start + 1)...].firstIndex { !isPart($0) }
        var (position, gaps, spread) = (start, 0, 1)
        for letter in word.dropFirst() {
            guard let next = text[(position + 1)..<(end ?? text.count)].firstIndex(of: letter) else { return nil }
            if next > position + 1 {
                gaps += 1
                if text[position..<next].contains(where: { !isPart($0) }) { spread += 1 }
            }
            position = next
        }
        return (gaps, spread)
    }

    /// True for a match that is found by chance: the letters of a word are scattered over many words of the text.
    package func isLoose(_ text: String) -> Bool {
        let bytes = Self.lowercased(text)
        return words.contains { word in
            guard Self.whole(word, in: bytes) == nil else { return false }
            let starts = bytes.indices.filter { bytes[$0] == word[0] && Self.isStart($0, of: bytes) }
            let spreads = starts.compactMap { Self.placement(of: word, in: bytes, from: $0)?.spread }
            return spreads.min() ?? 0 > Self.maximumSpread
        }
    }

    /// True at the start of a word: after a character that is neither a letter nor a digit.
    private static func isStart(_ index: Int, of text: [UInt8]) -> Bool {
        guard index > 0 else { return true }
        return !isPart(text[index - 1])
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte >= 0x80
    }
}
