import FlyingFox
import Foundation

/// Bodies that a viewer has to decode before it can show them.
let contentRoutes: [Route] = [
    Route("GET", "/compressed/gzip", "JSON with Content-Encoding: gzip") { _ in
        compressed("gzip") { Deflate.gzip($0) }
    },
    Route("GET", "/compressed/deflate", "JSON with Content-Encoding: deflate") { _ in
        compressed("deflate") { Deflate.zlib($0) }
    },
    Route("GET", "/image.png", "a picture; width, height") { request in
        let width = try request.integer("width", default: 64, in: 1...1_000)
        let height = try request.integer("height", default: 48, in: 1...1_000)
        return .bytes(Data(PNG.gradient(width: width, height: height)), type: "image/png")
    },
    Route("GET", "/encoding/latin1", "text in ISO 8859-1") { _ in
        let text = "Grüße aus Zürich: façade, naïve, 5 °C, £3\n"
        return .bytes(
            Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }),
            type: "text/plain; charset=iso-8859-1")
    },
    Route("GET", "/encoding/utf16", "text in UTF-16 with a byte order mark") { _ in
        let units = "\u{FEFF}Grüße, 日本語, 🦊\n".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        return .bytes(Data(units), type: "text/plain; charset=utf-16")
    },
]

private func compressed(_ encoding: String, _ encode: ([UInt8]) -> [UInt8]) -> HTTPResponse {
    let body = JSON.object([("compressed", .bool(true)), ("encoding", .string(encoding)), ("greeting", "Grüße 🦊")])
    return .bytes(
        Data(encode(Array(body.text.utf8))), type: "application/json", headers: [("Content-Encoding", encoding)])
}

/// Bodies that break a careless client or a careless terminal.
let oddBodyRoutes: [Route] = [
    Route("GET", "/broken.json", "JSON that ends in the middle") { _ in
        .bytes(Data("{\"id\": 1,\n \"name\": \"broken\",\n \"tags\": [\"a\", \"b\"".utf8), type: "application/json")
    },
    Route("GET", "/encoding/invalid-utf8", "says UTF-8, and is not") { _ in
        let body =
            Array("{\"before\": \"".utf8) + [0xff, 0xfe, 0xc3, 0x28, 0xe2, 0x82] + Array("\", \"after\": 1}\n".utf8)
        return .bytes(Data(body), type: "application/json; charset=utf-8")
    },
    Route("GET", "/control-characters", "escape sequences that a terminal must never see") { _ in
        .text(controlCharacters)
    },
    Route("GET", "/control-characters.json", "the same as a JSON string, the escapes written out") { _ in
        .json(.object([("text", .string(controlCharacters))]))
    },
    Route("GET", "/empty", "200 with no body at all") { _ in .bytes(Data(), type: "text/plain") },
]

private let controlCharacters = """
    title: \u{1b}]0;owned\u{07}
    clear: \u{1b}[2J\u{1b}[H
    clipboard: \u{1b}]52;c;b3duZWQ=\u{07}
    colour: \u{1b}[31mred\u{1b}[0m
    alternate screen: \u{1b}[?1049l
    answerback: \u{05} \u{1b}[c \u{1b}[6n
    C1 CSI: \u{9b}31m
    bell and backspace: \u{07}\u{08}\u{08}\u{08}
    bidirectional override: \u{202e}txt.exe
    carriage return: visible\rhidden
    delete: \u{7f}

    """

/// Bodies of any size, the same each time, generated while they are sent.
let sizeRoutes: [Route] = [
    Route("GET", "/bytes/json", "an array of records; mb, in millions of bytes, 1 to 100") { request in
        let records = RecordArray(byteCount: try request.integer("mb", default: 1, in: 1...100) * 1_000_000)
        return .stream(
            ByteStream { records.piece($0) }, length: records.byteCount, type: "application/json")
    },
    Route("GET", "/binary", "bytes that are no text; bytes, up to 100000000") { request in
        let count = try request.integer("bytes", default: 4_096, in: 0...100_000_000)
        let size = 65_536
        let stream = ByteStream { number in
            let begin = number * size
            guard begin < count else { return nil }
            return (begin..<min(begin + size, count)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        }
        return .stream(stream, length: count, type: "application/octet-stream")
    },
]
