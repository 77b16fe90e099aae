import Foundation
import Testing

@testable import OmbiDocument

@Test func `a body that comes in two parts gives the same document as at once`() {
    let bytes = Array(JSONSamples.mixed.utf8)
    let whole = JSONDocument(bytes)
    #expect(whole.error == nil)
    for middle in 0...bytes.count {
        let split = JSONDocument(bytes, splitAt: middle)
        #expect(split.error == nil, "split at \(middle)")
        #expect(split.rebuilt == whole.rebuilt, "split at \(middle)")
    }
}

@Test func `a body that comes byte by byte gives the same document as at once`() {
    let bytes = Array(JSONSamples.mixed.utf8)
    let index = JSONIndex(roots: .one)
    let body = Bytes(bytes)
    for count in 1...bytes.count { #expect(index.append(body[0..<count]).error == nil, "after \(count) bytes") }
    #expect(index.finish().rebuilt == JSONDocument(bytes).rebuilt)
}

@Test func `the values of the index joined again say what the body says`() throws {
    let document = JSONDocument(JSONSamples.mixed.replacingOccurrences(of: "\"twice\": 1, ", with: ""))
    let bytes = document.bytes(in: 0..<document.byteCount)
    let expected = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
    let found = try JSONSerialization.jsonObject(with: Data(document.rebuilt.utf8)) as? NSDictionary
    #expect(found == expected)
}

@Test func `a long body crosses the chunks of the tape`() {
    let text = "[" + (0..<90_000).map { "[\($0)]" }.joined(separator: ",") + "]"
    let document = JSONDocument(text)
    #expect(document.entryCount == 270_002)
    #expect(document.node(89_999, 0).map(document.source) == "89999")
    #expect(
        document.firstRoot.map { document.children(of: $0).map { document.source(of: $0) }.joined() }
            == (0..<90_000).map { "[\($0)]" }.joined())
}

@Test func `every truncation keeps what came before and tells its end`() {
    let bytes = Array(JSONSamples.mixed.utf8)
    let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
    for count in 0...end {
        let document = JSONDocument(Array(bytes.prefix(count)))
        #expect(document.error?.offset == count, "after \(count) bytes")
        #expect(count == 0 || document.firstRoot != nil)
        document.readEverything()
    }
}

@Test func `every change of a byte is read or told, split anywhere alike`() {
    let bytes = Array("{\"a\\n\": [1.5e3, \"é\\u00e9\", true], \"b\":{}}".utf8)
    for offset in bytes.indices {
        for value in UInt8.min...UInt8.max {
            var changed = bytes
            changed[offset] = value
            let document = JSONDocument(changed)
            document.readEverything()
            let reference = try? JSONSerialization.jsonObject(with: Data(changed))
            // Foundation also takes UTF-16 and UTF-32, of which one byte of change makes none here.
            #expect(
                (document.error == nil) == (reference != nil),
                "byte \(offset) = \(value): \(String(describing: document.error))")
            // The word that is found is told as far as it has come; its place is the same.
            let split = JSONDocument(changed, splitAt: (offset + Int(value)) % bytes.count)
            #expect(split.error?.offset == document.error?.offset, "byte \(offset) = \(value)")
        }
    }
}

extension JSONDocument {
    /// Asks everything of every node.
    func readEverything() {
        _ = rebuilt
        var node = firstRoot
        while let current = node {
            let range = range(of: current)
            #expect(range.upperBound <= byteCount)
            _ = (text(of: current), key(of: current), previous(before: current), lastChild(of: current))
            #expect(self.node(atByte: range.lowerBound) == current)
            if let first = firstChild(of: current) { #expect(parent(of: first) == current) }
            if let last = lastChild(of: current) { #expect(parent(of: last) == current) }
            node = next(after: current)
            if let node { #expect(previous(before: node) == current) }
        }
        for byte in 0..<byteCount { _ = self.node(atByte: byte) }
    }
}
