/// Media types in header fields.
enum MediaType {
    /// Returns "text/html" for "Text/HTML; charset=utf-8".
    static func essence(of text: String) -> String {
        var type: [UInt8] = []
        type.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == UInt8(ascii: ";") { break }
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { continue }
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            type.append(isCapital ? byte | 0x20 : byte)
        }
        return String(decoding: type, as: UTF8.self)
    }
}
