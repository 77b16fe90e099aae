import FlyingFox
import Foundation

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
