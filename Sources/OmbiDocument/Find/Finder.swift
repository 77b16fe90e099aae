/// Searches one body on one thread: what it learns about the pattern while it reads is kept. Make one for each search;
/// the pattern can be shared.
public final class Finder {
    public let pattern: SearchPattern
    private let regex: RegexMatcher?
    private let parts: ((Int) -> ByteRange?)?

    /// What is searched before anybody is asked whether to go on.
    public static let chunk = 1 << 20

    /// - Parameter parts: the only parts of the body that are searched, each as a text of its own: the first of them that
    ///   ends behind an offset. They do not overlap. Without it, all of the body is searched.
    public init(_ pattern: SearchPattern, within parts: ((Int) -> ByteRange?)? = nil) {
        self.pattern = pattern
        self.parts = parts
        if case .regex(let compiled) = pattern.compiled {
            regex = RegexMatcher(compiled)
        } else {
            regex = nil
        }
    }

    /// The first match that begins at `start` or later and before `limit`. It may end behind the limit.
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

    /// The matches that begin in a range, such as the visible rows; they do not overlap.
    public func matches(in bytes: Bytes, _ range: ByteRange, limit: Int = .max) -> [ByteRange] {
        var matches: [ByteRange] = []
        var offset = range.lowerBound
        while matches.count < limit, let match = first(in: bytes, from: offset, before: range.upperBound) {
            matches.append(match)
            offset = match.upperBound
        }
        return matches
    }

    /// The next match behind an offset, from the start of the body again if there is none.
    /// - Returns: nil when there is none at all, or it was cancelled.
    public func next(
        in bytes: Bytes, after offset: Int, wraps: Bool = true, isCancelled: () -> Bool = { false }
    ) -> ByteRange? {
        let start = min(max(0, offset + 1), bytes.count)
        if let found = next(in: bytes, start..<bytes.count, isCancelled) { return found }
        return wraps ? next(in: bytes, 0..<min(bytes.count, start), isCancelled) : nil
    }

    /// The last match that begins before an offset, from the end of the body if there is none.
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

    /// Backwards by chunks that grow, because the match that is looked for is often near.
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

    /// Where a chunk begins that is read by itself: at the start of a line if one is near, so that no match of a line
    /// is seen from its middle.
    static func chunkStart(near offset: Int, in bytes: Bytes) -> Int {
        guard offset > 0 else { return 0 }
        let near = max(0, offset - RegexMatcher.window)..<offset
        if let end = ByteScan.last(0x0A, or: 0x0D, in: bytes, near) { return end + 1 }
        return UTF8Reader.start(of: offset, in: bytes)
    }
}
