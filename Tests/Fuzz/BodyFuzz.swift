/// Any bytes under any Content-Type: they are told to be something, decoded alike in one go and in portions, and shown
/// without anything that a terminal would obey.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBody(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 3 else { return 0 }
    let bytes = Bytes(UnsafeBufferPointer(start: start + 3, count: count - 3))
    let type = types[Int(start[0]) % types.count]
    let charset = charsets[Int(start[1]) % charsets.count]
    let format = BodyFormat(bytes, contentType: type.map { $0 + (charset.map { "; charset=\($0)" } ?? "") })
    precondition(format.kind.isText == (format.charset != nil), "a text has an encoding")
    guard format.kind.isText, let found = format.charset else {
        return 0
    }
    let body = bytes[found.markLength..<bytes.count]
    let text = found.charset == .utf8 ? body : decode(body, found.charset, seed: start[2])
    let columns = 1 + Int(start[2]) % 100
    let style = [nil, LineHighlighter.yaml, .markdown, .json][Int(start[2]) % 4]
    let from = text.count * Int(start[2]) / 256
    draw(text, lines: LineIndex(text), columns: columns, style: style, from: from)
    if format.kind == .json || format.kind == .jsonLines {
        draw(JSONIndex.document(text, roots: format.kind == .json ? .one : .many), columns: columns)
    }
    return 0
}

private func decode(_ body: Bytes, _ charset: Charset, seed: UInt8) -> Bytes {
    guard let whole = DecodedText(charset), let parts = DecodedText(charset) else {
        preconditionFailure("an encoding that was found is known")
    }
    let text = whole.extend(over: body, isComplete: true)
    for end in ends(of: body.count, seed: seed) { _ = parts.extend(over: body[0..<end], isComplete: false) }
    let joined = parts.extend(over: body, isComplete: true)
    precondition(joined.array(0..<joined.count) == text.array(0..<text.count), "the same in portions")
    precondition(whole.firstBad == parts.firstBad, "the same mistake in portions")
    precondition(String(validating: text.array(0..<text.count), as: UTF8.self) != nil, "it is UTF-8")
    return text
}

private func draw(_ document: JSONDocument, columns: Int) {
    var tree = JSONTree(document, columns: columns)
    tree.extend(limit: .max)
    guard let first = tree.first else { return }
    for row in tree.rows(from: first, limit: 100) {
        check(tree.spans(of: row, columns: columns), columns: columns)
        if tree.isFoldable(row), row.depth > 1 { tree.toggle(row) }
    }
    for row in tree.rows(from: first, limit: 100) { check(tree.spans(of: row, columns: columns), columns: columns) }
}

private let types: [String?] = [
    nil, "text/plain", "text/html", "application/json", "application/xml", "application/octet-stream", "text/css",
]

private let charsets: [String?] = [
    nil, "utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "windows-1252", "shift_jis", "euc-jp",
    "iso-2022-jp", "gb18030", "big5", "euc-kr", "koi8-r", "iso-8859-2", "iso-8859-6", "windows-1255", "windows-1258",
    "windows-874", "macintosh", "ibm866", "utf-7", "tcvn", "euc-jisx0213", "shift_jisx0213",
]
