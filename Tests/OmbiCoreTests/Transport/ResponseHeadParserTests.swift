import Foundation
import Testing

@testable import OmbiCore

@Suite struct ResponseHeadParserTests {
    /// What has been read after these lines, and after which of them the head was complete.
    func parse(_ lines: String...) -> (ResponseHeadParser, [Int]) {
        var parser = ResponseHeadParser()
        let complete = lines.indices.filter { index in
            Array("\(lines[index])\r\n".utf8).withUnsafeBytes { parser.add($0) }
        }
        return (parser, complete)
    }

    @Test func `a head is read line by line`() {
        let (head, complete) = parse("HTTP/1.1 404 Not Found", "A: 1", "b:2 ", "A:\t 3", "Content-Length: 7", "")
        #expect(head.statusCode == 404 && head.httpVersion == "1.1" && head.isComplete && head.problem == nil)
        #expect(head.headers.values(for: "a") == ["1", "3"])
        #expect(head.headers["B"] == "2")
        #expect(head.contentLength == 7)
        #expect(complete == [5])
    }

    @Test(arguments: [false, true]) func `a second response follows where the request may be repeated`(mayBe: Bool) {
        var parser = ResponseHeadParser()
        func add(_ line: String) -> Bool { Array("\(line)\r\n".utf8).withUnsafeBytes { parser.add($0) } }
        let first = ["HTTP/1.1 401 No", "A: 1", ""].map { add($0) }
        if mayBe { parser.allowsAnother = true }
        let second = ["HTTP/1.1 200 OK", "B: 2", ""].map { add($0) }
        #expect(first == [false, false, true] && second == [false, false, mayBe])
        #expect(parser.statusCode == (mayBe ? 200 : 401) && (parser.headers["A"] == nil) == mayBe)
        #expect(!mayBe || !parser.allowsAnother)
    }

    @Test func `interim responses are dropped`() {
        let (head, complete) = parse("HTTP/1.1 103 Hints", "Link: x", "", "HTTP/1.1 200 OK", "A: 1", "")
        #expect(head.statusCode == 200)
        #expect(head.headers["Link"] == nil)
        #expect(complete == [5])
    }

    @Test func `an upgrade of HTTP is interim`() {
        let (head, complete) = parse("HTTP/1.1 101 Switching", "Upgrade: h2c", "", "HTTP/2 200", "")
        #expect(head.statusCode == 200 && head.httpVersion == "2")
        #expect(complete == [4])
        #expect(parse("HTTP/1.1 101 Switching", "Upgrade: websocket", "").1 == [2])
    }

    @Test func `a trailer is no response`() {
        let (head, complete) = parse("HTTP/1.1 200 OK", "", "HTTP/1.1 500 No", "X-Sum: 1", "")
        #expect(head.statusCode == 200)
        #expect(head.headers["X-Sum"] == "1")
        #expect(complete == [1])
    }

    @Test func `a folded line goes on`() {
        let (head, _) = parse("HTTP/1.1 200 OK", "A: 1", "  two", "\tthree  ", "B: 2", "")
        #expect(head.headers.fields.map { "\($0.key)=\($0.value)" } == ["A=1 two three", "B=2"])
    }

    @Test func `the name ends before its blanks`() {
        #expect(parse("HTTP/1.1 200 OK", "A \t: 1", "").0.headers["A"] == "1")
    }

    @Test func `other encodings are ISO 8859`() {
        var parser = ResponseHeadParser()
        for line in [Array("HTTP/1.1 200 OK".utf8), Array("A: caf".utf8) + [0xE9], Array("B: café".utf8), []] {
            _ = line.withUnsafeBytes { parser.add($0) }
        }
        #expect(parser.headers["A"] == "café")
        #expect(parser.headers["B"] == "café")
    }

    @Test func `an encoded body has no known length`() {
        #expect(parse("HTTP/1.1 200 OK", "Content-Length: 7", "Content-Encoding: gzip", "").0.contentLength == nil)
    }

    @Test(arguments: [
        ("7", nil as String?), ("007", nil), ("7, 7", nil), (" 7 ", nil),
        ("", "has the Content-Length \"\", which is no length"),
        ("-7", "has the Content-Length \"-7\", which is no length"), ("7, 8", "has 2 different lengths (7, 8)"),
        ("0x7", "has the Content-Length \"0x7\", which is no length"),
        ("9223372036854775808", "has the Content-Length \"9223372036854775808\", which is no length"),
    ]) func `lengths are checked`(length: String, problem: String?) {
        #expect(parse("HTTP/1.1 200 OK", "Content-Length: \(length)", "").0.lengthProblem == problem)
        let chunked = parse("HTTP/1.1 200 OK", "Content-Length: \(length)", "Transfer-Encoding: chunked", "").0
        #expect(chunked.lengthProblem == nil)
    }
}
