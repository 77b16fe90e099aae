/// Bytes as people read them: offset, sixteen bytes in hexadecimal, and the printable ASCII among them.
enum HexDump {
    static func line(_ index: Int, of bytes: [UInt8]) -> String {
        let start = index * 16
        let row = bytes[min(start, bytes.count)..<min(start + 16, bytes.count)]
        var text = hex(start, digits: 8) + "  "
        for column in 0..<16 {
            text += column < row.count ? hex(Int(row[row.startIndex + column]), digits: 2) + " " : "   "
            if column == 7 { text += " " }
        }
        return text + " "
            + String(String.UnicodeScalarView(row.map { (0x20..<0x7F).contains($0) ? Unicode.Scalar($0) : "." }))
    }

    private static func hex(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
