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

/// Routes that check what is computed for each request: a digest, a signature; and one with a plain key.
let signatureRoutes: [Route] = [
    Route("*", "/auth/digest", "needs the user demo with the password demo, by Digest") { request in
        let nonce = SHA256.hex("demo nonce")
        guard let parameters = DigestParameters(request.header("Authorization")), parameters["nonce"] == nonce,
            parameters.isRight(request)
        else {
            throw APIError(
                status: 401, message: "sign in as demo with the password demo",
                headers: [
                    ("WWW-Authenticate", #"Digest realm="demo", qop="auth", algorithm=SHA-256, nonce="\#(nonce)""#)
                ])
        }
        return .json(.object([("authenticated", .bool(true)), ("scheme", "digest"), ("user", "demo")]))
    },
    Route("*", "/auth/key", "needs the key demo-key in X-API-Key or in the query parameter key") { request in
        guard request.header("X-API-Key") == "demo-key" || request.value("key") == "demo-key" else {
            throw APIError(status: 401, message: "send X-API-Key: demo-key", headers: [("WWW-Authenticate", "ApiKey")])
        }
        return .json(.object([("authenticated", .bool(true)), ("scheme", "apiKey")]))
    },
    Route("*", "/auth/signed", "needs a signature of the key demo with the secret demo, region local, service demo") {
        request in
        guard let signature = RequestSignature(request), signature.isRight(request) else {
            throw APIError(
                status: 401, message: "sign with AWS Signature Version 4",
                headers: [("WWW-Authenticate", "AWS4-HMAC-SHA256")])
        }
        return .json(.object([("authenticated", .bool(true)), ("scheme", "aws")]))
    },
]

/// The parameters of a Digest (RFC 7616 §3.4).
private struct DigestParameters {
    private var values: [String: String] = [:]

    init?(_ header: String?) {
        guard let header, header.hasPrefix("Digest ") else { return nil }
        for part in header.dropFirst(7).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !" \"".contains($0) } }
            if pair.count == 2 { values[pair[0]] = pair[1] }
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func isRight(_ request: DemoRequest) -> Bool {
        let user = SHA256.hex("demo:demo:demo")
        let target = SHA256.hex("\(request.method):\(values["uri"] ?? "")")
        let parts = [user, values["nonce"], values["nc"], values["cnonce"], "auth", target].map { $0 ?? "" }
        return values["username"] == "demo" && values["response"] == SHA256.hex(parts.joined(separator: ":"))
            && values["uri"]?.hasPrefix(request.path) ?? false
    }
}

/// The parts of a signature (AWS Signature Version 4).
private struct RequestSignature {
    private let scope: String
    private let names: [String]
    private let signature: String

    init?(_ request: DemoRequest) {
        guard let header = request.header("Authorization"), header.hasPrefix("AWS4-HMAC-SHA256 ") else { return nil }
        var values: [String: String] = [:]
        for part in header.dropFirst(17).split(separator: ",") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 { values[pair[0]] = pair[1] }
        }
        let credential = (values["Credential"] ?? "").split(separator: "/", maxSplits: 1).map(String.init)
        guard credential.count == 2, credential[0] == "demo",
            credential[1].hasSuffix("/local/demo/aws4_request"), let names = values["SignedHeaders"],
            let signature = values["Signature"]
        else { return nil }
        scope = credential[1]
        self.names = names.split(separator: ";").map(String.init)
        self.signature = signature
    }

    func isRight(_ request: DemoRequest) -> Bool {
        let query = request.query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.sorted()
        let headers = names.map { name in
            "\(name):\((request.header(name) ?? "").trimmingCharacters(in: .whitespaces))\n"
        }
        let text = [
            request.method, request.path, query.joined(separator: "&"), headers.joined(), names.joined(separator: ";"),
            SHA256.hex(SHA256.hash(Array(request.body))),
        ].joined(separator: "\n")
        let time = request.header("X-Amz-Date") ?? ""
        let signed = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(SHA256.hex(text))"
        let key = scope.split(separator: "/").reduce(Array("AWS4demo".utf8)) {
            SHA256.authenticationCode(String($1), key: $0)
        }
        return SHA256.hex(SHA256.authenticationCode(signed, key: key)) == signature
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? text
    }

    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
}
