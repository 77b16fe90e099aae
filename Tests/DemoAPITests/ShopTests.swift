import Testing

@Test func `a list has pages, and links to the next and the previous one`() async throws {
    try await withServer { client in
        let response = try await client.get("/users?page=2&limit=25")
        let items = try #require(response.object["items"] as? [[String: Any]])
        #expect(items.map { $0["id"] as? Int } == Array(26...50))
        #expect(response.integer("total") == 60)
        #expect(response.integer("pages") == 3)
        #expect(response.header("X-Total-Count") == "60")
        #expect(
            response.header("Link")
                == "</users?page=1&limit=25>; rel=\"prev\", </users?page=3&limit=25>; rel=\"next\"")
    }
}

@Test(arguments: [
    ("/users?city=oslo", 9), ("/users?active=false", 12), ("/users?active=false&city=oslo", 1),
    ("/users?name=ada", 4), ("/orders?userId=42", 3), ("/orders?status=paid", 45), ("/users?page=900", 60),
])
func `a list is filtered`(target: String, total: Int) async throws {
    try await withServer { client in
        let response = try await client.get(target)
        #expect(response.integer("total") == total)
    }
}

@Test func `a user is created, read, changed, replaced and deleted`() async throws {
    try await withServer { client in
        let created = try await client.send(
            "POST", "/users", body: #"{"name":"Zoë","email":"zoe@example.com","city":"Oslo"}"#)
        #expect(created.status == 201)
        let location = try #require(created.header("Location"))
        #expect(location == "/users/61")
        let patched = try await client.send("PATCH", location, body: #"{"active":false}"#)
        #expect(patched.text == #"{"id":61,"name":"Zoë","email":"zoe@example.com","city":"Oslo","active":false}"#)
        let replaced = try await client.send("PUT", location, body: #"{"name":"Z","email":"z@example.com"}"#)
        #expect(replaced.text == #"{"id":61,"name":"Z","email":"z@example.com","city":"Berlin","active":true}"#)
        #expect(try await client.get(location).text == replaced.text)
        let deleted = try await client.send("DELETE", location)
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(try await client.get(location).status == 404)
        #expect(try await client.send("DELETE", location).status == 404)
    }
}

@Test func `a user expands to the orders, which go with the user`() async throws {
    try await withServer { client in
        let user = try await client.get("/users/42?expand=orders")
        let orders = try #require(user.object["orders"] as? [[String: Any]])
        #expect(orders.map { $0["id"] as? Int } == [42, 102, 162])
        #expect(try await client.send("DELETE", "/users/42").status == 204)
        #expect(try await client.get("/orders/42").status == 404)
    }
}

@Test(arguments: [
    ("POST", "/users", "{}", 422), ("POST", "/users", #"{"name":"","email":"no at"}"#, 422),
    ("POST", "/users", #"{"name":1,"email":"a@b"}"#, 422), ("POST", "/users", "{nope", 400),
    ("POST", "/users", "", 400),
    ("POST", "/orders", #"{"userId":999,"item":"lamp"}"#, 422),
    ("POST", "/orders", #"{"userId":1,"item":"lamp","quantity":0}"#, 422),
    ("PATCH", "/orders/1", #"{"status":"lost"}"#, 422), ("PATCH", "/users/999", #"{"name":"x"}"#, 404),
    ("GET", "/users/abc", "", 404), ("GET", "/orders/0", "", 404),
])
func `what is wrong with a body is told as JSON`(method: String, path: String, body: String, status: Int) async throws {
    try await withServer { client in
        let response = try await client.send(method, path, body: body)
        #expect(response.status == status)
        #expect(response.error["status"] as? Int == status)
    }
}

@Test func `the fields of a bad body are named`() async throws {
    try await withServer { client in
        let response = try await client.send("POST", "/users", body: #"{"name":"","email":"x"}"#)
        #expect(response.error["fields"] as? [String: String] == ["name": "is empty", "email": "has no @"])
    }
}
