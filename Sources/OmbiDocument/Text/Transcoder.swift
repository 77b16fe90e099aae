/// Turns a text of some encoding into UTF-8, piece by piece. What is no text becomes U+FFFD.
///
/// UTF-8 needs no transcoder: it is shown from the bytes as they came.
public struct Transcoder {
    /// Where the first bytes are that are no text in this encoding, in the bytes that came. Nil when there are none.
    public private(set) var firstBad: Int?
    private let decoder: any TextDecoding
    /// The bytes that were fed and not taken yet: the start of a letter.
    private var kept: [UInt8] = []
    private var taken = 0

    /// Nil when nobody here knows the encoding.
    public init?(_ charset: Charset) {
        switch charset {
        case .utf8: decoder = UTF8Repair()
        case .utf16LittleEndian: decoder = WideDecoder(size: 2, isLittleEndian: true)
        case .utf16BigEndian: decoder = WideDecoder(size: 2, isLittleEndian: false)
        case .utf32LittleEndian: decoder = WideDecoder(size: 4, isLittleEndian: true)
        case .utf32BigEndian: decoder = WideDecoder(size: 4, isLittleEndian: false)
        case .windows1252: decoder = Windows1252Decoder()
        case .other(let name):
            guard let converter = IconvDecoder(name: name) else { return nil }
            decoder = converter
        }
    }

    /// The text of the next piece, without the start of a letter at its end, which waits for the next one.
    public mutating func feed(_ piece: Bytes, isLast: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(piece.count + piece.count / 2 + 8)
        var rest = piece
        if !kept.isEmpty {
            // A letter has at most some bytes: with so many more it is whole.
            let joined = kept + Array(piece.buffer(0..<Self.mostKept))
            let isAll = piece.count <= Self.mostKept
            let done = decode(Bytes(joined), isLast: isLast && isAll, into: &output)
            guard done >= kept.count else {
                kept = Array(kept[done...]) + Array(piece.buffer(0..<piece.count))
                return output
            }
            rest = piece[(done - kept.count)..<piece.count]
            kept = []
        }
        let done = decode(rest, isLast: isLast, into: &output)
        kept = Array(rest.buffer(done..<rest.count))
        return output
    }

    private static let mostKept = 16

    private mutating func decode(_ bytes: Bytes, isLast: Bool, into output: inout [UInt8]) -> Int {
        var bad: Int?
        let done = decoder.decode(bytes, isLast: isLast, into: &output, bad: &bad)
        if let bad, firstBad == nil { firstBad = taken + bad }
        taken += done
        return done
    }

    /// A whole text, in pieces of 1 MiB. Nil when it was cancelled in between.
    public static func text(
        _ bytes: Bytes, from charset: Charset, isCancelled: () -> Bool = { false }
    ) -> (utf8: [UInt8], firstBad: Int?)? {
        guard var transcoder = Transcoder(charset) else { return nil }
        var text: [UInt8] = []
        var offset = 0
        repeat {
            if isCancelled() { return nil }
            let end = min(bytes.count, offset + 1 << 20)
            text += transcoder.feed(bytes[offset..<end], isLast: end == bytes.count)
            offset = end
        } while offset < bytes.count
        return (text, transcoder.firstBad)
    }
}
