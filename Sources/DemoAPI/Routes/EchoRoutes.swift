import FlyingFox
import Foundation

/// The request as received, many headers, cookies, and the time.
let echoRoutes: [Route] = [
    Route("*", "/echo", "method, path, query, headers and body of the request") { .json(echo($0)) },
    Route("GET", "/headers/many", "a response with count headers, up to 500") { request in
        let count = try request.integer("count", default: 60, in: 1...500)
        let headers = (1...count).map { number in
            let name = String(number)
            return ("X-Demo-\(String(repeating: "0", count: 3 - name.count))\(name)", "value \(number)")
        }
        return .json(.object([("headers", .integer(count))]), headers: headers)
    },
    Route("GET", "/cookies", "the cookies that came along") { request in
        .json(.object([("cookies", .string(request.header("Cookie") ?? ""))]))
    },
    Route("GET", "/cookies/set", "sets a cookie for each query parameter") { request in
        let wanted = request.query.isEmpty ? [("session", "demo-session"), ("theme", "dark")] : request.query
        let cookies = try wanted.map { name, value in
            guard !name.isEmpty, isToken(name), isToken(value) else {
                throw APIError.unprocessable("a cookie's name and value have letters, digits, - and _ only")
            }
            return ("Set-Cookie", "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax")
        }
        return .json(.object([("set", .array(wanted.map { .string($0.0) }))]), headers: cookies)
    },
    Route("GET", "/time", "the server's clock") { _ in
        let now = time(nil)
        return .json(.object([("time", .string(Clock.timestamp(now))), ("unix", .integer(now))]))
    },
]

private func isToken(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
        switch $0 {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}

private func echo(_ request: DemoRequest) -> JSON {
    .object([
        ("method", .string(request.method)), ("path", .string(request.path)),
        ("query", pairs(request.query)),
        ("headers", .object(request.headers.map { ($0.name, .string($0.value)) })),
        ("bytes", .integer(request.body.count)), ("body", body(request)),
    ])
}

/// Returns an object for each name and value, because a query has an order and may repeat a name.
private func pairs(_ items: [(name: String, value: String)]) -> JSON {
    .array(items.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) })
}

/// Returns JSON as received, other text as a string, anything else in Base64.
private func body(_ request: DemoRequest) -> JSON {
    if request.body.isEmpty { return .null }
    guard let text = String(validating: request.body, as: UTF8.self) else {
        return .object([("base64", .string(request.body.base64EncodedString()))])
    }
    let isJSON = (try? JSONSerialization.jsonObject(with: request.body, options: .fragmentsAllowed)) != nil
    return isJSON ? .raw(text) : .string(text)
}

let redirectRoutes: [Route] = [
    Route("*", "/redirect/:n", "redirects n times, then answers; status") { request in
        let left = try request.pathInteger("n", in: 0...100)
        guard left > 0 else { return .json(.object([("redirected", .bool(true)), ("path", .string(request.path))])) }
        let status = try redirectStatus(request)
        let suffix = status == 302 ? "" : "?status=\(status)"
        return .empty(status: status, headers: [("Location", "/redirect/\(left - 1)\(suffix)")])
    },
    Route("*", "/redirect-to", "redirects to url; status") { request in
        guard let url = request.value("url"), !url.isEmpty else {
            throw APIError.unprocessable("the query parameter url is missing")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw APIError.unprocessable("url has characters that a URL cannot have")
        }
        return .empty(status: try redirectStatus(request), headers: [("Location", url)])
    },
]

private func redirectStatus(_ request: DemoRequest) throws -> Int {
    let status = try request.integer("status", default: 302, in: 301...308)
    guard [301, 302, 303, 307, 308].contains(status) else {
        throw APIError.unprocessable("status can be 301, 302, 303, 307 or 308")
    }
    return status
}

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
