import OmbiDocument

/// Texts as literals of the languages that are exported. What cannot be seen is written as an escape, which survives
/// being printed and pasted.
enum ExportQuotes {
    /// Returns a literal of Python.
    static func python(_ text: String) -> String {
        quoted(text) { value in
            value < 0x100
                ? "\\x" + hexadecimal(value, 2)
                : value < 0x10000 ? "\\u" + hexadecimal(value, 4) : "\\U" + hexadecimal(value, 8)
        }
    }

    /// Returns a literal of JavaScript, which holds no template.
    static func javaScript(_ text: String) -> String {
        quoted(text) { "\\u{" + String($0, radix: 16, uppercase: true) + "}" }
    }

    private static func quoted(_ text: String, hidden: (UInt32) -> String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where SwiftLiteral.isPlain(scalar): result.unicodeScalars.append(scalar)
            default: result += hidden(scalar.value)
            }
        }
        return result + "\""
    }

    /// Returns JSON with escapes for what cannot be seen in its strings.
    static func json(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            if SwiftLiteral.isPlain(scalar) || scalar == "\n" {
                result.unicodeScalars.append(scalar)
            } else {
                result += UTF16.encode(scalar)?.map { "\\u" + hexadecimal(UInt32($0), 4) }.joined() ?? ""
            }
        }
        return result
    }

    /// Returns a text of Hurl in which braces begin no template.
    /// - Parameter others: the characters that mean something where the text stands.
    static func hurl(_ text: String, escaping others: String = "") -> String {
        var result = ""
        var previous: Unicode.Scalar?
        let last = text.unicodeScalars.count - 1
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let isBrace = scalar == "{" && (previous == "{" || index == last)
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isBrace || scalar == "#" || others.unicodeScalars.contains(scalar):
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            case _ where SwiftLiteral.isPlain(scalar): result.unicodeScalars.append(scalar)
            default: result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
            previous = scalar
        }
        return result
    }

    /// Returns a text for a cell of a table of Markdown.
    static func markdownCell(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r": result += " "
            case "\\", "|", "`", "*", "_", "<", ">", "[", "]", "#", "&": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a block of code of Markdown, whose fence is longer than any in the text.
    static func markdownBlock(_ text: String, language: String) -> String {
        var (longest, run) = (2, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return fence + language + "\n" + text + (text.hasSuffix("\n") ? "" : "\n") + fence
    }

    /// Returns true for a text with a character that cannot be seen, other than a line break and a tab.
    static func hasHidden(_ text: String) -> Bool {
        text.unicodeScalars.contains { !SwiftLiteral.isPlain($0) && $0 != "\n" && $0 != "\t" }
    }

    private static func hexadecimal(_ value: UInt32, _ count: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
