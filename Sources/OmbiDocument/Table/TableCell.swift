/// A cell of a table: its bytes, with the quotes around it if there are any.
public struct TableCell: Sendable, Equatable {
    public var range: ByteRange
    public var isQuoted: Bool

    /// Returns the text: without the quotes around it, and with one quote for each two in it.
    /// - Parameter limit: The maximum number of bytes read.
    public func text(in bytes: Bytes, limit: Int = 4096) -> String {
        let quote = UInt8(ascii: "\"")
        let cut = range.lowerBound..<min(range.upperBound, range.lowerBound + limit)
        guard isQuoted else { return bytes.text(cut) }
        var text: [UInt8] = []
        var offset = cut.lowerBound + 1
        var isOpen = true
        while offset < cut.upperBound {
            let byte = bytes[offset]
            offset += 1
            guard byte == quote, isOpen else {
                text.append(byte)
                continue
            }
            if offset < cut.upperBound, bytes[offset] == quote {
                text.append(quote)
                offset += 1
            } else {
                isOpen = false
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
