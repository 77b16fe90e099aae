/// Words for a command line of bash and zsh.
package enum ShellQuotes {
    /// Returns the text as one word, in quotes if it needs any. What a terminal would not show as it is, such as
    /// a control character or a joiner, is written as escapes, which survive being printed and pasted.
    package static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        if text.unicodeScalars.contains(where: isHidden) { return escaped(text) }
        return "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// Returns the text for a comment: in one line, without what a terminal would not show as it is.
    static func comment(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch ScalarClass(scalar) {
            case .unprintable(let picture): result.append(picture)
            case .joiner, .selector: break
            case .printable, .mark, .skinTone: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_./:=,@%+".utf8.contains(byte)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch ScalarClass(scalar) {
        case .unprintable: scalar != "\n"
        case .joiner, .selector: true
        case .printable, .mark, .skinTone: false
        }
    }

    /// Returns `$'…'`.
    private static func escaped(_ text: String) -> String {
        var result = "$'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where isHidden(scalar): result += UTF8.encode(scalar)?.map(octal).joined() ?? ""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }

    /// Three digits, so that a digit behind them is not taken for another one. Bytes, as `\u` needs a locale with UTF-8.
    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
