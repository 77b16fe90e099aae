import Testing

@testable import OmbiDocument

/// A body of one kind, small enough that everything can be done to it.
struct BodySample: CustomTestStringConvertible {
    let kind: String
    let type: String?
    let bytes: [UInt8]

    init(_ kind: String, _ type: String?, _ bytes: some Sequence<UInt8>) {
        (self.kind, self.type, self.bytes) = (kind, type, Array(bytes))
    }

    var testDescription: String { kind }

    static let all = [
        BodySample("JSON", nil, "{\"a\\n\": [1.5e3, \"é\\u00e9\u{202E}\", [true]],\n\"b\":{\"c\":[{}, 1]}}".utf8),
        BodySample("JSON Lines", nil, "{\"a\": 1}\n{\"b\": [2]}\r\n".utf8),
        BodySample("XML", nil, "<?xml version='1.0'?>\n<a b='c'><!-- d\n --><e/>f &g;<![CDATA[h]]></a>".utf8),
        BodySample("HTML", nil, "<!DOCTYPE html><p>a<p>b<br><script>if (c < d) {\n}</script><title>e</title>".utf8),
        BodySample("YAML", "application/yaml", "- a: 'b' #c\n  d: [1, \u{1B}[31m]\n".utf8),
        BodySample("Markdown", "text/markdown", "# A\n- b `c` **d** [e](f)\t|\n".utf8),
        BodySample("CSV", "text/csv", "a,\"b\"\"\r\n\",c\r\n\"d\",,\n".utf8),
        BodySample("form", "application/x-www-form-urlencoded", "a=b+c&d=%41%0&&=e&f".utf8),
        BodySample("events", "text/event-stream", ": x\nid: 1\nevent: a\ndata: b\r\ndata: c\n\nretry: 5\n\ndata".utf8),
        BodySample("text", nil, "grüße,\tWelt\r\n\u{7F}\u{9B}e\u{301}\u{301} 東京 👩\u{200D}🚀\u{1F3FD}\u{FE0F}\n".utf8),
        BodySample("UTF-16", nil, [0xFF, 0xFE] + "[\"é😀\"]\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        BodySample(
            "UTF-32", "text/plain; charset=utf-32be",
            "a😀\u{1B}".unicodeScalars.flatMap {
                [0, UInt8($0.value >> 16), UInt8($0.value >> 8 & 0xFF), UInt8($0.value & 0xFF)]
            }),
        BodySample("windows-1252", "text/plain; charset=latin1", [0x67, 0xF6, 0xDF, 0x80, 0x9D, 0x0A, 0x41]),
        BodySample("Shift_JIS", "text/csv; charset=shift_jis", [0x93, 0x8C, 0x2C, 0x8B, 0x9E, 0x0D, 0x0A, 0xB1, 0x2C]),
        BodySample(
            "ISO-2022-JP", "text/plain; charset=iso-2022-jp", [0x1B, 0x24, 0x42, 0x45, 0x6C, 0x1B, 0x28, 0x42, 0x41]),
        BodySample(
            "PNG", "image/png",
            [
                0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0x80, 0,
                0, 1, 0xE0,
            ]),
        BodySample("binary", nil, (0...255).map { UInt8(truncatingIfNeeded: $0 &* 37) }),
    ]
}

/// All rows of some bytes, as they are drawn in 30 columns.
private func rows(of bytes: Bytes, type: String?) -> [[TextSpan]] {
    let format = BodyFormat(bytes, contentType: type)
    guard format.kind.isText, let charset = format.charset else {
        return (0..<HexLayout.rowCount(of: bytes.count)).map { HexLayout.spans(row: $0, in: bytes) }
    }
    let body = bytes[charset.markLength..<bytes.count]
    let text = DecodedText(charset.charset)?.extend(over: body, isComplete: true) ?? body
    let columns = 30
    func line(_ range: ByteRange) -> [TextSpan] { SpanBuilder.spans(of: range, in: text, columns: columns) }
    switch format.kind {
    case .json, .jsonLines:
        let tree = JSONTree(JSONIndex.document(text, roots: format.kind == .json ? .one : .many), columns: columns)
        return tree.rows.map { tree.spans(of: $0, columns: columns) }
    case .xml, .html:
        let index = MarkupIndex(text, isHTML: format.kind == .html)
        return index.rows.indices.map { index.spans(row: $0, in: text, isFolded: $0 % 2 == 0, columns: columns) }
    case .table(let separator):
        let index = TableIndex(text, separator: separator)
        _ = TableShape(index, in: text)
        let rows = (0..<index.rowCount(in: text)).compactMap { index.range(of: $0, in: text) }
        return rows.flatMap { row in index.cells(of: row, in: text).map { line($0.range) } }
    case .form:
        var index = FormIndex()
        index.extend(over: text)
        return index.fields.map { line($0.name) + line($0.value) }
    case .events:
        var index = EventIndex()
        index.extend(over: text, isComplete: true)
        let events = index.events + (index.unfinished(in: text).map { [$0] } ?? [])
        for event in events { _ = ServerEvent(in: text, event) }
        return events.map(line)
    case .yaml, .markdown, .text, .empty, .image, .binary:
        let layout = TextLayout(bytes: text, lines: LineIndex(text), columns: columns)
        let style: LineHighlighter? = format.kind == .yaml ? .yaml : format.kind == .markdown ? .markdown : nil
        return layout.rows(from: layout.row(at: 0), limit: 1000).map { row in
            let styles = style?.styles(of: row.line, visible: row.range, in: text) ?? []
            return SpanBuilder.spans(of: row.range, in: text, columns: columns, styles: styles)
        }
    }
}

/// Nothing that a terminal obeys, and nothing that turns the direction of writing.
private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
    default: scalar.properties.generalCategory != .control
    }
}

@Test(arguments: BodySample.all)
func `whatever happens to a body, it is shown, and harms nobody`(sample: BodySample) {
    #expect(
        BodyFormat(Bytes(sample.bytes), contentType: sample.type).kind.isText == !["PNG", "binary"].contains(
            sample.kind))
    for version in [sample.bytes] + Damage.versions(of: sample.bytes) {
        let bytes = Bytes(version)
        let rows = rows(of: bytes, type: sample.type)
        let harm = rows.joined().first { !$0.text.unicodeScalars.allSatisfy(isHarmless) }
        #expect(harm == nil, "\(version)")
        // Of nothing but blanks, separators, marks and a shift to another alphabet nothing needs to be seen.
        let isBlank = version.allSatisfy {
            $0 <= 0x20 || ",;&=\u{FF}\u{FE}".unicodeScalars.contains(Unicode.Scalar($0))
        }
        #expect(
            isBlank || version == [0x1B, 0x24, 0x42] || rows.contains { !$0.isEmpty }, "nothing is shown of \(version)")
    }
}
