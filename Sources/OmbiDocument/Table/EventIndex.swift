/// The bounds of the events of a stream, found while it arrives: they end at empty lines.
public struct EventIndex: Sendable {
    /// The lines of each event that is complete, without the empty line. Blocks that only hold comments count.
    public private(set) var events: [ByteRange] = []
    /// The start of the event that is still arriving.
    private var start: Int
    /// The start of the line that is still arriving, and the end of the scanned bytes.
    private var lineStart: Int
    private var scanned: Int
    private let limits: IndexLimits
    /// The limit at which the index stopped; what comes behind is in no event.
    public private(set) var limit: IndexLimit?

    /// - Parameter start: The offset of the text, after a byte order mark.
    public init(start: Int = 0, limits: IndexLimits = IndexLimits()) {
        self.start = start
        self.limits = limits
        lineStart = start
        scanned = start
    }

    public mutating func extend(over bytes: Bytes, isComplete complete: Bool) {
        // The byte after a CR decides whether it ends the line.
        let endsInLineFeed = !bytes.isEmpty && bytes[bytes.count - 1] == 0x0A
        let available = complete || endsInLineFeed ? bytes.count : bytes.count - 1
        let maximumCount = limits.memory / MemoryLayout<ByteRange>.stride
        while limit == nil, scanned < available,
            let end = ByteScan.first(0x0A, or: 0x0D, in: bytes, scanned..<available)
        {
            scanned = end + 1
            guard ByteScan.isLineEnd(bytes, end) else { continue }
            if LineIndex.withoutEnd(lineStart..<scanned, in: bytes) == lineStart {
                if lineStart > start { events.append(start..<lineStart) }
                if events.count > maximumCount { limit = .memory(limits.memory) }
                start = scanned
            }
            lineStart = scanned
        }
        scanned = max(scanned, available)
    }

    /// Returns the received part of the next event. A stream that ends here never completes it.
    public func unfinished(in bytes: Bytes) -> ByteRange? {
        start < bytes.count ? start..<bytes.count : nil
    }
}
