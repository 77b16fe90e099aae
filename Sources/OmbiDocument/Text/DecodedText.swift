/// A text of another encoding as UTF-8, decoded while it arrives. What is no text in it becomes U+FFFD. What has been
/// decoded stays where it is, so that indexes of it go on as they do over a body in UTF-8.
///
/// It belongs to one thread; the views that it gives may go to others.
public final class DecodedText {
    /// Where the first bytes are that are no text in this encoding, in the bytes that came. Nil when there are none.
    public private(set) var firstBad: Int?
    /// Whether there was no memory for more.
    public private(set) var isCutOff = false
    private let decoder: any TextDecoding
    private var memory: GrowingMemory?
    private var taken = 0
    private var isFinished = false

    private static let piece = 1 << 18
    /// As much as an index takes.
    private static let mostCapacity = JSONIndex.maximumByteCount
    /// More UTF-8 than any encoding makes of a byte (of Tamil, TSCII has four letters in one).
    private static let mostGrowth = 16

    /// Nil when nobody here knows the encoding, and for UTF-8, which is shown from the bytes as they came.
    public init?(_ charset: Charset) {
        guard let decoder = charset.decoder else { return nil }
        self.decoder = decoder
    }

    /// The text that is decoded so far.
    public var text: Bytes {
        memory.map { Bytes(base: $0.base, count: $0.count, owner: $0) } ?? .empty
    }

    /// Decodes what has arrived since the last time, but for the start of a letter at its end.
    /// - Parameters:
    ///   - bytes: all that has come so far.
    ///   - isCancelled: asked before each 256 KiB; the text ends there then.
    /// - Returns: all of the text so far.
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
        let isSmall = isComplete && bytes.count < Self.mostCapacity / Self.mostGrowth
        let capacity = isSmall ? bytes.count * Self.mostGrowth + TextSink.reserve : Self.mostCapacity
        memory = GrowingMemory(capacity: capacity)
        if memory == nil { isCutOff = true }
        return memory
    }

    /// Nil when there is no room.
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
    /// Whether texts in it can be shown.
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
