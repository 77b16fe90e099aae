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
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func appendCompact(to bytes: inout [UInt8]) {
        switch self {
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.appendCompact(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONStringEncoder.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.appendCompact(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .string(let text): JSONStringEncoder.append(text, to: &bytes)
        case .number(let digits): bytes += digits.utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .null: bytes += "null".utf8
        }
    }

    /// Returns a string in quotes, with only those characters escaped that must be (RFC 8259, section 7).
    public static func quoted(_ text: String) -> String {
        var result: [UInt8] = []
        JSONStringEncoder.append(text, to: &result)
        return String(decoding: result, as: UTF8.self)
    }
}

/// The formatting of a text, for the lines that are added to it.
struct JSONStyle {
    /// The indentation of a value within its container.
    var indentation = "  "
    var lineBreak = "\n"
    /// True for a text without line breaks, which gets none.
    var isOneLine = false
    /// True for a text without spaces between keys and values.
    var isTight = false

    /// The formatting of new files.
    static let standard = JSONStyle()

    init() {}

    /// Detects the formatting of a text from its outermost container.
    init(of document: JSONDocument) {
        guard let root = document.firstRoot, let first = document.pieces(of: root).first else { return }
        isOneLine = !document.hasLineBreak(in: root)
        isTight = document.colon(of: first.node) == ":"
        let bytes = document.bytes
        if let end = ByteScan.first(0x0A, or: 0x0D, in: bytes, document.range(of: root)) {
            lineBreak = bytes.text(end..<end + (bytes.starts(with: [0x0D, 0x0A], at: end) ? 2 : 1))
        }
        guard bytes.buffer(first.lead).contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return }
        let inner = document.indentation(ofLineAt: first.lead.upperBound)
        let outer = document.indentation(ofLineAt: document.range(of: root).lowerBound)
        if inner.count > outer.count, inner.hasPrefix(outer) { indentation = String(inner.dropFirst(outer.count)) }
    }
}

extension JSONDocument {
    /// Returns the text between a key and its value; nil for elements, and when a line ends there.
    func colon(of node: JSONNode) -> String? {
        guard let key = keyBytes(of: node) else { return nil }
        let colon = key.upperBound..<range(of: node).lowerBound
        return bytes.buffer(colon).contains { $0 == 0x0A || $0 == 0x0D } ? nil : bytes.text(colon)
    }

    /// Returns the spaces and tabs that the line of a byte begins with.
    func indentation(ofLineAt offset: Int) -> String {
        var start = offset
        while start > 0, bytes.base[start - 1] != 0x0A, bytes.base[start - 1] != 0x0D { start -= 1 }
        var end = start
        while end < offset, bytes.base[end] == 0x20 || bytes.base[end] == 0x09 { end += 1 }
        return bytes.text(start..<end)
    }
}
