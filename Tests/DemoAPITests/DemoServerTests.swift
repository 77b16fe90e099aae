import DemoAPI
import Testing

/// Starts a server of its own for each test, so that no test sees another one's data.
func withServer(_ body: (Client) async throws -> Void) async throws {
    let server = try await DemoServer.start()
    do {
        try await body(Client(port: server.port))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

@Test func `a port in use is said in words`() async throws {
    let first = try await DemoServer.start()
    await #expect(throws: DemoServerError.portInUse(first.port)) {
        _ = try await DemoServer.start(port: first.port)
    }
    #expect("\(DemoServerError.portInUse(8765))".contains("port 8765"))
    await first.stop()
}

@Test func `after stop nothing listens`() async throws {
    let server = try await DemoServer.start()
    #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
    await server.stop()
    await #expect(throws: Client.Failure.self) { try await Client(port: server.port).get("/") }
    await server.stop()
}

@Test func `the index lists every route`() async throws {
    try await withServer { client in
        let response = try await client.get("/")
        let routes = try #require(response.object["routes"] as? [[String: Any]])
        #expect(response.header("Content-Type") == "application/json")
        #expect(routes.contains { $0["path"] as? String == "/flaky" })
        #expect(routes.allSatisfy { ($0["summary"] as? String)?.isEmpty == false })
    }
}

@Test func `what is not there is a 404, and a wrong method a 405 that tells the right ones`() async throws {
    try await withServer { client in
        let missing = try await client.get("/nowhere")
        #expect(missing.status == 404)
        #expect(missing.error["message"] as? String == "there is no /nowhere here; / lists what is")
        let wrong = try await client.send("PUT", "/users")
        #expect(wrong.status == 405)
        #expect(wrong.header("Allow") == "GET, POST")
    }
}

@Test func `HEAD has the head of GET and no body`() async throws {
    try await withServer { client in
        let response = try await client.send("HEAD", "/bytes/json?mb=1")
        #expect(response.status == 200)
        #expect(response.header("Content-Length") == "1000000")
        #expect(response.body.isEmpty)
    }
}

@Test(arguments: [
    "/slow?ms=-1", "/slow?ms=99999999999999999999", "/status/99", "/status/600", "/bytes/json?mb=101",
    "/bytes/json?mb=0", "/binary?bytes=x", "/redirect/101", "/redirect/1?status=304", "/stream?lines=0",
    "/image.png?width=0", "/flaky?status=200", "/users?limit=0", "/users?page=0", "/headers/many?count=501",
    "/users/1?expand=friends", "/redirect-to", "/redirect-to?url=a%0d%0ab", "/cookies/set?a=b%3bc",
])
func `a parameter out of range is a 422 that says why`(target: String) async throws {
    try await withServer { client in
        let response = try await client.get(target)
        #expect(response.status == 422)
        #expect((response.error["message"] as? String)?.isEmpty == false)
    }
}

@Test(arguments: [
    "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
    "GET /%zz%ff HTTP/1.1\r\nConnection: close\r\n\r\n", "POST /users HTTP/1.1\r\nContent-Length: 99\r\n\r\nshort",
])
func `a broken request does not end the server`(request: String) async throws {
    try await withServer { client in
        if !request.hasSuffix("short") { _ = try await client.exchange(Array(request.utf8)) }
        #expect(try await client.get("/time").status == 200)
    }
}
