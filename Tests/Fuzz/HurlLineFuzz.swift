// Sources: Sources/OmbiWorkspace/Import/Hurl/HurlLine.swift Sources/OmbiBase/StringProtocol+Bytes.swift

/// Texts as lines of a file of Hurl: each ends in what it divides, and an escape makes no text longer.
@_cdecl("LLVMFuzzerTestOneInput")
func hurlLineFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // An importer reads no other file.
    guard let text = String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) else {
        return 0
    }
    for line in text.split(separator: "\n").map(String.init) {
        if let request = HurlLine.request(line) {
            precondition(!request.method.isEmpty && !request.url.isEmpty, "a request has a method and a URL")
        }
        if let status = HurlLine.response(line) { precondition(!status.isEmpty, "a response has a status") }
        if let name = HurlLine.section(line) { precondition(!name.isEmpty, "a section has a name") }
        for isExpression in [false, true] {
            precondition(HurlLine.value(line[...], isExpression: isExpression).utf8.count <= line.utf8.count)
            guard let pair = HurlLine.pair(line, isExpression: isExpression) else { continue }
            precondition(!pair.name.isEmpty, "a pair has a name")
        }
        _ = (HurlLine.file(line), HurlLine.quoted(line[...]))
    }
    return 0
}
