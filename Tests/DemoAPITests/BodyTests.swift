import Foundation
import Testing

@testable import DemoAPI

@Test func `a big body is JSON of exactly the size asked for, and the same each time`() async throws {
    try await withServer { client in
        let first = try await client.get("/bytes/json?mb=1")
        #expect(first.body.count == 1_000_000)
        #expect(first.isComplete)
        let records = try #require(try JSONSerialization.jsonObject(with: Data(first.body)) as? [[String: Any]])
        #expect(records.count == 5_000)
        #expect(records[4_999]["id"] as? Int == 5_000)
        #expect(try await client.get("/bytes/json?mb=1").body == first.body)
    }
}

@Test func `the largest array has records of the same size to the end`() {
    let records = RecordArray(byteCount: 100_000_000)
    let last = records.piece(999)
    #expect(last?.count == 100_000)
    #expect(String(decoding: last?.suffix(4) ?? [], as: UTF8.self) == "\"}\n]")
    #expect(records.piece(1_000) == nil)
}

@Test(arguments: [0, 1, 65_536, 65_537]) func `a binary body has its length`(count: Int) async throws {
    try await withServer { client in
        let response = try await client.get("/binary?bytes=\(count)")
        #expect(response.body.count == count)
        #expect(response.isComplete)
    }
}

@Test func `checksums match the published values`() {
    #expect(Checksum.crc32("123456789".utf8) == 0xCBF4_3926)
    #expect(Checksum.adler32("Wikipedia".utf8) == 0x11E6_0398)
}

@Test(arguments: [0, 1, 65_535, 65_536, 200_000]) func `stored blocks hold the bytes`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var rest = Deflate.stored(bytes)[...]
    var unpacked: [UInt8] = []
    var isLast = false
    while !isLast, rest.count >= 5 {
        let head = Array(rest.prefix(5))
        let length = Int(head[1]) | Int(head[2]) << 8
        #expect(head[3] == ~head[1] && head[4] == ~head[2])
        isLast = head[0] == 1
        unpacked += rest.dropFirst(5).prefix(length)
        rest = rest.dropFirst(5 + length)
    }
    #expect(isLast)
    #expect(rest.isEmpty)
    #expect(unpacked == bytes)
}

@Test func `compressed bodies say how`() async throws {
    try await withServer { client in
        let gzip = try await client.get("/compressed/gzip")
        #expect(gzip.header("Content-Encoding") == "gzip")
        #expect(gzip.body.prefix(3) == [0x1f, 0x8b, 8])
        let deflate = try await client.get("/compressed/deflate")
        #expect(deflate.header("Content-Encoding") == "deflate")
        #expect((Int(deflate.body[0]) << 8 | Int(deflate.body[1])) % 31 == 0)
    }
}

@Test func `the picture is a PNG of the size asked for`() async throws {
    try await withServer { client in
        let body = try await client.get("/image.png?width=300&height=2").body
        #expect(body.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        #expect(body[16..<24] == [0, 0, 1, 44, 0, 0, 0, 2])
        #expect(body.suffix(8).prefix(4) == [0x49, 0x45, 0x4e, 0x44])
        #expect(body.suffix(4) == [0xae, 0x42, 0x60, 0x82])
    }
}

@Test func `encodings are what they say`() async throws {
    try await withServer { client in
        let latin = try await client.get("/encoding/latin1")
        #expect(String(data: Data(latin.body), encoding: .isoLatin1) == "Grüße aus Zürich: façade, naïve, 5 °C, £3\n")
        let wide = try await client.get("/encoding/utf16")
        #expect(String(data: Data(wide.body), encoding: .utf16) == "Grüße, 日本語, 🦊\n")
        let broken = try await client.get("/encoding/invalid-utf8")
        #expect(String(validating: broken.body, as: UTF8.self) == nil)
    }
}

@Test func `odd bodies are as odd as they claim`() async throws {
    try await withServer { client in
        let broken = try await client.get("/broken.json")
        #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(broken.body)) }
        let controls = try await client.get("/control-characters")
        for sequence in ["\u{1b}]0;", "\u{1b}[2J", "\u{1b}]52;", "\u{9b}31m", "\u{202e}"] {
            #expect(controls.text.contains(sequence))
        }
        let written = try await client.get("/control-characters.json")
        #expect(!written.body.contains(0x1b))
        #expect(written.string("text") == controls.text)
        #expect(try await client.get("/empty").body.isEmpty)
    }
}
