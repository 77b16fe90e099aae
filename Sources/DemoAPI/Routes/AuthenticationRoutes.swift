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
]

private func unauthorized(_ message: String, scheme: String) -> APIError {
    APIError(status: 401, message: message, headers: [("WWW-Authenticate", scheme)])
}
