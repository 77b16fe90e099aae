import Foundation

/// Routes protected by the two usual schemes. The credentials are no secret: they are in the messages.
let authenticationRoutes: [Route] = [
    Route("*", "/auth/bearer", "needs the bearer token demo-token") { request in
        guard request.header("Authorization") == "Bearer demo-token" else {
            throw unauthorized("send Authorization: Bearer demo-token", scheme: #"Bearer realm="demo""#)
        }
        return .json(.object([("authenticated", .bool(true)), ("scheme", "bearer")]))
    },
    Route("*", "/auth/basic", "needs the user demo with the password demo") { request in
        let expected = "Basic " + Data("demo:demo".utf8).base64EncodedString()
        guard request.header("Authorization") == expected else {
            throw unauthorized(
                "sign in as demo with the password demo", scheme: #"Basic realm="demo", charset="UTF-8""#)
        }
        return .json(.object([("authenticated", .bool(true)), ("scheme", "basic"), ("user", "demo")]))
    },
    Route("POST", "/auth/login", "a session token, also as a cookie; an ETag") { request in
        let token = "session-" + UUID().uuidString.lowercased()
        let user = JSON.object([("id", .integer(42)), ("name", "Ada")])
        return .json(
            .object([("token", .string(token)), ("expiresIn", .integer(900)), ("user", user)]),
            headers: [("ETag", "\"session-1\""), ("Set-Cookie", "session=\(token); HttpOnly; Path=/")])
    },
    Route("*", "/auth/session", "needs the token of a login") { request in
        guard request.header("Authorization")?.hasPrefix("Bearer session-") ?? false else {
            throw unauthorized("send the token of POST /auth/login", scheme: #"Bearer realm="session""#)
        }
        return .json(.object([("authenticated", .bool(true)), ("user", "Ada")]))
    },
]

private func unauthorized(_ message: String, scheme: String) -> APIError {
    APIError(status: 401, message: message, headers: [("WWW-Authenticate", scheme)])
}
