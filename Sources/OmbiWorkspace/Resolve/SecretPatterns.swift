/// Patterns that are searched for together, in one pass over a text: a text of 100 MB is compared with one only where three
/// bytes in a row may begin it.
struct SecretPatterns: Equatable, Sendable {
    private var patterns: [SecretPattern] = []
    private var places = PatternPlaces()

    var isEmpty: Bool { patterns.isEmpty }

    mutating func add(_ pattern: SecretPattern) {
        places.add(pattern, number: patterns.count)
        patterns.append(pattern)
    }

    /// Returns a text with each occurrence masked, overlapping ones together; nil if there is none.
    func masked(_ bytes: UnsafeBufferPointer<UInt8>, by mask: String) -> [UInt8]? {
        guard !isEmpty else { return nil }
        return patterns.withUnsafeBufferPointer { patterns in
            places.withTable { table in
                guard let first = table.firstPlace(in: bytes) else { return nil }
                var search = PatternSearch(bytes, patterns, table, mask: mask)
                return search.run(from: first)
            }
        }
    }
}

/// The patterns that may have a byte at one of their first three places, in groups of a bit each.
private struct PatternPlaces: Equatable, Sendable {
    /// By byte: the groups for the first place in the lowest bits, those for the second and the third above, and the highest bit
    /// for the first byte of an escape.
    private var bytes: [UInt64] = []
    /// The groups with a pattern that begins with the first byte of an escape.
    private var literal: UInt64 = 0

    private static let groups = 21
    private static let all: UInt64 = 1 << groups - 1
    private static let escape: UInt64 = 1 << 63
    private static let anyByte = Array(UInt8.min...UInt8.max)

    mutating func add(_ pattern: SecretPattern, number: Int) {
        if bytes.isEmpty {
            bytes = [UInt64](repeating: 0, count: 256)
            for byte in SecretPattern.escapes { bytes[Int(byte)] = Self.escape }
        }
        let group = UInt64(1) << UInt64(number % Self.groups)
        for place in 0..<3 {
            for byte in (pattern.bytes(at: place) ?? Self.anyByte) + SecretPattern.escapes {
                bytes[Int(byte)] |= group << UInt64(place * Self.groups)
            }
        }
        if pattern.bytes(at: 0)?.contains(where: SecretPattern.isEscape) ?? true { literal |= group }
    }

    /// Returns the numbers of the patterns in a group.
    static func numbers(inGroup group: Int, of count: Int) -> StrideTo<Int> {
        stride(from: group, to: count, by: groups)
    }

    func withTable<Result>(_ body: (Table) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(Table(bytes: $0, literal: literal)) }
    }

    /// The same for a search, in memory that stays where it is.
    struct Table {
        fileprivate let bytes: UnsafeBufferPointer<UInt64>
        fileprivate let literal: UInt64

        /// Returns the index of the first byte that may begin something; nil for most texts, with which no search begins.
        func firstPlace(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
            var last: UInt64 = 0
            if let index = next(in: bytes, from: 0, &last) { return max(0, index - 2) }
            return isOpen(last) ? max(0, bytes.count - 2) : nil
        }

        /// Returns the index of the next byte at which something may have begun.
        /// - Parameter last: The groups of the bytes before; those at the index, or at the end.
        func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ last: inout UInt64) -> Int? {
            guard let base = bytes.baseAddress else { return nil }
            var index = start
            // Most begin nothing: four are looked at together.
            while index + 4 <= bytes.count {
                let first = step(last, base[index])
                let second = step(first, base[index + 1])
                let third = step(second, base[index + 2])
                let fourth = step(third, base[index + 3])
                if mayBegin(first | second | third | fourth) { break }
                last = fourth
                index += 4
            }
            while index < bytes.count {
                last = step(last, base[index])
                if mayBegin(last) { return index }
                index += 1
            }
            return nil
        }

        /// Takes the groups of the last bytes and the next byte: in the bits of the third place are those that may begin two
        /// bytes before it then.
        @inline(__always) func step(_ last: UInt64, _ byte: UInt8) -> UInt64 {
            (last << UInt64(groups) | all | escape) & bytes[Int(byte)]
        }

        /// True if something may begin two bytes before the last one, or an escape at it.
        @inline(__always) func mayBegin(_ last: UInt64) -> Bool { last >> UInt64(2 * groups) != 0 }

        /// True if something may begin at the last two bytes.
        @inline(__always) func isOpen(_ last: UInt64) -> Bool { last & ~escape != 0 }

        @inline(__always) func isEscape(_ last: UInt64) -> Bool { last & escape != 0 }

        /// Returns the groups with a pattern that may begin at an index.
        func candidates(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64 {
            let first = members(of: bytes[index], at: 0)
            if SecretPattern.isEscape(bytes[index]) {
                guard SecretPattern.mayEscape(in: bytes, at: index) else { return literal }
                return SecretPattern.unescaped(in: bytes, at: index).map { members(of: $0, at: 0) | literal } ?? first
            }
            guard index + 2 < bytes.count else { return first }
            let second = first & members(of: bytes[index + 1], at: 1)
            guard second != 0, !SecretPattern.isEscape(bytes[index + 1]) else { return second }
            return second & members(of: bytes[index + 2], at: 2)
        }

        private func members(of byte: UInt8, at place: Int) -> UInt64 {
            bytes[Int(byte)] >> UInt64(place * PatternPlaces.groups) & all
        }
    }
}

/// One search through a text.
private struct PatternSearch {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let patterns: UnsafeBufferPointer<SecretPattern>
    private let table: PatternPlaces.Table
    private let mask: String
    private var result: [UInt8] = []
    /// The first index that was not looked at.
    private var next = 0
    /// The end of the last occurrence.
    private var masked = 0
    /// The end of the last token.
    private var tokenEnd = 0
    /// The bytes that each long pattern knows; empty until one may begin.
    private var known: [Range<Int>] = []

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ patterns: UnsafeBufferPointer<SecretPattern>,
        _ table: PatternPlaces.Table, mask: String
    ) {
        (self.bytes, self.patterns, self.table, self.mask) = (bytes, patterns, table, mask)
    }

    /// - Parameter first: The index of a byte before which nothing begins.
    mutating func run(from first: Int) -> [UInt8]? {
        next = first
        var (last, start): (UInt64, Int) = (0, first)
        while let index = table.next(in: bytes, from: start, &last) {
            look(upTo: table.isEscape(last) ? index : index - 2, from: index - 2)
            start = index + 1
        }
        if table.isOpen(last) { look(upTo: bytes.count - 1, from: bytes.count - 2) }
        return masked == 0 ? nil : result + bytes[masked...]
    }

    private mutating func look(upTo last: Int, from first: Int) {
        next = max(next, first)
        while next <= last {
            look(at: next)
            next += 1
        }
    }

    private mutating func look(at index: Int) {
        let possible = table.candidates(in: bytes, at: index)
        guard possible != 0, let end = end(from: index, ofAny: possible) else { return }
        if index >= masked {
            result += bytes[masked..<index]
            result += mask.utf8
        }
        masked = max(masked, end)
    }

    /// Returns the end of the longest occurrence that begins at an index.
    private mutating func end(from index: Int, ofAny candidates: UInt64) -> Int? {
        var (longest, rest): (Int?, UInt64) = (nil, candidates)
        while rest != 0 {
            for number in PatternPlaces.numbers(inGroup: rest.trailingZeroBitCount, of: patterns.count) {
                let pattern = patterns[number]
                guard let end = end(from: index, of: pattern, number) else { continue }
                if pattern.isBeginning { tokenEnd = max(tokenEnd, end) }
                longest = max(longest ?? end, end)
            }
            rest &= rest - 1
        }
        return longest
    }

    private mutating func end(from index: Int, of pattern: SecretPattern, _ number: Int) -> Int? {
        guard pattern.isLong else {
            var none = 0..<0
            return pattern.end(in: bytes, from: index, tokenEnd: tokenEnd, known: &none)
        }
        if known.isEmpty { known = Array(repeating: 0..<0, count: patterns.count) }
        return pattern.end(in: bytes, from: index, tokenEnd: tokenEnd, known: &known[number])
    }
}
