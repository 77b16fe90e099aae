/// Writes JSON made to be read, compared and merged: the same value always gives the same text.
///
/// Two spaces of indentation, everything in its order. An object or array of scalars stands on one line when it fits
/// `width` columns; anything else has one member per line, so that a change shows up as the lines it touches.
public struct JSONWriter {
    /// The columns that a line may take before what is on it is spread over several.
    public static let width = 100

    private var text = ""

    /// The text of a file: the outermost object or array spread over lines, a newline at the end.
    public static func text(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.write(value, indentation: 0, column: 0, spread: true)
        writer.text += "\n"
        return writer.text
    }

    /// The same for a value within others: what the lines behind the first begin with, and no newline at the end.
    public static func text(_ value: JSONValue, indentation: Int) -> String {
        var writer = JSONWriter()
        writer.write(value, indentation: indentation, column: indentation)
        return writer.text
    }

    /// The same value without any space: the shortest text, for the wire.
    public static func compact(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(compact).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { quoted($0.key) + ":" + compact($0.value) }.joined(separator: ",") + "}"
        default: scalar(value) ?? ""
        }
    }

    /// A string in quotes, with only those characters escaped that must be (RFC 8259 §7).
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
            case "\u{0}"..."\u{1F}": result += "\\u" + JSONScanner.hex(scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private mutating func write(_ value: JSONValue, indentation: Int, column: Int, spread: Bool = false) {
        // One column stays free for the comma behind the value.
        if let line = Self.line(value, isOutermost: spread),
            column + line.unicodeScalars.count < Self.width
                || Self.scalar(value) != nil
        {
            text += line
            return
        }
        switch value {
        case .array(let elements):
            writeLines("[", "]", elements, indentation) { writer, element, inner in
                writer.write(element, indentation: inner, column: inner)
            }
        case .object(let members):
            writeLines("{", "}", members, indentation) { writer, member, inner in
                let key = Self.quoted(member.key) + ": "
                writer.text += key
                writer.write(member.value, indentation: inner, column: inner + key.unicodeScalars.count)
            }
        default: break
        }
    }

    private mutating func writeLines<Element>(
        _ opener: String, _ closer: String, _ elements: [Element], _ indentation: Int,
        write: (inout JSONWriter, Element, Int) -> Void
    ) {
        let inner = indentation + 2
        text += opener
        for (index, element) in elements.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + String(repeating: " ", count: inner)
            write(&self, element, inner)
        }
        text += "\n" + String(repeating: " ", count: indentation) + closer
    }

    /// The value on one line; nil when it holds something that is no scalar.
    private static func line(_ value: JSONValue, isOutermost: Bool) -> String? {
        if let scalar = scalar(value) { return scalar }
        if isOutermost { return nil }
        switch value {
        case .array(let elements):
            var pieces: [String] = []
            for element in elements {
                guard pieces.count < width, let piece = scalar(element) else { return nil }
                pieces.append(piece)
            }
            return "[" + pieces.joined(separator: ", ") + "]"
        case .object(let members):
            var pieces: [String] = []
            for member in members {
                guard pieces.count < width, let piece = scalar(member.value) else { return nil }
                pieces.append(quoted(member.key) + ": " + piece)
            }
            return "{ " + pieces.joined(separator: ", ") + " }"
        default: return nil
        }
    }

    /// A value that is never spread over lines.
    private static func scalar(_ value: JSONValue) -> String? {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): quoted(text)
        case .array(let elements): elements.isEmpty ? "[]" : nil
        case .object(let members): members.isEmpty ? "{}" : nil
        }
    }
}
