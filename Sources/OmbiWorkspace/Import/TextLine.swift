struct TextLine: Sendable {
    let text: String
    /// In the bytes of the file.
    let offset: Int

    var isBlank: Bool { text.allSatisfy { $0 == " " || $0 == "\t" } }

    static func lines(of bytes: [UInt8]) -> [TextLine] {
        var offset = 0
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            defer { offset += line.count + 1 }
            let text = line.last == 0x0D ? line.dropLast() : line
            return TextLine(text: String(decoding: text, as: UTF8.self), offset: offset)
        }
    }
}
