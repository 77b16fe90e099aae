/// Patterns that are searched for together, in one pass over a text.
///
/// A text of 100 MB is compared with all of them only where its next three bytes may begin one of a group.
struct SecretPatterns: Equatable, Sendable {
    private var patterns: [SecretPattern] = []
    /// The groups, a bit each, with a pattern that may have a byte at one of its first three places: 256 for each place.
    private var groups: [UInt8] = []
    /// The groups with a pattern that begins with the first byte of an escape.
    private var literal: UInt8 = 0

    var isEmpty: Bool { patterns.isEmpty }

    private static let places = 3
    private static let anyByte = Array(UInt8.min...UInt8.max)

    mutating func add(_ pattern: SecretPattern) {
        if groups.isEmpty { groups = [UInt8](repeating: 0, count: Self.places << 8) }
        let group = UInt8(1) << UInt8(patterns.count % 8)
        for place in 0..<Self.places {
            for byte in (pattern.bytes(at: place) ?? Self.anyByte) + SecretPattern.escapes {
                groups[place << 8 | Int(byte)] |= group
            }
        }
        if pattern.bytes(at: 0)?.contains(where: SecretPattern.isEscape) ?? true { literal |= group }
        patterns.append(pattern)
    }

    /// Returns a text with each occurrence masked, those that overlap as one; nil where there is none.
    func masked(_ bytes: UnsafeBufferPointer<UInt8>, by mask: String) -> [UInt8]? {
        guard !isEmpty else { return nil }
        var result: [UInt8] = []
        // The ends of the last occurrence and of the last token.
        var (masked, tokenEnd) = (0, 0)
        // The bytes that each pattern knows; empty until one may begin.
        var known: [Range<Int>] = []
        for index in bytes.indices {
            let possible = candidates(in: bytes, at: index)
            guard possible != 0,
                let last = end(in: bytes, from: index, ofAny: possible, tokenEnd: &tokenEnd, known: &known)
            else { continue }
            if index >= masked {
                result += bytes[masked..<index]
                result += mask.utf8
            }
            masked = max(masked, last)
        }
        return masked == 0 ? nil : result + bytes[masked...]
    }

    /// Returns the groups with a pattern that may begin at an index.
    private func candidates(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt8 {
        let first = groups[Int(bytes[index])]
        guard first != 0 else { return 0 }
        if SecretPattern.isEscape(bytes[index]) {
            guard SecretPattern.mayEscape(in: bytes, at: index) else { return literal }
            return SecretPattern.unescaped(in: bytes, at: index).map { groups[Int($0)] | literal } ?? first
        }
        guard index + 2 < bytes.count else { return first }
        let second = first & groups[1 << 8 | Int(bytes[index + 1])]
        guard second != 0, !SecretPattern.isEscape(bytes[index + 1]) else { return second }
        return second & groups[2 << 8 | Int(bytes[index + 2])]
    }

    /// Returns the end of the longest occurrence that begins at an index.
    private func end(
        in bytes: UnsafeBufferPointer<UInt8>, from index: Int, ofAny candidates: UInt8, tokenEnd: inout Int,
        known: inout [Range<Int>]
    ) -> Int? {
        if known.isEmpty { known = Array(repeating: 0..<0, count: patterns.count) }
        var longest: Int?
        for group in 0..<8 where candidates & 1 << group != 0 {
            for number in stride(from: group, to: patterns.count, by: 8) {
                let pattern = patterns[number]
                let found = pattern.end(in: bytes, from: index, tokenEnd: tokenEnd, known: &known[number])
                guard let end = found else { continue }
                if pattern.isBeginning { tokenEnd = max(tokenEnd, end) }
                longest = max(longest ?? end, end)
            }
        }
        return longest
    }
}
