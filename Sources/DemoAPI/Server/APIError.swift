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
