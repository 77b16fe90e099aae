/// Searches one body on one thread. Make one for each search; the pattern can be shared.
package final class Finder {
    package let pattern: SearchPattern
    private let regex: RegexMatcher?
    private let parts: ((Int) -> ByteRange?)?

    /// The number of bytes searched between two polls of `isCancelled`.
    package static let chunk = 1 << 20

    /// - Parameter parts: Returns the first part that ends after an offset. Only the parts are searched, each as a
    ///   separate text; they do not overlap. nil searches the whole body.
    package init(_ pattern: SearchPattern, within parts: ((Int) -> ByteRange?)? = nil) {
        self.pattern = pattern
        self.parts = parts
        if case .regex(let compiled) = pattern.compiled {
            regex = RegexMatcher(compiled)
        } else {
            regex = nil
        }
    }

    /// Returns the first match that begins at `start` or later and before `limit`. It may end after the limit.
    package func first(in bytes: Bytes, from start: Int, before limit: Int) -> ByteRange? {
        guard let parts else { return firstAnywhere(in: bytes, from: start, before: limit) }
        var offset = max(0, start)
        while offset < limit, let part = parts(offset), part.lowerBound < limit {
            let (from, end) = (max(offset, part.lowerBound), min(limit, part.upperBound))
            let found = firstAnywhere(
                in: bytes[part], from: from - part.lowerBound, before: end - part.lowerBound)
            if let found { return found.lowerBound + part.lowerBound..<found.upperBound + part.lowerBound }
            offset = part.upperBound
        }
        return nil
    }

    private func firstAnywhere(in bytes: Bytes, from start: Int, before limit: Int) -> ByteRange? {
        switch pattern.compiled {
        case .literal(let matcher):
            guard let found = matcher.first(in: bytes, from: start, before: limit) else { return nil }
            return found..<found + matcher.needle.count
        case .regex: return regex?.first(in: bytes, from: start, before: min(limit, bytes.count))
        }
    }

    /// Returns the matches that begin in a range, such as the visible rows; they do not overlap.
    package func matches(in bytes: Bytes, _ range: ByteRange, limit: Int = .max) -> [ByteRange] {
        var matches: [ByteRange] = []
        var offset = range.lowerBound
        while matches.count < limit, let match = first(in: bytes, from: offset, before: range.upperBound) {
            matches.append(match)
            offset = match.upperBound
        }
        return matches
    }

    /// Returns the next match after an offset, or the first one of the body if there is none and `wraps` is true.
    /// - Returns: nil if nothing matches, or the search was cancelled.
    package func next(
        in bytes: Bytes, after offset: Int, wraps: Bool = true, isCancelled: () -> Bool = { false }
    ) -> ByteRange? {
        let start = min(max(0, offset + 1), bytes.count)
        if let found = next(in: bytes, start..<bytes.count, isCancelled) { return found }
        return wraps ? next(in: bytes, 0..<min(bytes.count, start), isCancelled) : nil
    }

    /// Returns the last match that begins before an offset, from the end of the body again if `wraps` is true.
    package func previous(
        in bytes: Bytes, before offset: Int, wraps: Bool = true, isCancelled: () -> Bool = { false }
    ) -> ByteRange? {
        let end = min(max(0, offset), bytes.count)
        if let found = previous(in: bytes, 0..<end, isCancelled) { return found }
        return wraps ? previous(in: bytes, end..<bytes.count, isCancelled) : nil
    }

    private func next(in bytes: Bytes, _ range: ByteRange, _ isCancelled: () -> Bool) -> ByteRange? {
        var start = range.lowerBound
        while start < range.upperBound, !isCancelled() {
            let end = min(range.upperBound, start + Self.chunk)
            if let found = first(in: bytes, from: start, before: end) { return found }
            start = end
        }
        return nil
    }

    /// Searches backwards in chunks that grow, because the match is often near.
    private func previous(in bytes: Bytes, _ range: ByteRange, _ isCancelled: () -> Bool) -> ByteRange? {
        var end = range.upperBound
        var size = 16 << 10
        while end > range.lowerBound, !isCancelled() {
            let start = max(range.lowerBound, Self.chunkStart(near: end - size, in: bytes))
            if let last = last(in: bytes, start..<end) { return last }
            end = start
            size = min(size * 4, Self.chunk)
        }
        return nil
    }

    private func last(in bytes: Bytes, _ range: ByteRange) -> ByteRange? {
        var last: ByteRange?
        var start = range.lowerBound
        while let found = first(in: bytes, from: start, before: range.upperBound) {
            last = found
            start = found.upperBound
        }
        return last
    }

    /// Returns the start of a chunk that is searched on its own: the start of a line if one is near, so that no match
    /// within a line is cut.
    static func chunkStart(near offset: Int, in bytes: Bytes) -> Int {
        guard offset > 0 else { return 0 }
        let near = max(0, offset - RegexMatcher.window)..<offset
        if let end = ByteScan.last(0x0A, or: 0x0D, in: bytes, near) { return end + 1 }
        return UTF8Reader.start(of: offset, in: bytes)
    }
}

/// All matches of a pattern in a body, to count them and to number the current one. They are collected in steps,
/// outwards from the reader's position, so that near matches are known first.
///
/// A match takes eight bytes. The search ends at a cap; beyond it "next" and "previous" still work (see `Finder`).
package struct MatchIndex: Sendable {
    /// A match within its chunk.
    private struct Entry: Sendable {
        var offset: UInt32
        var length: UInt32
    }

    private let count: Int
    private let cap: Int
    private var chunks: [[Entry]?]
    /// The chunks below `low` and from `high` on are not searched yet.
    private var low: Int
    private var high: Int
    package private(set) var found = 0

    /// - Parameters:
    ///   - offset: The middle of the visible part.
    ///   - cap: The maximum number of matches collected.
    package init(count: Int, from offset: Int, cap: Int = 1_000_000) {
        self.count = max(0, count)
        self.cap = cap
        let number = (self.count + Finder.chunk - 1) / Finder.chunk
        chunks = Array(repeating: nil, count: number)
        low = min(max(0, offset / Finder.chunk), max(0, number - 1))
        high = low
    }

    package var isComplete: Bool { low == 0 && high == chunks.count }
    /// True when the cap was reached: there may be more.
    package var isCapped: Bool { found >= cap }

    /// Searches the next chunk, after and before the known ones in turn. Returns false when done.
    package mutating func step(_ finder: Finder, in bytes: Bytes) -> Bool {
        guard !isComplete, !isCapped else { return false }
        let goesDown = high < chunks.count && (low == 0 || high - start <= start - low)
        let number = goesDown ? high : low - 1
        if goesDown { high += 1 } else { low -= 1 }
        search(number, finder, in: bytes)
        return !isComplete && !isCapped
    }

    /// The middle of the chunks searched so far.
    private var start: Int { (low + high) / 2 }

    private mutating func search(_ number: Int, _ finder: Finder, in bytes: Bytes) {
        let end = min(count, bytes.count)
        let range =
            chunkStart(number, in: bytes)..<max(chunkStart(number, in: bytes), chunkStart(number + 1, in: bytes))
        let matches = finder.matches(in: bytes, bytes.clamp(range.clamped(to: 0..<end)), limit: cap - found)
        chunks[number] = matches.map { match in
            Entry(offset: UInt32(clamping: match.lowerBound - range.lowerBound), length: UInt32(clamping: match.count))
        }
        found += matches.count
    }

    private func chunkStart(_ number: Int, in bytes: Bytes) -> Int {
        number >= chunks.count ? count : Finder.chunkStart(near: number * Finder.chunk, in: bytes)
    }

    /// Returns the number of the match at `offset`, from 0; nil until everything before it is known.
    package func number(ofMatchAt offset: Int, in bytes: Bytes) -> Int? {
        guard low == 0 else { return nil }
        var before = 0
        for (number, entries) in chunks.enumerated() {
            guard let entries else { return nil }
            let start = chunkStart(number, in: bytes)
            if offset < chunkStart(number + 1, in: bytes) {
                let index = entries.partitioningIndex { start + Int($0.offset) >= offset }
                guard index < entries.count, start + Int(entries[index].offset) == offset else { return nil }
                return before + index
            }
            before += entries.count
        }
        return nil
    }
}
