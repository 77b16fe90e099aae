/// The texts of a value.
extension JSONValue {
    /// The text of a file: the outermost object or array spread over lines, a newline at the end.
    public var text: String { JSONValueWriter.text(self, spread: true) + "\n" }

    /// Returns the text of a value within others: the lines behind the first are indented, no newline at the end.
    public func text(indentation: Int) -> String {
        JSONValueWriter.text(self, indentation: String(repeating: " ", count: indentation))
    }

    /// The same value without any space: the shortest text, for the wire.
    public var compact: String {
        switch self {
        case .array(let elements): "[" + elements.map(\.compact).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.compact }.joined(separator: ",") + "}"
        default: JSONValueWriter.scalar(self) ?? ""
        }
    }

    /// Returns a string in quotes, with only those characters escaped that must be (RFC 8259, section 7).
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\u{0}"..."\u{1F}": result += "\\u" + JSONValueWriter.hexadecimal(scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
