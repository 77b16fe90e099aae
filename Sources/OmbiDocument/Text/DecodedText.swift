/// A text in another encoding, decoded to UTF-8 while it arrives. Invalid bytes become U+FFFD. Decoded text does not
/// move, so indexes of it are extended as they are over a body in UTF-8.
///
/// It belongs to one thread; its views may go to others.
public final class DecodedText {
    /// The offset of the first bytes that are invalid in this encoding, in the received bytes; nil when there are none.
    public private(set) var firstBad: Int?
    /// True when there was no memory for more.
    public private(set) var isCutOff = false
    private let decoder: any TextDecoding
    private var memory: GrowingMemory?
    private var taken = 0
    private var isFinished = false

    private static let piece = 1 << 18
    /// The maximum that an index takes.
    private static let maximumCapacity = IndexLimits.maximumByteCount
    /// Bytes of UTF-8 per byte: more than any encoding makes of one (a byte of TSCII can be four letters of Tamil).
    private static let maximumGrowth = 16

    /// Returns nil for an unknown encoding, and for UTF-8, which is shown from the bytes as received.
    public init?(_ charset: Charset) {
        guard let decoder = charset.decoder else { return nil }
        self.decoder = decoder
    }

    /// The text decoded so far.
    public var text: Bytes {
        memory.map { Bytes(base: $0.base, count: $0.count, owner: $0) } ?? .empty
    }

    /// Decodes what has arrived since the last call, except for an incomplete letter at its end.
    /// - Parameters:
    ///   - bytes: All bytes received so far.
    ///   - isCancelled: Polled before each 256 KiB; the text then ends there.
    /// - Returns: The whole text so far.
    public func extend(over bytes: Bytes, isComplete: Bool, isCancelled: () -> Bool = { false }) -> Bytes {
        guard !isFinished, let memory = memory(for: bytes, isComplete: isComplete) else { return text }
        while !isCancelled() {
            let end = min(bytes.count, taken + Self.piece)
            let isLast = isComplete && end == bytes.count
            guard let done = decode(bytes[taken..<end], isLast: isLast, into: memory) else {
                isCutOff = true
                isFinished = true
                break
            }
            taken += done
            if isLast, taken == bytes.count {
                isFinished = true
                memory.trim()
                break
            }
            if done == 0 || taken == bytes.count && !isComplete { break }
        }
        return text
    }

    private func memory(for bytes: Bytes, isComplete: Bool) -> GrowingMemory? {
        if let memory { return memory }
        let isSmall = isComplete && bytes.count < Self.maximumCapacity / Self.maximumGrowth
        let capacity = isSmall ? bytes.count * Self.maximumGrowth + TextSink.reserve : Self.maximumCapacity
        memory = GrowingMemory(capacity: capacity)
        if memory == nil { isCutOff = true }
        return memory
    }

    /// Returns nil when there is no room.
    private func decode(_ piece: Bytes, isLast: Bool, into memory: GrowingMemory) -> Int? {
        var bad: Int?
        var done = 0
        let hasRoom = memory.append(atMost: piece.count * 4 + TextSink.reserve) { sink in
            done = decoder.decode(piece, isLast: isLast, into: &sink, bad: &bad)
        }
        guard hasRoom else { return nil }
        if let bad, firstBad == nil { firstBad = taken + bad }
        return done
    }
}

extension Charset {
    /// True if texts in this encoding can be shown.
    var isKnown: Bool { self == .utf8 || decoder != nil }

    fileprivate var decoder: (any TextDecoding)? {
        switch self {
        case .utf8: nil
        case .utf16LittleEndian: WideDecoder(size: 2, isLittleEndian: true)
        case .utf16BigEndian: WideDecoder(size: 2, isLittleEndian: false)
        case .utf32LittleEndian: WideDecoder(size: 4, isLittleEndian: true)
        case .utf32BigEndian: WideDecoder(size: 4, isLittleEndian: false)
        case .windows1252: Windows1252Decoder()
        case .other(let name): IconvDecoder(name: name)
        }
    }
}
