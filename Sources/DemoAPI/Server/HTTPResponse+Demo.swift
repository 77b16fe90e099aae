import FlyingFox
import FlyingSocks
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The kinds of response that the handlers need.
extension HTTPResponse {
    static func json(_ json: JSON, status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
        bytes(Data(json.text.utf8), type: "application/json", status: status, headers: headers)
    }

    static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> HTTPResponse {
        bytes(Data(text.utf8), type: type)
    }

    static func bytes(
        _ body: Data, type: String, status: Int = 200, headers: [(String, String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: StatusPhrase.of(status)),
            headers: fields(headers + [("Content-Type", type)]),
            body: HTTPBodySequence(data: body, suggestedBufferSize: max(1, body.count)))
    }

    /// Returns a response without a body or a type: 204 and the redirects.
    static func empty(status: Int, headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: StatusPhrase.of(status)), headers: fields(headers))
    }

    /// Returns a response whose body is generated while it is sent; chunked if its length is not given.
    static func stream(
        _ stream: ByteStream, length: Int? = nil, type: String, headers: [(String, String)] = []
    ) -> HTTPResponse {
        let body =
            length.map { HTTPBodySequence(from: stream, count: $0) } ?? HTTPBodySequence(from: stream)
        return HTTPResponse(
            statusCode: .ok, headers: fields(headers + [("Content-Type", type)]), body: body)
    }

    /// Returns the same head, as the response to HEAD.
    func withoutBody() -> HTTPResponse {
        var head = HTTPResponse(version: version, statusCode: statusCode, headers: headers)
        if case .httpBody(let body) = payload, let count = body.count, head.headers[.contentLength] == nil {
            head.headers[.contentLength] = String(count)
        }
        return head
    }

    private static func fields(_ headers: [(String, String)]) -> HTTPHeaders {
        headers.reduce(into: HTTPHeaders()) { $0.addValue($1.1, for: HTTPHeader($1.0)) }
    }
}

/// The reason phrases of HTTP (RFC 9110 §15, RFC 6585, RFC 7725).
enum StatusPhrase {
    static func of(_ status: Int) -> String { phrases[status] ?? "Status \(status)" }

    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a teapot", 421: "Misdirected Request",
        422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
        426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
        511: "Network Authentication Required",
    ]
}

/// An error that a handler throws: the status, and a JSON body with the reason.
struct APIError: Error {
    let status: Int
    let message: String
    /// The problems of the fields of a body, in the body's order.
    var fields: [(String, String)] = []
    var headers: [(String, String)] = []

    static func notFound(_ what: String) -> APIError { APIError(status: 404, message: "\(what) does not exist") }

    static let tooLarge = APIError(
        status: 413, message: "the body has more than \(DemoRequest.maximumBody >> 20) MiB",
        headers: [("Connection", "close")])

    static func unprocessable(_ message: String) -> APIError { APIError(status: 422, message: message) }

    static func invalid(_ fields: [(String, String)]) -> APIError {
        APIError(status: 422, message: "the body is not valid", fields: fields)
    }

    var json: JSON {
        var error: [(String, JSON)] = [("status", .integer(status)), ("message", .string(message))]
        if !fields.isEmpty { error.append(("fields", .object(fields.map { ($0, .string($1)) }))) }
        return .object([("error", .object(error))])
    }
}

/// An error of the authorization server, which a handler throws.
struct OAuthFailure: Error {
    let code: String
    let status: Int
}

/// A body that is generated piece by piece while it is sent, so that neither 100 MB nor a pause needs memory. An error
/// in the middle breaks the connection off.
struct ByteStream: AsyncBufferedSequence {
    typealias Element = UInt8

    /// Returns the piece with this number, counted from 0; nil after the last. A piece is never empty.
    let piece: @Sendable (Int) async throws -> [UInt8]?

    func makeAsyncIterator() -> Iterator { Iterator(piece: piece) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let piece: @Sendable (Int) async throws -> [UInt8]?
        private var number = 0
        private var rest: ArraySlice<UInt8> = []

        init(piece: @escaping @Sendable (Int) async throws -> [UInt8]?) { self.piece = piece }

        mutating func next() async throws -> UInt8? {
            if rest.isEmpty { rest = try await nextBuffer(suggested: 1)?[...] ?? [] }
            return rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            defer { number += 1 }
            return try await piece(number)
        }
    }
}

/// The time of day in the forms that HTTP and JSON use, always UTC and in English.
enum Clock {
    /// RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func httpDate(_ now: time_t = time(nil)) -> String { format(now, "%a, %d %b %Y %H:%M:%S GMT") }

    /// RFC 3339: `1994-11-06T08:49:37Z`.
    static func timestamp(_ now: time_t = time(nil)) -> String { format(now, "%Y-%m-%dT%H:%M:%SZ") }

    private static func format(_ now: time_t, _ format: String) -> String {
        var seconds = now
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A JSON text to write. Members keep their order, so that the API's responses read the same each time.
enum JSON: Sendable, ExpressibleByStringLiteral {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])
    /// Text that is JSON already.
    case raw(String)

    init(stringLiteral value: String) { self = .string(value) }

    /// The compact form.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.quote(value, to: &text)
        case .raw(let value): text += value
        case .array(let values):
            Self.list(values, "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.list(members, "{", "}", to: &text) {
                Self.quote($0.0, to: &$1)
                $1 += ":"
                $0.1.write(to: &$1)
            }
        }
    }

    private static func list<Item>(
        _ items: [Item], _ open: String, _ close: String, to text: inout String, each: (Item, inout String) -> Void
    ) {
        text += open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            each(item, &text)
        }
        text += close
    }

    /// RFC 8259 §7.
    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}":
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
