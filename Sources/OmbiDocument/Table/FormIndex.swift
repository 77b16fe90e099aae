/// The fields of form data, found while it arrives: no byte is read again later. Empty fields are left out.
package struct FormIndex: Sendable {
    /// The complete fields.
    private var ended: [FormField] = []
    /// The start of the last field, and its first `=`.
    private var start = 0
    private var sign: Int?
    private var scanned = 0

    /// The maximum number of fields.
    private static let most = 100_000

    package init() {}

    /// Reads what has arrived since the last call.
    package mutating func extend(over bytes: Bytes) {
        while scanned < bytes.count, ended.count < Self.most {
            let end = ByteScan.first(UInt8(ascii: "&"), in: bytes, scanned..<bytes.count)
            let stop = end ?? bytes.count
            if sign == nil { sign = ByteScan.first(UInt8(ascii: "="), in: bytes, scanned..<stop) }
            scanned = stop
            guard end != nil else { return }
            if stop > start { ended.append(field(upTo: stop)) }
            (start, sign, scanned) = (stop + 1, nil, stop + 1)
        }
    }

    /// All fields so far, including the one that is still arriving.
    package var fields: [FormField] { scanned > start ? ended + [field(upTo: scanned)] : ended }

    private func field(upTo end: Int) -> FormField {
        let sign = sign ?? end
        return FormField(name: start..<sign, value: min(end, sign + 1)..<end)
    }
}

/// A field of form data (`application/x-www-form-urlencoded`), or of the query of a URL.
package struct FormField: Sendable, Equatable {
    package var name: ByteRange
    /// Empty, after the name, when there is no `=`.
    package var value: ByteRange

    /// Returns a decoded name or value: `+` is a space, `%41` a byte. Invalid escapes stay as they are.
    package static func text(_ range: ByteRange, in bytes: Bytes, limit: Int = 1 << 20) -> String {
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
