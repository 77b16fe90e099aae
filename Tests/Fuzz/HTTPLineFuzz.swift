// Sources: Sources/OmbiWorkspace/Import/TextLine.swift Sources/OmbiWorkspace/Import/HTTP/TextLine+HTTP.swift Sources/OmbiBase/StringProtocol+Bytes.swift Tests/Fuzz/Stubs/RequestLine.swift

/// Texts as lines of a .http file: they come in order and are all of it, and a request has a URL.
@_cdecl("LLVMFuzzerTestOneInput")
func httpLineFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // An importer reads no other file.
    guard String(validating: bytes, as: UTF8.self) != nil else { return 0 }
    let lines = TextLine.lines(of: bytes)
    precondition(lines.count == bytes.count { $0 == 0x0A } + 1, "each line is there")
    var last = -1
    for (index, line) in lines.enumerated() {
        precondition(last < line.offset && line.offset <= count, "lines come in order")
        last = line.offset
        precondition(!line.isPartOfURL || !line.isBlank, "an empty line ends a URL")
        if let variable = line.variable { precondition(!variable.name.isEmpty, "a variable has a name") }
        if let request = HTTPRequestLine(line.text) {
            precondition(!request.method.isEmpty && !request.url.isEmpty, "a request has a method and a URL")
        }
        _ = (line.beginsBody, line.beginsRequest, line.isStatusLine, line.isPlaceholder, line.isCommand, line.comment)
        _ = line.isQuotation(in: Array(lines[..<index].suffix(8)))
    }
    return 0
}
