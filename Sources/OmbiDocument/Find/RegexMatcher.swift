/// Finds the matches of a regular expression: forward to the end of a match, then back from there to its beginning.
final class RegexMatcher {
    private let forward: RegexMachine
    private let backward: RegexMachine

    /// The maximum length of a match in bytes; longer matches are cut.
    static let window = 16 << 10

    init(_ pattern: RegexPattern) {
        forward = RegexMachine(pattern.forward, wantsLongest: false, prefix: pattern.prefix)
        backward = RegexMachine(pattern.backward, wantsLongest: true)
    }

    /// Returns the first match that is not empty and begins at `start` or later and before `limit`.
    func first(in bytes: Bytes, from start: Int, before limit: Int) -> ByteRange? {
        var offset = max(0, start)
        let end = min(bytes.count, limit > bytes.count - Self.window ? bytes.count : limit + Self.window)
        while offset < limit, offset < bytes.count {
            guard let stop = forward.end(in: bytes, from: offset, before: end, window: Self.window) else { return nil }
            let floor = max(offset, stop - Self.window)
            let begin = backward.start(in: bytes, from: stop, downTo: floor) ?? floor
            guard begin < limit else { return nil }
            if begin < stop { return begin..<stop }
            offset = stop + 1
        }
        return nil
    }
}
