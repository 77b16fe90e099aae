import Foundation

extension BadServer {
    private static func fields(_ name: String, _ fields: String, _ outcome: Outcome = .ok("hello")) -> BadServer {
        BadServer(name, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\(fields)\r\nhello", outcome)
    }

    private static func cut(_ name: String, _ text: String) -> BadServer {
        BadServer(
            name, text, .lost("the connection to SERVER broke within the header of the response"))
    }

    static let heads: [BadServer] = [
        fields("no colon", "this is no field\r\n", .malformed("the response from SERVER is malformed (…)")),
        fields("an empty name", ": value\r\n"),
        fields("an empty value", "X-Empty:\r\n"),
        fields("a blank before the colon", "X-One : 1\r\n"),
        fields("a blank in a name", "X One: 1\r\n"),
        fields("a folded line", "X-One: 1\r\n  and 2\r\n\tand 3\r\n"),
        fields("a folded line that looks like a length", "X-One: 1\r\n Content-Length: 2\r\n"),
        fields(
            "a folded line behind the length", " X-One: 1\r\n",
            .malformed(
                "the response from SERVER has the Content-Length \"5 X-One: 1\", which is no length")),
        fields("control characters", "X-One: \u{01}\u{1B}[2J\u{7F}\r\n"),
        fields("a CR within a value", "X-One: a\rb\r\n"),
        fields("10 KB in a value", "X-One: \(String(repeating: "x", count: 10_000))\r\n"),
        fields("a thousand fields", String(repeating: "X-One: 1\r\n", count: 1000)),
        fields("the same field twice", "Set-Cookie: a=1\r\nset-cookie: b=2\r\n"),
        fields("an unknown connection option", "Connection: banana\r\n"),
        fields("a broken date and an unknown charset", "Date: yesterday\r\nContent-Type: text/x; charset=\u{22}\r\n"),
        fields("a NUL", "X-One: a\u{00}b\r\n", .malformed("the response from SERVER is malformed (…)")),
        BadServer(
            "ISO 8859-1",
            [
                .bytes(
                    Data("HTTP/1.1 200 OK\r\nX-One: caf".utf8) + Data([0xE9])
                        + Data("\r\nContent-Length: 2\r\n\r\nhi".utf8))
            ],
            .ok("hi")),
        BadServer("no fields", "HTTP/1.1 200 OK\r\n\r\nuntil the end", .ok("until the end")),
        BadServer(
            "a head byte by byte", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8.map { .bytes(Data([$0])) },
            .ok("hi")),
        cut("cut off in a name", "HTTP/1.1 200 OK\r\nContent-Ty"),
        cut("cut off in a value", "HTTP/1.1 200 OK\r\nContent-Length: 1"),
        cut("cut off behind a field", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
        cut("cut off in the blank line", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r"),
        BadServer(
            "a line of 150,000 bytes",
            "HTTP/1.1 200 OK\r\nX-One: \(String(repeating: "x", count: 150_000))\r\nContent-Length: 0\r\n\r\n",
            .tooLarge("the header from SERVER has a line of more than 100 KiB")),
        BadServer(
            "300,000 bytes in all",
            "HTTP/1.1 200 OK\r\n"
                + String(repeating: "X-One: \(String(repeating: "x", count: 990))\r\n", count: 300)
                + "Content-Length: 0\r\n\r\n",
            .tooLarge("the header from SERVER is larger than 262144 bytes")),
    ]
}
