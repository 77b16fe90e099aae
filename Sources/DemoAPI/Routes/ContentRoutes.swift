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
