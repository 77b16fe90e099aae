import FlyingFox
import Foundation

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
