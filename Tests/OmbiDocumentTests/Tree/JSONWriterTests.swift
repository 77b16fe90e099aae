import Foundation
import Testing

@testable import OmbiDocument

private func write(_ document: JSONDocument, _ form: JSONWriter.Form, portion: Int = 7) -> String {
    var writer = JSONWriter(document, form: form)
    var result: [UInt8] = []
    while let more = writer.next(portion) { result += more }
    return String(decoding: result, as: UTF8.self)
}

@Test func `what is written formatted is what the tree shows`() {
    for text in [
        JSONSamples.mixed, "[]", "{}", "3", "[[],[1,[]],{\"a\":{}}]", "[\"\(String(repeating: "x", count: 90))\"]",
    ] {
        let document = JSONDocument(text)
        let tree = JSONTree(document, columns: 200)
        let drawn = tree.drawn.map { $0.replacingOccurrences(of: "  duplicate key", with: "") }
        #expect(
            write(document, .formatted).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                == drawn)
    }
}

@Test(arguments: [1, 2, 100, 1 << 16])
func `what is written says what the body says`(portion: Int) throws {
    let document = JSONDocument(JSONSamples.mixed.replacingOccurrences(of: "\"twice\": 1, ", with: ""))
    let expected = try JSONSerialization.jsonObject(with: Data(document.bytes(in: 0..<document.byteCount)))
    for form in [JSONWriter.Form.formatted, .compact] {
        let text = write(document, form, portion: portion)
        let found = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(found as? NSDictionary == expected as? NSDictionary)
        #expect(form == .formatted || !text.contains("\n"))
    }
}

@Test func `compact has no white space but in strings`() {
    let document = JSONDocument(" { \"a b\" : [ 1 , 2.50 , \" x \" ] , \"c\" : { } , \"a b\" : [ [ ] , [ null ] ] } ")
    #expect(write(document, .compact) == "{\"a b\":[1,2.50,\" x \"],\"c\":{},\"a b\":[[],[null]]}")
}

@Test func `values are on lines of their own`() throws {
    let document = JSONDocument("{\"a\": 1} [2]\n3", roots: .many)
    #expect(write(document, .compact) == "{\"a\":1}\n[2]\n3")
    let one = JSONDocument("{\"a\": [{\"b\": 1}, {\"b\": [2, {}]}]}")
    var writer = JSONWriter(one, nodes: Array(try JSONPath("$..b").matches(in: one)), form: .compact)
    #expect(writer.next().map { String(decoding: $0, as: UTF8.self) } == "1\n[2,{}]")
    #expect(writer.next() == nil)
}

@Test func `every truncation is written as far as it is good`() {
    let bytes = Array(JSONSamples.mixed.utf8)
    let whole = write(JSONDocument(bytes), .compact)
    for count in bytes.indices {
        let text = write(JSONDocument(Array(bytes.prefix(count))), .compact)
        #expect(whole.hasPrefix(text), "after \(count) bytes: \(text)")
    }
}
