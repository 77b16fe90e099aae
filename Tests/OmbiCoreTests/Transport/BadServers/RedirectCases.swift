import Foundation

extension BadServer {
    private static func to(_ location: String, _ outcome: Outcome, status: Int = 302) -> BadServer {
        BadServer(
            "\(status) to \(location.prefix(40).debugDescription)",
            "HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 5\r\n\r\nmoved", outcome)
    }

    private static func refused(_ location: String, as shown: String? = nil) -> BadServer {
        to(
            location,
            .failure(.unsupportedURL, "SERVER redirects to \"\(shown ?? location)\", which is not an HTTP URL"))
    }

    private static func body(_ name: String, _ text: String, _ outcome: Outcome = .ok("next")) -> BadServer {
        BadServer(name, "HTTP/1.1 302 Found\r\nLocation: /next\r\n\(text)", outcome)
    }

    static let redirects: [BadServer] = [
        to("/next", .ok("next")),
        to("next", .ok("next")),
        to("./a/../next", .ok("next")),
        to("/../../next", .ok("next")),
        to("//SERVER/next", .ok("next")),
        to("http://SERVER/next", .ok("next")),
        to("HTTP://SERVER/next", .ok("next")),
        to("http:/next", .failure(.cannotFindHost, "could not find the host next")),
        to("/next#part", .ok("next")),
        to("  /next  ", .ok("next")),
        to("/a b", .ok("a%20b")),
        to("/a%20b", .ok("a%20b")),
        to("/ä", .ok("%c3%a4")),
        refused("/a\u{1B}b", as: "/a\\u{1B}b"),
        to("/a\"<>\\^`{|}b", .ok("a%22%3C%3E%5C%5E%60%7B%7C%7Db")),
        to("?x=1", .ok("bad?x=1")),
        to("", .response(302, "moved")),
        to("/next", .response(300, "moved"), status: 300),
        to("/next", .response(304, ""), status: 304),
        to("/next", .response(305, "moved"), status: 305),
        to("/next", .response(306, "moved"), status: 306),
        to("/next", .response(201, "moved"), status: 201),
        to("/next", .ok("next"), status: 301),
        to("/next", .ok("next"), status: 303),
        to("/next", .ok("next"), status: 307),
        to("/next", .ok("next"), status: 308),
        refused("ftp://SERVER/x"),
        refused("file:///etc/passwd"),
        refused("javascript:alert(1)"),
        refused("data:text/plain,hello"),
        refused("gopher://SERVER/x"),
        refused("mailto:someone@example.com", as: "mailto:so••••••@example.com"),
        refused("unix:/var/run/docker.sock"),
        refused("http://"),
        refused("http://SERVER:99999/x"),
        refused("http://[::1/x"),
        refused("http://[bad"),
        refused("http://[bad]/x"),
        refused("http://user:password@[::1/x", as: "http://••••••@[::1/x"),
        to("http://nowhere.invalid/", .failure(.cannotFindHost, "could not find the host nowhere.invalid")),
        to(
            "http://" + String(repeating: "x", count: 5000) + ".invalid/",
            .failure(.cannotFindHost, "could not find the host \(String(repeating: "x", count: 120))…")),
        to(
            "http://127.0.0.1:1/",
            .failure(.cannotConnectToHost, "could not connect to 127.0.0.1:1 (connection refused)")),
        to("/bad", .failure(.tooManyRedirects, "http://SERVER/bad redirects more than 20 times")),
        to("/" + String(repeating: "x", count: 60_000), .ok(String(repeating: "x", count: 200))),
        BadServer(
            "without a Location", "HTTP/1.1 302 Found\r\nContent-Length: 5\r\n\r\nmoved", .response(302, "moved")),
        BadServer(
            "two Locations", "HTTP/1.1 302 Found\r\nLocation: /next\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
            .ok("next")),
        BadServer(
            "ISO 8859-1",
            [
                .bytes(
                    Data("HTTP/1.1 302 Found\r\nLocation: /caf".utf8) + Data([0xE9])
                        + Data("\r\nContent-Length: 0\r\n\r\n".utf8))
            ],
            .ok("caf%e9")),
        body("whose body is cut off", "Content-Length: 500\r\n\r\nshort"),
        body("whose chunks are malformed", "Transfer-Encoding: chunked\r\n\r\nhello"),
        body("whose gzip is none", "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
        body("in an unknown coding", "Content-Encoding: banana\r\nContent-Length: 5\r\n\r\nhello"),
        body(
            "with no length", "Content-Length: 5x\r\n\r\nhello",
            .malformed("the response from SERVER has the Content-Length \"5x\", which is no length")),
        body(
            "with two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nhello",
            .malformed("the response from SERVER has 2 different lengths (1, 2)")),
        BadServer(
            "with an endless body",
            [.text("HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n"), .endless(Data(count: 10_000))], .ok("next")),
        BadServer(
            "none of which is followed", "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 5\r\n\r\nmoved",
            .response(302, "moved")
        ).with { $0.connection.redirects = .none },
        BadServer(
            "cut off in its header", "HTTP/1.1 302 Found\r\nLocation: /next\r\n",
            .lost("the connection to SERVER broke within the header of the response")),
    ]
}
