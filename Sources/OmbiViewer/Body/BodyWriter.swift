/// Writes a body to a file or a program in portions, which are made on request.
package struct BodyWriter: Sendable {
    private enum Source {
        case bytes(Bytes, endsLine: Bool)
        /// With a line break at the end.
        case json(JSONWriter)
        case rows(JSONRowWriter)
        case digits(Bytes)
    }

    private var source: Source
    /// Bytes returned so far.
    package private(set) var written = 0
    private var isDone = false

    /// Writes bytes as they are.
    /// - Parameter endsLine: true to add a line break.
    package init(_ bytes: Bytes, endsLine: Bool = false) { source = .bytes(bytes, endsLine: endsLine) }

    init(_ rows: JSONRowWriter) { source = .rows(rows) }

    /// Bytes in hexadecimal: `0f a0`, sixteen per line.
    init(digitsOf bytes: Bytes) { source = .digits(bytes) }

    /// Raw is the body as received, or the values that a filter selected of it, one per line. Formatted differs for
    /// JSON only; other text is in UTF-8. As text, the strings that a filter selected have no quotes.
    package init(_ document: BodyDocument, _ form: BodyForm) {
        guard case .json(let tree) = document.shape, tree.isFiltered || form == .formatted && tree.document.error == nil
        else {
            let isText = form == .formatted && document.kind.isText
            source = .bytes(isText ? document.text : document.raw, endsLine: false)
            return
        }
        let written: JSONWriter.Form =
            switch form {
            case .raw: .line
            case .formatted: .formatted
            case .text: .text
            }
        source = .json(tree.writer(form: written))
    }

    /// Returns the next portion, of about `size` bytes; nil at the end.
    package mutating func next(_ size: Int = 1 << 20) -> [UInt8]? {
        guard !isDone else { return nil }
        let portion = make(size)
        written += portion.count
        return portion.isEmpty ? nil : portion
    }

    var all: [UInt8] {
        var writer = self
        var bytes: [UInt8] = []
        while let portion = writer.next() { bytes += portion }
        return bytes
    }

    private mutating func make(_ size: Int) -> [UInt8] {
        switch source {
        case .bytes(let bytes, let endsLine):
            let portion = bytes.array(written..<min(bytes.count, written + size))
            isDone = written + portion.count == bytes.count
            return isDone && endsLine ? portion + [0x0A] : portion
        case .rows(var writer):
            defer { source = .rows(writer) }
            return writer.next(size) ?? []
        case .digits(let bytes):
            let start = written / Self.digitsPerByte
            return Self.digits(of: bytes, start..<min(bytes.count, start + size / Self.digitsPerByte + 1))
        case .json(var writer):
            defer { source = .json(writer) }
            let portion = writer.next(size) ?? []
            isDone = portion.count < size
            return isDone && written + portion.count > 0 ? portion + [0x0A] : portion
        }
    }

    /// Two digits, and the separator.
    private static let digitsPerByte = 3

    private static func digits(of bytes: Bytes, _ range: ByteRange) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(range.count * digitsPerByte)
        for offset in range {
            let endsRow = (offset + 1) % HexLayout.rowSize == 0 || offset + 1 == bytes.count
            text.append(digits[Int(bytes[offset] >> 4)])
            text.append(digits[Int(bytes[offset] & 15)])
            text.append(endsRow ? 0x0A : 0x20)
        }
        return text
    }

    package var progress: SaveProgress {
        switch source {
        case .bytes(let bytes, let endsLine):
            SaveProgress(written: written, total: bytes.count + (endsLine ? 1 : 0), fraction: nil)
        case .digits(let bytes):
            SaveProgress(written: written, total: bytes.count * Self.digitsPerByte, fraction: nil)
        case .rows: SaveProgress(written: written, total: nil, fraction: nil)
        case .json(let writer): SaveProgress(written: written, total: nil, fraction: writer.fraction)
        }
    }
}

/// The progress of writing a body.
package struct SaveProgress: Equatable, Sendable {
    var written = 0
    /// The final size in bytes; nil if unknown.
    var total: Int?
    /// The completed fraction, from 0 to 1.
    var fraction: Double?

    package var summary: String {
        if let total { return "\(TimeText.size(written)) of \(TimeText.size(total))" }
        return TimeText.size(written) + (fraction.map { ", \(Percent.short($0))" } ?? "")
    }
}

/// The form in which a body is saved; text is only for values that a filter selected.
package enum BodyForm: String, Equatable, Sendable, CaseIterable {
    case raw = "unchanged"
    case formatted
    case text = "text, one value per line"

    /// The next form to save in.
    func next(isFiltered: Bool) -> BodyForm {
        switch self {
        case .raw: .formatted
        case .formatted: isFiltered ? .text : .raw
        case .text: .raw
        }
    }
}
