/// The text of a file in UTF-8, as every reader takes it.
enum TextFile {
    /// Returns the text without the byte order mark that some editors begin a file with; nil for a file in another encoding.
    static func text(of bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(validating: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...], as: UTF8.self)
    }
}
