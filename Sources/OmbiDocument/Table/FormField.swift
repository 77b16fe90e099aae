/// A field of form data (`application/x-www-form-urlencoded`), or of the query of a URL.
public struct FormField: Sendable, Equatable {
    public var name: ByteRange
    /// Empty, after the name, when there is no `=`.
    public var value: ByteRange

    /// Returns the fields of a part of a body, at most `limit`. Empty fields between two `&` are left out.
    public static func fields(in bytes: Bytes, _ range: ByteRange, limit: Int = 100_000) -> [FormField] {
        let range = bytes.clamp(range)
        var fields: [FormField] = []
        var start = range.lowerBound
        while start < range.upperBound, fields.count < limit {
            let end = ByteScan.first(UInt8(ascii: "&"), in: bytes, start..<range.upperBound) ?? range.upperBound
            if end > start {
                let sign = ByteScan.first(UInt8(ascii: "="), in: bytes, start..<end) ?? end
                fields.append(FormField(name: start..<sign, value: min(end, sign + 1)..<end))
            }
            start = end + 1
        }
        return fields
    }

    /// Returns a decoded name or value: `+` is a space, `%41` a byte. Invalid escapes stay as they are.
    public static func text(_ range: ByteRange, in bytes: Bytes, limit: Int = 1 << 20) -> String {
        let piece = bytes.buffer(range.lowerBound..<min(range.upperBound, range.lowerBound + limit))
        var text: [UInt8] = []
        text.reserveCapacity(piece.count)
        var index = 0
        while index < piece.count {
            let byte = piece[index]
            if byte == UInt8(ascii: "%"), index + 2 < piece.count, let high = digit(piece[index + 1]),
                let low = digit(piece[index + 2])
            {
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
