/// Searches one body on one thread. Make one for each search; the pattern can be shared.
public final class Finder {
    public let pattern: SearchPattern
    private let regex: RegexMatcher?
    private let parts: ((Int) -> ByteRange?)?

    /// The number of bytes searched between two polls of `isCancelled`.
    public static let chunk = 1 << 20

    /// - Parameter parts: Returns the first part that ends after an offset; only the parts are searched, each as a text
    ///   of its own. They do not overlap. nil searches the whole body.
    public init(_ pattern: SearchPattern, within parts: ((Int) -> ByteRange?)? = nil) {
        self.pattern = pattern
        self.parts = parts
        if case .regex(let compiled) = pattern.compiled {
            regex = RegexMatcher(compiled)
        } else {
            regex = nil
        }
    }

    /// Returns the first match that begins at `start` or later and before `limit`. It may end after the limit.
    public func first(in bytes: Bytes, from start: Int, before limit: Int) -> ByteRange? {
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
    public func matches(in bytes: Bytes, _ range: ByteRange, limit: Int = .max) -> [ByteRange] {
        var matches: [ByteRange] = []
        var offset = range.lowerBound
        while matches.count < limit, let match = first(in: bytes, from: offset, before: range.upperBound) {
            matches.append(match)
            offset = match.upperBound
        }
        return matches
    }

    /// Returns the next match after an offset, from the start of the body again if there is none and `wraps` is true.
    /// - Returns: nil when there is no match, or the search was cancelled.
    public func next(
        in bytes: Bytes, after offset: Int, wraps: Bool = true, isCancelled: () -> Bool = { false }
    ) -> ByteRange? {
        let start = min(max(0, offset + 1), bytes.count)
        if let found = next(in: bytes, start..<bytes.count, isCancelled) { return found }
        return wraps ? next(in: bytes, 0..<min(bytes.count, start), isCancelled) : nil
    }

    /// Returns the last match that begins before an offset, from the end of the body again if `wraps` is true.
    public func previous(
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
