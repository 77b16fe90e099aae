/// Writes a `JSONValue` as text made to be read, compared and merged: the same value always gives the same text.
///
/// Everything in its order. An object or array of scalars stands on one line when it fits `width` columns; anything else
/// has one member per line, so that a change shows up as the lines it touches.
struct JSONValueWriter {
    /// The columns that a line may take before what is on it is spread over several.
    private static let width = 100

    private let style: JSONStyle
    private var text = ""

    /// - Parameters:
    ///   - indentation: the beginning of the lines behind the first.
    ///   - spread: true to spread the outermost object or array over lines.
    static func text(
        _ value: JSONValue, style: JSONStyle = .standard, indentation: String = "", spread: Bool = false
    ) -> String {
        if style.isOneLine { return value.compact }
        var writer = JSONValueWriter(style: style)
        writer.write(value, indentation: indentation, column: indentation.unicodeScalars.count, spread: spread)
        return writer.text
    }

    private init(style: JSONStyle) { self.style = style }

    private mutating func write(_ value: JSONValue, indentation: String, column: Int, spread: Bool = false) {
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
                writer.write(element, indentation: inner, column: inner.unicodeScalars.count)
            }
        case .object(let members):
            writeLines("{", "}", members, indentation) { writer, member, inner in
                let key = JSONValue.quoted(member.key) + ": "
                writer.text += key
                writer.write(
                    member.value, indentation: inner, column: inner.unicodeScalars.count + key.unicodeScalars.count)
            }
        default: break
        }
    }

    private mutating func writeLines<Element>(
        _ opener: String, _ closer: String, _ elements: [Element], _ indentation: String,
        write: (inout JSONValueWriter, Element, String) -> Void
    ) {
        let inner = indentation + style.indentation
        text += opener
        for (index, element) in elements.enumerated() {
            text += (index == 0 ? "" : ",") + style.lineBreak + inner
            write(&self, element, inner)
        }
        text += style.lineBreak + indentation + closer
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
                pieces.append(JSONValue.quoted(member.key) + ": " + piece)
            }
            return "{ " + pieces.joined(separator: ", ") + " }"
        default: return nil
        }
    }

    /// A value that is never spread over lines.
    static func scalar(_ value: JSONValue) -> String? {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): JSONValue.quoted(text)
        case .array(let elements): elements.isEmpty ? "[]" : nil
        case .object(let members): members.isEmpty ? "{}" : nil
        }
    }
}

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
        var result: [UInt8] = []
        JSONStringEncoder.append(text, to: &result)
        return String(decoding: result, as: UTF8.self)
    }
}
