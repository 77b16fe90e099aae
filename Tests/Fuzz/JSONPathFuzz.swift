/// An expression on the first line, and a body behind it: no matter what is selected, it is in the body, and its
/// normalized path leads to a value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSONPath(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: start, count: count)
    let end = input.firstIndex(of: 0x0A) ?? count
    guard let path = try? JSONPath(String(decoding: input[..<end], as: UTF8.self)) else { return 0 }
    let body = end < count ? Array(input[(end + 1)...]) : Array(sample.utf8)
    let document = JSONIndex.document(Bytes(body), roots: .many)
    var questions = 0
    let matches = path.matches(in: document) {
        questions += 1
        return questions > 20
    }
    var locator = JSONPathLocator(document)
    for node in matches.prefix(200) {
        precondition(document.contains(node), "what is selected is in the body")
        let path = locator.path(of: node)
        precondition(path == document.path(of: node), "the path does not depend on what was located before")
        precondition((try? JSONPath(path)) != nil, "a normalized path is a path")
    }
    return 0
}

private let sample = """
    {"a": [1, 2.5e3, {"b": "x", "a": null}], "b": {"c": [true, false, [], {}]}, "d": "text", "e\\u0066": -0.0}
    """
