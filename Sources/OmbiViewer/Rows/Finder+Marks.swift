import OmbiDocument

extension Finder {
    /// A row may show the middle of a match that begins before it.
    private static let lead = 256
    /// The rest of a longer row is not searched for marks.
    private static let most = 1 << 13
    private static let maximumMatches = 2000

    /// The visible matches in a range.
    func marks(in bytes: Bytes, _ range: ByteRange) -> [ByteRange] {
        let start = max(0, range.lowerBound - Self.lead)
        let end = min(range.upperBound, range.lowerBound + Self.most)
        guard start < end else { return [] }
        return matches(in: bytes, start..<end, limit: Self.maximumMatches)
    }
}
