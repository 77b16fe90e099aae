import Foundation
import Testing

@Test func `flaky fails as often as asked, works once, and starts over`() async throws {
    try await withServer { client in
        var statuses: [Int] = []
        for _ in 0..<6 { statuses.append(try await client.get("/flaky?failures=2&status=502").status) }
        #expect(statuses == [502, 502, 200, 502, 502, 200])
    }
}

@Test func `flaky keeps keys apart, and tells when to come back`() async throws {
    try await withServer { client in
        let one = try await client.get("/flaky?failures=1&key=one&retryAfter=7")
        #expect(one.status == 503)
        #expect(one.header("Retry-After") == "7")
        #expect(try await client.get("/flaky?failures=1&key=two").status == 503)
        #expect(try await client.get("/flaky?failures=1&key=one").integer("attempt") == 2)
    }
}

@Test func `slow answers`() async throws {
    try await withServer { client in
        let response = try await client.get("/slow?ms=1")
        #expect(response.integer("waitedMilliseconds") == 1)
        #expect(response.header("Server-Timing")?.hasPrefix("sleep;dur=1;") == true)
    }
}

@Test(arguments: [200, 204, 304, 404, 418, 500, 599])
func `a status is answered as asked`(status: Int) async throws {
    try await withServer { client in
        let response = try await client.send("POST", "/status/\(status)")
        #expect(response.status == status)
        #expect(response.body.isEmpty == [204, 304].contains(status))
    }
}

@Test func `drop breaks off in the middle of the body`() async throws {
    try await withServer { client in
        let response = try await client.get("/drop")
        #expect(response.status == 200)
        #expect(!response.isComplete)
        #expect(response.text == #"{"items":[1,2,3,"#)
    }
}

@Test func `the same idempotency key counts once`() async throws {
    try await withServer { client in
        let first = try await client.send("POST", "/idempotent", headers: ["Idempotency-Key: a"])
        let second = try await client.send("POST", "/idempotent", headers: ["Idempotency-Key: a"])
        #expect(first.status == 201 && second.status == 200)
        #expect(second.text == #"{"key":"a","calls":2,"charged":1,"repeated":true}"#)
        #expect(try await client.send("POST", "/idempotent").status == 400)
    }
}

@Test(arguments: [
    ("/auth/bearer", "Bearer demo-token", 200), ("/auth/bearer", "Bearer other", 401), ("/auth/bearer", nil, 401),
    ("/auth/basic", "Basic ZGVtbzpkZW1v", 200), ("/auth/basic", "Basic eDp5", 401), ("/auth/basic", nil, 401),
])
func `authentication opens with the right thing only`(path: String, value: String?, status: Int) async throws {
    try await withServer { client in
        let response = try await client.get(path, headers: value.map { ["Authorization: \($0)"] } ?? [])
        #expect(response.status == status)
        #expect((response.header("WWW-Authenticate") != nil) == (status == 401))
    }
}

@Test func `redirects count down and keep their status`() async throws {
    try await withServer { client in
        #expect(try await client.get("/redirect/2").header("Location") == "/redirect/1")
        let kept = try await client.get("/redirect/2?status=307")
        #expect(kept.status == 307)
        #expect(kept.header("Location") == "/redirect/1?status=307")
        #expect(try await client.get("/redirect/0").status == 200)
        let elsewhere = try await client.get("/redirect-to?url=http%3A%2F%2F127.0.0.1%2Fx&status=308")
        #expect(elsewhere.status == 308)
        #expect(elsewhere.header("Location") == "http://127.0.0.1/x")
    }
}

@Test func `a stream has its lines in chunks`() async throws {
    try await withServer { client in
        let response = try await client.get("/stream?lines=3&ms=0")
        #expect(response.header("Transfer-Encoding") == "chunked")
        #expect(response.isComplete)
        #expect(response.text == "{\"line\":1,\"of\":3}\n{\"line\":2,\"of\":3}\n{\"line\":3,\"of\":3}\n")
    }
}

@Test func `events have ids, a kind and data`() async throws {
    try await withServer { client in
        let response = try await client.get("/events?count=2&ms=0")
        #expect(response.header("Content-Type") == "text/event-stream")
        #expect(response.isComplete)
        #expect(response.text.hasSuffix("id: 2\nevent: tick\ndata: {\"tick\":2,\"of\":2}\n\n"))
    }
}

@Test func `echo tells what was sent, in order`() async throws {
    try await withServer { client in
        let json = try await client.send("PATCH", "/echo?b=2&a=1&b=%20", headers: ["X-Test: yes"], body: #"{"x":[1]}"#)
        #expect(json.string("method") == "PATCH")
        #expect(
            json.text.contains(
                #""query":[{"name":"b","value":"2"},{"name":"a","value":"1"},{"name":"b","value":" "}]"#))
        #expect((json.object["headers"] as? [String: String])?["X-Test"] == "yes")
        #expect(json.text.hasSuffix(#""bytes":9,"body":{"x":[1]}}"#))
        #expect(try await client.send("QUERY", "/echo", body: "plain").string("body") == "plain")
        #expect(try await client.get("/echo").text.hasSuffix(#""bytes":0,"body":null}"#))
    }
}

@Test func `headers and cookies come as asked`() async throws {
    try await withServer { client in
        let many = try await client.get("/headers/many?count=120")
        #expect(many.headers.filter { $0.name.hasPrefix("X-Demo-") }.count == 120)
        #expect(many.header("X-Demo-007") == "value 7")
        let set = try await client.get("/cookies/set?a=1&b=2")
        let cookies = set.values("Set-Cookie")
        #expect(cookies == ["a=1; Path=/; HttpOnly; SameSite=Lax", "b=2; Path=/; HttpOnly; SameSite=Lax"])
        #expect(try await client.get("/cookies", headers: ["Cookie: a=1"]).string("cookies") == "a=1")
    }
}

@Test func `the time is the same twice over`() async throws {
    try await withServer { client in
        let response = try await client.get("/time")
        let text = try #require(response.string("time"))
        let unix = try #require(response.object["unix"] as? Double)
        #expect(ISO8601DateFormatter().date(from: text) == Date(timeIntervalSince1970: unix))
    }
}

@Test func `the GraphQL service tells its schema`() async throws {
    try await withServer { client in
        let type = ["Content-Type: application/json"]
        let response = try await client.send(
            "POST", "/graphql", headers: type, body: #"{"query": "{ __schema { types { name } } }"}"#)
        let data = response.object["data"] as? [String: Any]
        let schema = data?["__schema"] as? [String: Any]
        let types = schema?["types"] as? [[String: Any]] ?? []
        #expect(types.compactMap { $0["name"] as? String } == ["Query", "User", "ID", "Int", "String", "Boolean"])
    }
}
