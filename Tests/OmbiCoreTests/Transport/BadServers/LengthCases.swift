extension BadServer {
    private static func length(_ lengths: [String], body: String = "hello", _ outcome: Outcome) -> BadServer {
        let fields = lengths.map { "Content-Length: \($0)\r\n" }.joined()
        return BadServer(
            "\(lengths.joined(separator: " and ").debugDescription), \(body.utf8.count) bytes",
            "HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)", outcome)
    }

    private static func noLength(_ text: String) -> BadServer {
        length([text], .malformed("the response from SERVER has the Content-Length \"\(text)\", which is no length"))
    }

    /// libcurl itself finds some.
    private static let libcurls = "the response from SERVER is malformed (…)"

    static let lengths: [BadServer] = [
        length(["5"], .ok("hello")),
        length(["  5  "], .ok("hello")),
        length(["0005"], .ok("hello")),
        length(["5", "5"], .ok("hello")),
        length(["5, 5"], .ok("hello")),
        length(["5"], body: "hello and more", .ok("hello")),
        length(["0"], body: "hello", .ok("")),
        length(["-5"], .malformed(libcurls)),
        noLength("+5"),
        noLength("0x5"),
        noLength("5.0"),
        noLength("5e0"),
        noLength("5 bytes"),
        length(["five"], .malformed(libcurls)),
        noLength("5;"),
        noLength("5 5"),
        length(["٥"], .malformed(libcurls)),
        noLength("99999999999999999999"),
        length([""], .malformed(libcurls)),
        length(["5,"], .malformed("the response from SERVER has 2 different lengths (5, )")),
        length(["5", "6"], .malformed("the response from SERVER has 2 different lengths (5, 6)")),
        length(["6", "5"], .malformed("the response from SERVER has 2 different lengths (6, 5)")),
        length(["5, 6"], .malformed("the response from SERVER has 2 different lengths (5, 6)")),
        length(["6"], .lost("the connection to SERVER broke after 5 of 6 bytes")),
        length(["1000000"], .lost("the connection to SERVER broke after 5 of 1000000 bytes")),
        BadServer("no length", "HTTP/1.1 200 OK\r\n\r\nhello", .ok("hello")),
        BadServer("HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nhello", .ok("hello")),
        BadServer(
            "a length and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .ok("hello")),
        BadServer(
            "no length that counts, and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .ok("hello")),
        BadServer("204 with a body", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", .response(204, "")),
        BadServer("204 with no length", "HTTP/1.1 204 No Content\r\nContent-Length: x\r\n\r\n", .response(204, "")),
        BadServer("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", .response(304, "")),
        BadServer(
            "205 with a body", "HTTP/1.1 205 Reset Content\r\nContent-Length: 5\r\n\r\nhello", .response(205, "hello")),
        BadServer("HEAD and a body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .ok(""), method: .head),
        BadServer("HEAD and no length", "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n", .ok(""), method: .head),
        BadServer(
            "HEAD and two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", .ok(""),
            method: .head),
        BadServer(
            "a length beyond what is taken",
            "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n" + String(repeating: "x", count: 2_000_000),
            .tooLarge("the response from SERVER is larger than 1048576 bytes")),
    ]
}
