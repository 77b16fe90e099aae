import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI

/// From the bytes of a response to the lines that show.
@Suite struct BodyTests {
    private static func document(_ bytes: [UInt8], _ contentType: String = "") -> BodyDocument {
        BodyLayout.document(for: bytes, contentType: contentType)
    }

    private static func document(_ text: String, _ contentType: String = "") -> BodyDocument {
        document(Array(text.utf8), contentType)
    }

    private static func lines(_ document: BodyDocument) -> [String] {
        (0..<document.lineCount).map { document.line($0, limit: 1000) }
    }

    // MARK: What it is

    struct Kind: Sendable {
        var body: String
        var type: String
        var kind: BodyDocument.Kind
        var note: String?
    }

    @Test(arguments: [
        Kind(body: "[1]", type: "application/json", kind: .json),
        Kind(body: "7", type: "application/problem+json; charset=utf-8", kind: .json),
        Kind(body: " \n{}", type: "text/plain", kind: .json),
        Kind(body: "{ not json", type: "text/plain", kind: .text),
        Kind(body: "hello", type: "text/plain", kind: .text),
        Kind(body: "<a/>", type: "application/xml", kind: .text),
        Kind(body: "a=1&b=2", type: "application/x-www-form-urlencoded", kind: .text),
        Kind(body: "7", type: "", kind: .text),
        Kind(
            body: "{\n  oops }", type: "application/json", kind: .text,
            note: "not valid JSON: line 2, column 3: expected a name in quotes, found 'o'; shown as it came"),
        Kind(
            body: "a\0b", type: "application/octet-stream", kind: .binary,
            note: "binary, application/octet-stream, as hexadecimal"),
    ])
    func `a body is shown as what it is`(kind: Kind) {
        let document = Self.document(kind.body, kind.type)
        #expect(document.kind == kind.kind)
        #expect(document.note == kind.note)
    }

    @Test func `no body is no document`() {
        #expect(BodyLayout.document(for: TransportResponse(statusCode: 204)) == .empty)
        #expect(BodyLayout.document(for: TransportResponse(statusCode: 200, body: Data())) == .empty)
        #expect(BodyDocument.empty.lineCount == 0)
    }

    @Test func `the content type of a response counts, in any case`() {
        let response = TransportResponse(
            headers: ["content-TYPE": "Application/JSON"], statusCode: 200, body: Data("7".utf8))
        #expect(BodyLayout.document(for: response).kind == .json)
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0], "image/png", "binary, PNG image, image/png, as hexadecimal"),
            ([0xFF, 0xD8, 0xFF, 0], "", "binary, JPEG image, as hexadecimal"),
            ([0x1F, 0x8B, 0], "application/gzip; x=y", "binary, gzip data, application/gzip, as hexadecimal"),
            ([0, 1], "", "binary, as hexadecimal"),
        ] as [([UInt8], String, String)])
    func `a binary body is named`(bytes: [UInt8], type: String, note: String) {
        #expect(Self.document(bytes, type).note == note)
    }

    // MARK: Lines

    @Test(arguments: [
        ("a\nb", ["a", "b"]), ("a\nb\n", ["a", "b"]), ("\n", [""]), ("\n\n", ["", ""]), ("a", ["a"]),
        ("a\r\nb\r\n", ["a", "b"]), ("a\rb", ["a\rb"]), ("\r\n\r\nx", ["", "", "x"]),
    ])
    func `lines end with a line feed, with or without a carriage return`(text: String, lines: [String]) {
        #expect(Self.lines(Self.document(text, "text/plain")) == lines)
    }

    @Test func `the text is all of it`() {
        #expect(Self.document("[1,2]").text == "[\n  1,\n  2\n]")
        #expect(Self.document("a\r\nb\n", "text/plain").text == "a\r\nb\n")
    }

    @Test func `a part of a line is what was asked for`() {
        let document = Self.document("0123456789", "text/plain")
        #expect(document.line(0, limit: 3) == "012")
        #expect(document.line(0, skipping: 7, limit: 99) == "789")
        #expect(document.line(0, skipping: 99, limit: 3) == "")
        #expect(document.line(0, limit: 0) == "")
    }

    @Test(arguments: ["é", "€", "😀", "क्षि", "👨‍👩‍👧‍👦", "e\u{301}\u{323}"])
    func `characters of many bytes fill a line like others`(character: String) {
        let document = Self.document(String(repeating: character, count: 400), "text/plain")
        #expect(document.line(0, limit: 100) == String(repeating: character, count: 100))
        #expect(document.line(0, skipping: 150, limit: 50) == String(repeating: character, count: 50))
    }

    @Test func `a huge line is cut before it is decoded`() {
        // Behind the part that can show lie bytes that are no text: decoding them would show.
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 20_000) + [UInt8](repeating: 0xFF, count: 1_000_000)
        let document = BodyDocument(kind: .text, bytes: bytes, note: nil)
        #expect(document.lineCount == 1)
        #expect(document.line(0, limit: 200) == String(repeating: "a", count: 200))
    }

    @Test func `equal bodies are equal`() {
        #expect(Self.document("[1]") == Self.document("[ 1 ]"))
        #expect(Self.document("[1]") != Self.document("[2]"))
        #expect(Self.document("a", "text/plain") != Self.document("a\0"))
    }

    // MARK: Hexadecimal

    @Test func `bytes are shown sixteen a line`() {
        let document = Self.document(Array(0...20) + [0x7E, 0x7F, 0x80])
        #expect(
            Self.lines(document) == [
                "00000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f  ................",
                "00000010  10 11 12 13 14 7e 7f 80                           .....~..",
            ])
    }

    @Test(arguments: 0...33) func `every length has its lines`(count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        let document = BodyDocument(kind: .binary, bytes: bytes, note: nil)
        #expect(document.lineCount == (count + 15) / 16)
        #expect(HexDump.line(99, of: bytes).hasPrefix("00000630"))
    }

    // MARK: Encodings

    struct Encoding: Sendable {
        var bytes: [UInt8]
        var type: String
        var text: String?
        var charset: String?
    }

    @Test(arguments: [
        Encoding(bytes: [0xC3, 0xA9], type: "text/plain", text: "é"),
        Encoding(bytes: [0xEF, 0xBB, 0xBF, 0x61], type: "text/plain", text: "a"),
        Encoding(bytes: [0xE9], type: "text/plain; charset=ISO-8859-1".lowercased(), text: "é", charset: "ISO-8859-1"),
        Encoding(bytes: [0xE9], type: "text/plain; a=b; charset=\"latin1\"", text: "é", charset: "ISO-8859-1"),
        Encoding(bytes: [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0, 0xDE], type: "", text: "a😀", charset: "UTF-16"),
        Encoding(bytes: [0xFE, 0xFF, 0, 0x61], type: "", text: "a", charset: "UTF-16"),
        Encoding(bytes: [0, 0x61], type: "text/plain; charset=utf-16be", text: "a", charset: "UTF-16"),
        Encoding(bytes: [0x61, 0], type: "text/plain; charset=utf-16le", text: "a", charset: "UTF-16"),
        Encoding(bytes: [0x61, 0, 0x62], type: "text/plain; charset=utf-16le", text: "a", charset: "UTF-16"),
        Encoding(bytes: [0xFF, 0xFE], type: "", text: "", charset: "UTF-16"),
        Encoding(bytes: [0x61, 0xFF], type: "text/html; charset=utf-8", text: "a\u{FFFD}"),
        Encoding(bytes: [0x61, 0], type: "application/octet-stream", text: nil),
        Encoding(bytes: [0xFF, 0xFF, 0xFF], type: "", text: nil),
        Encoding(bytes: [], type: "", text: ""),
    ])
    func `a text is found in its encoding`(encoding: Encoding) {
        let (text, charset) = TextDecoder.utf8(encoding.bytes, contentType: encoding.type)
        #expect(text.map { String(decoding: $0, as: UTF8.self) } == encoding.text)
        #expect(charset == encoding.charset)
    }

    @Test func `JSON in another encoding is formatted, and the encoding told`() {
        let document = Self.document([0xFF, 0xFE] + "[\"é\"]".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(document.kind == .json)
        #expect(document.note == "decoded from UTF-16")
        #expect(document.text == "[\n  \"é\"\n]")
    }
}
