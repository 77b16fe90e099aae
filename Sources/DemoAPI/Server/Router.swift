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
