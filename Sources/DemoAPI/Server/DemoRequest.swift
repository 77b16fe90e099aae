import FlyingFox
import Foundation

/// A request for the handlers: a value with its body already read, and clear errors for invalid input.
struct DemoRequest: Sendable {
    let method: String
    /// The path as sent, percent-encoded.
    let path: String
    let query: [(name: String, value: String)]
    let headers: [(name: String, value: String)]
    let body: Data
    var parameters: [String: String] = [:]
    private let original: HTTPRequest

    init(_ request: HTTPRequest) async throws {
        method = request.method.rawValue
        path = request.target.path()
        query = request.query.map { ($0.name, $0.value) }
        headers = request.headers.map { ($0.key.rawValue, $0.value) }
            .sorted { $0.name.lowercased() < $1.name.lowercased() }
        body = try await Self.body(of: request)
        original = request
    }

    /// In bytes: more than any demonstration sends, and less than fills a memory.
    static let maximumBody = 64 << 20

    private static func body(of request: HTTPRequest) async throws -> Data {
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        var body = Data()
        guard announced <= maximumBody else { throw APIError.tooLarge }
        for try await piece in request.bodySequence {
            guard body.count + piece.count <= maximumBody else { throw APIError.tooLarge }
            body += piece
        }
        return body
    }

    /// Returns the answer to the handshake of a WebSocket (RFC 6455), or the reason why it is none.
    func openWebSocket(_ handler: some WSMessageHandler) async throws -> HTTPResponse {
        try await WebSocketHTTPHandler(handler: MessageFrameWSHandler(handler: handler)).handleRequest(original)
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    func value(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Returns a query parameter that is a whole number.
    func integer(_ name: String, default value: Int, in range: ClosedRange<Int>) throws -> Int {
        try Self.integer(self.value(name) ?? "\(value)", named: name, in: range)
    }

    /// Returns a component of the path that is a whole number.
    func pathInteger(_ name: String, in range: ClosedRange<Int>) throws -> Int {
        try Self.integer(parameters[name] ?? "", named: name, in: range)
    }

    /// Returns the ID of a user or an order. Anything but a number is not found.
    func id(of kind: String) throws -> Int {
        let text = parameters["id"] ?? ""
        guard let id = Int(text) else { throw APIError.notFound("\(kind) \(text)") }
        return id
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch DecodingError.keyNotFound(let key, _) {
            throw APIError.invalid([(key.stringValue, "is missing")])
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let field = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw APIError.invalid([(field.isEmpty ? "body" : field, "has the wrong type")])
        } catch {
            throw APIError(status: 400, message: "the body is not JSON")
        }
    }

    private static func integer(_ text: String, named name: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw APIError.unprocessable(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
        }
        return number
    }
}

/// Finds the route of a request, and turns errors that handlers throw into responses.
struct Router: HTTPHandler {
    let routes: [Route]

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try await answer(DemoRequest(request))
        } catch let error as APIError {
            response = .json(error.json, status: error.status, headers: error.headers)
        } catch let error as OAuthFailure {
            response = .json(.object([("error", .string(error.code))]), status: error.status)
        }
        if response.headers[.date] == nil { response.headers[.date] = Clock.httpDate() }
        return request.method == .HEAD ? response.withoutBody() : response
    }

    private func answer(_ request: DemoRequest) async throws -> HTTPResponse {
        let path = request.path.split(separator: "/")
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.parameters(in: path) else { continue }
            guard route.accepts(request.method) else {
                allowed.append(route.method)
                continue
            }
            var request = request
            request.parameters = parameters
            return try await route.handler(request)
        }
        if allowed.isEmpty { throw APIError(status: 404, message: "there is no \(request.path) here; / lists what is") }
        throw APIError(
            status: 405, message: "\(request.path) does not answer to \(request.method)",
            headers: [("Allow", allowed.joined(separator: ", "))])
    }
}

/// One entry of the route table: method and path, a summary (for the index at `/`), and the handler.
struct Route: Sendable {
    typealias Handler = @Sendable (DemoRequest) async throws -> HTTPResponse

    /// The method in capitals, or `*` for any.
    let method: String
    /// Path components; one that begins with `:` is a parameter.
    let pattern: String
    let summary: String
    let handler: Handler

    init(_ method: String, _ pattern: String, _ summary: String, handler: @escaping Handler) {
        self.method = method
        self.pattern = pattern
        self.summary = summary
        self.handler = handler
    }

    /// Returns the path's parameters; nil for another path.
    func parameters(in path: [Substring]) -> [String: String]? {
        let components = pattern.split(separator: "/")
        guard components.count == path.count else { return nil }
        var parameters: [String: String] = [:]
        for (component, value) in zip(components, path) {
            if component.hasPrefix(":") {
                parameters[String(component.dropFirst())] = value.removingPercentEncoding ?? String(value)
            } else if component != value {
                return nil
            }
        }
        return parameters
    }

    /// Returns true for the methods of the route; HEAD is allowed wherever GET is (RFC 9110 §9.3.2).
    func accepts(_ method: String) -> Bool {
        self.method == "*" || self.method == method || (method == "HEAD" && self.method == "GET")
    }

    var json: JSON {
        .object([("method", .string(method)), ("path", .string(pattern)), ("summary", .string(summary))])
    }
}
