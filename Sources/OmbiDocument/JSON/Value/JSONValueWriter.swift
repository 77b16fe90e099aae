/// Writes a `JSONValue` as text made to be read, compared and merged: the same value always gives the same text.
///
/// Members keep their order. An object or array of scalars takes one line if it fits into `width` columns; any other has
/// one member per line, so that a diff shows only the changed members.
struct JSONValueWriter {
    /// The maximum columns of a container on one line.
    static let width = 100

    private let style: JSONStyle
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - indentation: the indentation of all lines but the first.
    ///   - spread: true to spread the outermost object or array over lines.
    static func text(
        _ value: JSONValue, style: JSONStyle = .standard, indentation: String = "", spread: Bool = false
    ) -> String {
        if style.isOneLine { return value.compact }
        var writer = JSONValueWriter(style: style)
        writer.write(
            value, indentation: Array(indentation.utf8), column: indentation.unicodeScalars.count, spread: spread)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private init(style: JSONStyle) { self.style = style }

    private mutating func write(_ value: JSONValue, indentation: [UInt8], column: Int, spread: Bool = false) {
        if value.appendScalar(to: &bytes) { return }
        let start = bytes.count
        // One column stays free for the comma after the value.
        if !spread, writeLine(value), column + columns(from: start) < Self.width { return }
        bytes.removeSubrange(start...)
        let inner = indentation + style.indentation.utf8
        let column = columns(of: inner)
        switch value {
        case .array(let elements):
            writeLines("[", "]", elements, indentation, inner) { writer, element in
                writer.write(element, indentation: inner, column: column)
            }
        case .object(let members):
            writeLines("{", "}", members, indentation, inner) { writer, member in
                let start = writer.bytes.count
                JSONStringEncoder.append(member.key, to: &writer.bytes)
                writer.bytes += ": ".utf8
                writer.write(member.value, indentation: inner, column: column + writer.columns(from: start))
            }
        default: break
        }
    }

    private mutating func writeLines<Element>(
        _ opener: Unicode.Scalar, _ closer: Unicode.Scalar, _ elements: [Element], _ indentation: [UInt8],
        _ inner: [UInt8], write: (inout JSONValueWriter, Element) -> Void
    ) {
        bytes.append(UInt8(ascii: opener))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += style.lineBreak.utf8
            bytes += inner
            write(&self, element)
        }
        bytes += style.lineBreak.utf8
        bytes += indentation
        bytes.append(UInt8(ascii: closer))
    }

    /// Writes a container of scalars on one line.
    /// - Returns: false if it contains containers, or is too long; a part may then be written.
    private mutating func writeLine(_ value: JSONValue) -> Bool {
        // No scalar has more bytes.
        let limit = bytes.count + Self.width * 4
        switch value {
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                guard bytes.count <= limit, element.appendScalar(to: &bytes) else { return false }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes += "{ ".utf8
            for (index, member) in members.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                guard bytes.count <= limit else { return false }
                JSONStringEncoder.append(member.key, to: &bytes)
                bytes += ": ".utf8
                guard member.value.appendScalar(to: &bytes) else { return false }
            }
            bytes += " }".utf8
        default: return false
        }
        return bytes.count <= limit
    }

    private func columns(from start: Int) -> Int { columns(of: bytes[start...]) }

    /// The number of Unicode scalars.
    private func columns(of bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// Returns the value on one line, however long it is.
    static func oneLine(_ value: JSONValue) -> String {
        var bytes: [UInt8] = []
        value.append(to: &bytes, isTight: false)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Conversion to text.
extension JSONValue {
    /// The text of a file: the outermost object or array spread over lines, a newline at the end.
    package var text: String { JSONValueWriter.text(self, spread: true) + "\n" }

    /// Returns the text of a nested value: all lines but the first are indented, and no newline ends it.
    package func text(indentation: Int) -> String {
        JSONValueWriter.text(self, indentation: String(repeating: " ", count: indentation))
    }

    /// The value without white space, for sending.
    package var compact: String { String(decoding: compactBytes, as: UTF8.self) }

    package var compactBytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, isTight: true)
        return bytes
    }

    /// Appends the value on one line.
    /// - Parameter isTight: true for no spaces.
    fileprivate func append(to bytes: inout [UInt8], isTight: Bool) {
        if appendScalar(to: &bytes) { return }
        // A byte at a time: a text of one is appended by ten times the steps.
        func append(_ mark: UInt8, spaced isSpaced: Bool) {
            bytes.append(mark)
            if isSpaced { bytes.append(UInt8(ascii: " ")) }
        }
        switch self {
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(UInt8(ascii: ","), spaced: !isTight) }
                element.append(to: &bytes, isTight: isTight)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            append(UInt8(ascii: "{"), spaced: !isTight)
            for (index, member) in members.enumerated() {
                if index > 0 { append(UInt8(ascii: ","), spaced: !isTight) }
                JSONStringEncoder.append(member.key, to: &bytes)
                append(UInt8(ascii: ":"), spaced: !isTight)
                member.value.append(to: &bytes, isTight: isTight)
            }
            if !isTight { bytes.append(UInt8(ascii: " ")) }
            bytes.append(UInt8(ascii: "}"))
        default: break
        }
    }

    /// Appends a scalar or an empty container; returns false, and appends nothing, for any other value.
    fileprivate func appendScalar(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let digits): bytes += digits.utf8
        case .string(let text): JSONStringEncoder.append(text, to: &bytes)
        case .array(let elements):
            guard elements.isEmpty else { return false }
            bytes += "[]".utf8
        case .object(let members):
            guard members.isEmpty else { return false }
            bytes += "{}".utf8
        }
        return true
    }

    /// Returns a string in quotes, with only those characters escaped that must be (RFC 8259, section 7).
    package static func quoted(_ text: String) -> String {
        var result: [UInt8] = []
        append(quoted: text, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    package static func append(quoted text: String, to bytes: inout [UInt8]) {
        JSONStringEncoder.append(text, to: &bytes)
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
