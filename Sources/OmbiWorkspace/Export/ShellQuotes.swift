/// Words for a command line of bash and zsh.
enum ShellQuotes {
    /// Returns the text as one word, in quotes if it needs any. Control characters are written as escapes, which survive
    /// being pasted.
    static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        if text.unicodeScalars.contains(where: isControl) { return escaped(text) }
        return "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_./:=,@%+".utf8.contains(byte)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 && scalar != "\n") || scalar.value == 0x7F
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
            case _ where isControl(scalar):
                // Three digits, so that a digit behind them is not taken for another one.
                let digits = String(scalar.value, radix: 8)
                result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}
