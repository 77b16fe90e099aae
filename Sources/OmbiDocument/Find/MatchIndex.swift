/// All matches of a pattern in a body, to count them and to number the current one. They are collected in steps,
/// outwards from the reader's position, so that near matches are known first.
///
/// A match takes eight bytes. The search ends at a cap; beyond it "next" and "previous" still work (see `Finder`).
public struct MatchIndex: Sendable {
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
    /// The number of matches found so far.
    public private(set) var found = 0

    /// - Parameters:
    ///   - offset: The middle of the visible part.
    ///   - cap: The maximum number of matches collected.
    public init(count: Int, from offset: Int, cap: Int = 1_000_000) {
        self.count = max(0, count)
        self.cap = cap
        let number = (self.count + Finder.chunk - 1) / Finder.chunk
        chunks = Array(repeating: nil, count: number)
        low = min(max(0, offset / Finder.chunk), max(0, number - 1))
        high = low
    }

    public var isComplete: Bool { low == 0 && high == chunks.count }
    /// True when the cap was reached: there may be more.
    public var isCapped: Bool { found >= cap }

    /// Searches the next chunk, after and before the known ones in turn. Returns false when done.
    public mutating func step(_ finder: Finder, in bytes: Bytes) -> Bool {
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

    /// Returns the number of the match at `offset`, from 0, once everything before it is known.
    public func number(ofMatchAt offset: Int, in bytes: Bytes) -> Int? {
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

    /// Returns the first known matches in a part of the body, at most `limit`, for marks beside a scroll bar.
    public func matches(in range: ByteRange, of bytes: Bytes, limit: Int = .max) -> [ByteRange] {
        var matches: [ByteRange] = []
        for (number, entries) in chunks.enumerated() {
            guard let entries, !entries.isEmpty else { continue }
            let start = chunkStart(number, in: bytes)
            guard start < range.upperBound, chunkStart(number + 1, in: bytes) > range.lowerBound else { continue }
            let first = entries.partitioningIndex { start + Int($0.offset) >= range.lowerBound }
            for entry in entries[first...] where matches.count < limit {
                let offset = start + Int(entry.offset)
                guard offset < range.upperBound else { break }
                matches.append(offset..<offset + Int(entry.length))
            }
        }
        return matches
    }
}
