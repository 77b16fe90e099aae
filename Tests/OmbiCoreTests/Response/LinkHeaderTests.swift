import Foundation
import Testing

@testable import OmbiCore

/// The links of a response, segments of a path, and the data of events.
@Suite struct LinkHeaderTests {
    static let base = "https://api.test/v1/repos?page=2"
    static let headers: [([String], [String: String])] = [
        ([], [:]), ([""], [:]), (["<"], [:]), (["no link"], [:]), (["<a>"], [:]), (["<a>; rel"], [:]),
        (["<?page=3>; rel=\"next\""], ["next": "https://api.test/v1/repos?page=3"]),
        (
            ["<https://api.test/a>;rel=next,<b>;rel=\"last\""],
            ["next": "https://api.test/a", "last": "https://api.test/v1/b"]
        ),
        (["</a>; rel=\"NEXT last\""], ["next": "https://api.test/a", "last": "https://api.test/a"]),
        (["</a>; title=\"x, <y>; rel=\\\"next\\\"\"; rel=prev"], ["prev": "https://api.test/a"]),
        (["</a>; rel=next; rel=last"], ["next": "https://api.test/a"]),
        (["</a>; rel=next; anchor=\"/b\", </c>; rel=next"], ["next": "https://api.test/c"]),
        (
            ["</a>; rel=next", "</b>; rel=next, </c>; rel=prev"],
            ["next": "https://api.test/a", "prev": "https://api.test/c"]
        ),
        ([" , </a> ; rel = next ,, "], ["next": "https://api.test/a"]),
        (["</a>; rel=\"next"], ["next": "https://api.test/a"]),
    ]

    @Test(arguments: headers.indices) func `links are read by their relations`(index: Int) throws {
        let (values, links) = Self.headers[index]
        var headers = RequestHeaders()
        for value in values { headers.append(.string(value), forKey: "Link") }
        let response = TransportResponse(url: URL(string: Self.base), headers: headers, statusCode: 200)
        #expect(response.links.mapValues(\.absoluteString) == links)
        let decoded = RequestResponse<String>(url: response.url, headers: headers)
        #expect(decoded.links == response.links)
    }

    @Test func `a list is followed to its end`() async throws {
        try await RealServer.scripted({ request in
            let page = request.number
            return .ok("\(page)", headers: page < 3 ? [("Link", "</list?page=\(page + 1)>; rel=\"next\"")] : [])
        }) { server in
            let manager = RequestManager(host: server.host)
            var (path, pages): (String?, [String]) = ("/list", [])
            while let current = path {
                let response = try await manager.response(for: TextRequest(path: current))
                pages.append(response.body ?? "")
                path = response.links["next"].flatMap(manager.path)
            }
            #expect(pages == ["1", "2", "3"])
            #expect(server.requests.map(\.target) == ["/list", "/list?page=2", "/list?page=3"])
        }
    }

    @Test(
        arguments: [
            ("https://a.test/v1/b?c=d#e", "/b?c=d"), ("https://A.test:443/v1/b", "/b"), ("https://a.test/v1", ""),
            ("https://a.test/v1?c", "?c"), ("https://a.test/v10/b", nil), ("https://b.test/v1/b", nil),
            ("http://a.test/v1/b", nil), ("https://a.test:8443/v1/b", nil), ("/v1/b", nil),
        ] as [(String, String?)])
    func `a URL below the host has a path`(_ text: String, _ path: String?) throws {
        let manager = RequestManager(host: "https://a.test/v1", transport: StubTransport.stub(replies: []))
        #expect(manager.path(to: try #require(URL(string: text))) == path)
    }

    @Test func `a value is one segment of a path`() async throws {
        let arrived = try await RealServer.scripted({ _ in .ok("") }) { server in
            let path = "/files/\(PathSegment("a/b c?d#e%2F😀"))/raw"
            _ = try await RequestManager(host: server.host).response(for: TextRequest(path: path))
            return server.requests.map(\.target)
        }
        #expect(arrived == ["/files/a%2Fb%20c%3Fd%23e%252F%F0%9F%98%80/raw"])
        let manager = RequestManager(host: "http://stub.test", transport: StubTransport.stub(replies: []))
        #expect(throws: MalformedRequest.self) {
            try manager.buildRequest(for: TextRequest(path: "/files/\(PathSegment(".."))"))
        }
    }

    @Test func `a condition judges responses by their headers`() async throws {
        let condition = ResponseCondition { $0.statusCode == 403 && $0.headers?["X-Remaining"] == "0" }
        let policy = RetryPolicy(retries: 3, condition: condition)
        #expect(policy == RetryPolicy(retries: 3, condition: condition) && policy != RetryPolicy(retries: 3))
        #expect(policy.condition != ResponseCondition { _ in false })
        for (remaining, count) in [("0", 2), ("1", 1)] {
            try await RealServer.scripted({ request in
                request.number == 1
                    ? .status(403, headers: [("X-Remaining", remaining), ("Retry-After", "0")]) : .ok("a")
            }) { server in
                let manager = RequestManager(host: server.host)
                let text = try? await manager.value(for: TextRequest(), retry: policy)
                #expect(text == (count == 2 ? "a" : nil) && server.requests.count == count)
            }
        }
    }

    @Test func `the data of an event is decoded`() throws {
        struct Price: Decodable, Equatable {
            let value: Int
        }
        let event = ServerSentEvent(data: "{\"value\":\n3}")
        #expect(try event.decode(Price.self) == Price(value: 3))
        #expect(throws: DecodingError.self) { try event.decode([Price].self) }
    }
}
