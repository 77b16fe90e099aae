/// A text with dots in place of what bash takes as quoted or as a comment, to find the marks of other shells in the
/// rest.
struct BashOutline {
    private(set) var bytes: [UInt8]

    /// Nil for a text whose quotes are not closed in bash.
    init?(_ text: [UInt8]) {
        bytes = text
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "'"):
                let hasEscapes = index > 0 && text[index - 1] == UInt8(ascii: "$")
                guard let end = Self.end(of: UInt8(ascii: "'"), from: index, hasEscapes, in: text) else { return nil }
                cover(index + 1..<end)
                index = end + 1
            case UInt8(ascii: "\""):
                guard let end = Self.end(of: UInt8(ascii: "\""), from: index, true, in: text) else { return nil }
                cover(index + 1..<end)
                index = end + 1
            case UInt8(ascii: "#") where index == 0 || [0x20, 0x09, 0x0A].contains(text[index - 1]):
                let end = text[index...].firstIndex(of: 0x0A) ?? text.count
                cover(index..<end)
                index = end
            case UInt8(ascii: "<") where text[index...].starts(with: "<<".utf8):
                // Here-documents, whose text may hold anything, are in bash alone.
                bytes = Array(bytes[..<index])
                return
            default: index += 1
            }
        }
    }

    private mutating func cover(_ range: Range<Int>) {
        for index in range { bytes[index] = UInt8(ascii: ".") }
    }

    private static func end(of quote: UInt8, from start: Int, _ hasEscapes: Bool, in text: [UInt8]) -> Int? {
        var index = start + 1
        while index < text.count, text[index] != quote {
            index += hasEscapes && text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < text.count ? index : nil
    }
}

/// A command as documents print it: behind a prompt, between fences of Markdown, with the dashes, the spaces and the
/// quotes of a word processor. Where they can, they give way to spaces and ASCII of as many bytes, so that the places of
/// notes stay.
enum PrintedCommand {
    static func plain(_ text: String) -> String { read(text).text }

    static func read(_ text: String) -> (text: String, remarks: [ShellTypography.Remark]) {
        let text = ShellPrompts.removed(from: text)
        guard var typography = ShellTypography(text) else { return (text, []) }
        return (typography.read(), typography.remarks)
    }
}
