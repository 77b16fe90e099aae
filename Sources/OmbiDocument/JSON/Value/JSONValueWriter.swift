/// Writes a `JSONValue` as text made to be read, compared and merged: the same value always gives the same text.
///
/// Members keep their order. An object or array of scalars takes one line if it fits into `width` columns; any other has
/// one member per line, so that a diff shows only the changed members.
struct JSONValueWriter {
    /// The maximum columns of a container on one line.
    static let width = 100

    private let style: JSONStyle
    private var text = ""

    /// - Parameters:
    ///   - indentation: the indentation of all lines but the first.
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
        // One column stays free for the comma after the value.
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

    /// Returns the value on one line, however long it is.
    static func oneLine(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            "[" + elements.map(oneLine).joined(separator: ", ") + "]"
        case .object(let members) where !members.isEmpty:
            "{ " + members.map { JSONValue.quoted($0.key) + ": " + oneLine($0.value) }.joined(separator: ", ") + " }"
        default: scalar(value) ?? ""
        }
    }

    /// Returns the value on one line; nil if it has containers in it.
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

    /// Returns the text of a scalar or an empty container; nil for any other value.
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

/// Conversion to text.
extension JSONValue {
    /// The text of a file: the outermost object or array spread over lines, a newline at the end.
    public var text: String { JSONValueWriter.text(self, spread: true) + "\n" }

    /// Returns the text of a nested value: all lines but the first are indented, and no newline ends it.
    public func text(indentation: Int) -> String {
        JSONValueWriter.text(self, indentation: String(repeating: " ", count: indentation))
    }

    /// The value without white space, for sending.
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
