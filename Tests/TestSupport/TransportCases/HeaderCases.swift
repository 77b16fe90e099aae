import Foundation
import OmbiCore

/// Header fields, there and back.
enum HeaderCases {
    static let all = [onlyGiven, sentTwice, cookies, contentLengthIsOwn, cookiesBack, joinedBack, oddBack, largeBack]

    private static func arrived(_ stage: Stage, _ headers: RequestHeaders) async throws -> [String: String] {
        let server = try stage.server { _ in .ok("") }
        await stage.attempt(server.request(.post, headers: headers, body: "hi"), at: server)
        var fields = server.requests.first?.headers ?? [:]
        fields["host"] = fields["host"].map(stage.hidden(server))
        return fields
    }

    private static func lines(_ fields: [String: String]) -> [String] {
        fields.map { "\($0.key): \($0.value)" }.sorted()
    }

    private static let onlyGiven = TransportCase(
        "only the given fields are sent", needsNetwork: true,
        expects: ["head 200", "finished 200 \"\"", "content-length: 2", "host: SERVER", "x-empty: ", "x-one: 1"]
    ) { stage in
        stage.note(lines(try await arrived(stage, ["X-One": "1", "X-Empty": ""])))
    }

    private static let sentTwice = TransportCase(
        "fields of one name are all sent", expects: ["head 200", "finished 200 \"\"", "x-a: 1, 2"]
    ) { stage in
        let headers = RequestHeaders([.init("X-A", "1"), .init("x-a", "2")])
        stage.note("x-a: \(try await arrived(stage, headers)["x-a"] ?? "none")")
    }

    private static let cookies = TransportCase(
        "cookies are sent as they are given", expects: ["head 200", "finished 200 \"\"", "cookie: a=1; b=2"]
    ) { stage in
        stage.note("cookie: \(try await arrived(stage, ["Cookie": "a=1; b=2"])["cookie"] ?? "none")")
    }

    private static let contentLengthIsOwn = TransportCase(
        "the length is the transport's to tell", needsNetwork: true,
        expects: ["head 200", "finished 200 \"\"", "content-length: 2"]
    ) { stage in
        let fields = try await arrived(stage, ["Content-Length": "99"])
        stage.note("content-length: \(fields["content-length"] ?? "none")")
    }

    private static func back(
        _ stage: Stage, _ fields: [(String, String)], _ name: RequestHeaders.Key
    ) async throws {
        let server = try stage.server { _ in .ok("", headers: fields) }
        let response = await stage.attempt(server.request(), at: server).finalResponse
        stage.note((response?.headers?.values(for: name) ?? []).map { "\(name): \($0)" })
    }

    private static let cookiesBack = TransportCase(
        "each Set-Cookie is kept",
        expects: [
            "head 200", "finished 200 \"\"", "Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
            "Set-Cookie: b=2; Path=/", "Set-Cookie: c=",
        ]
    ) { stage in
        let fields = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2; Path=/", "c="].map { ("Set-Cookie", $0) }
        try await back(stage, fields, "Set-Cookie")
    }

    private static let joinedBack = TransportCase(
        "fields of one name are kept apart", expects: ["head 200", "finished 200 \"\"", "Via: 1.1 a", "Via: 1.1 b"]
    ) { stage in
        try await back(stage, [("Via", "1.1 a"), ("Via", "1.1 b")], "Via")
    }

    private static let oddBack = TransportCase(
        "names are compared without case, and an empty value is one",
        expects: ["head 200", "finished 200 \"\"", "x-empty: ", "x-type: a; b=\"c, d\""]
    ) { stage in
        let server = try stage.server { _ in .ok("", headers: [("X-EMPTY", ""), ("x-Type", "a; b=\"c, d\"")]) }
        let response = await stage.attempt(server.request(), at: server).finalResponse
        for name: RequestHeaders.Key in ["x-empty", "x-type"] {
            stage.note("\(name): \(response?[name]?.text ?? "none")")
        }
    }

    private static let largeBack = TransportCase(
        "a header of 60,000 bytes is read", expects: ["head 200", "finished 200 \"\"", "60 of 1000"]
    ) { stage in
        let value = String(repeating: "x", count: 1000)
        let server = try stage.server { _ in .ok("", headers: (0..<60).map { ("X-\($0)", value) }) }
        let headers = await stage.attempt(server.request(), at: server).finalResponse?.headers
        stage.note("\(headers?.fields.filter { $0.value.text == value }.count ?? 0) of 1000")
    }
}
