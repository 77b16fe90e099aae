extension BadServer {
    private static let rest = "Content-Length: 5\r\n\r\nhello"

    private static func line(_ line: String, _ outcome: Outcome) -> BadServer {
        BadServer("\(line.debugDescription)", "\(line)\r\n\(rest)", outcome)
    }

    private static func noStatus(_ text: String) -> BadServer {
        line(text, .malformed("the response from SERVER begins with \"\(text)\", which is no status line of HTTP"))
    }

    private static let noHTTP = "SERVER sent an invalid HTTP response (…)"
    private static let nothing = "the connection to SERVER broke before a response came (…)"

    static let statusLines: [BadServer] = [
        // What is odd, and is right or does no harm.
        line("HTTP/1.1 200 OK", .ok("hello")),
        line("HTTP/1.1 200", .ok("hello")),
        line("HTTP/1.1 200 ", .ok("hello")),
        line("HTTP/1.1  200  OK", .ok("hello")),
        line("HTTP/1.0 200 OK", .ok("hello")),
        line("HTTP/1.1 200 \u{1B}]0;title\u{07}", .ok("hello")),
        line("HTTP/1.1 200 a/b: c", .ok("hello")),
        line("HTTP/1.1 200 " + String(repeating: "x", count: 60_000), .ok("hello")),
        line("HTTP/1.1 299 Odd", .response(299, "hello")),
        line("HTTP/1.1 600 Odd", .response(600, "hello")),
        line("HTTP/1.1 999 Odd", .response(999, "hello")),
        BadServer("LF instead of CR LF", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", .ok("hello")),
        line("HTTP/2 200 OK", .ok("hello")),
        // What is no status.
        noStatus("http/1.1 200 OK"),
        noStatus("HTTP/1.1 200abc OK"),
        line("HTTP/1.1 20 OK", .malformed(noHTTP)),
        line("HTTP/1.1 2000 OK", .malformed(noHTTP)),
        line("HTTP/1.1 099 OK", .malformed(noHTTP)),
        line("HTTP/1.1 000 OK", .malformed(noHTTP)),
        line("HTTP/1.1 -20 OK", .malformed(noHTTP)),
        line("HTTP/1.1 OK", .malformed(noHTTP)),
        line("HTTP/1.1", .malformed(noHTTP)),
        line("HTTP/1.1 2 0 OK", .malformed(noHTTP)),
        line("HTTP/1.1 0x1 OK", .malformed(noHTTP)),
        line("HTTP/1.1 ２００ OK", .malformed(noHTTP)),
        // What is no HTTP.
        line("HTTP/0.9 200 OK", .malformed(noHTTP)),
        line("HTTP/1.5 200 OK", .malformed(noHTTP)),
        line("HTTP/3 200 OK", .malformed(noHTTP)),
        line("HTTP/11 200 OK", .malformed(noHTTP)),
        line("HTTP/1.1.1 200 OK", .malformed(noHTTP)),
        line("HTTP/ 200 OK", .malformed(noHTTP)),
        line("HTTP/1.1\t200 OK", .malformed(noHTTP)),
        line("HTTPS/1.1 200 OK", .malformed(noHTTP)),
        line("ICY 200 OK", .malformed(noHTTP)),
        line("SSH-2.0-OpenSSH_9.2p1", .malformed(noHTTP)),
        line("220 mail.example.com ESMTP", .malformed(noHTTP)),
        line("\u{15}\u{03}\u{01}\u{00}\u{02}\u{02}\u{46}", .malformed(noHTTP)),
        line("", .malformed(noHTTP)),
        line(" HTTP/1.1 200 OK", .malformed(noHTTP)),
        line("\u{FEFF}HTTP/1.1 200 OK", .malformed(noHTTP)),
        // What ends too early.
        BadServer("nothing", "", .lost(nothing)),
        BadServer("H", "H", .lost(nothing)),
        BadServer("HTTP/1.1 200", "HTTP/1.1 200", .lost(nothing)),
        BadServer(
            "a status line alone", "HTTP/1.1 200 OK\r\n",
            .lost("the connection to SERVER broke within the header of the response")),
        BadServer("a reset", [.reset], .lost(nothing)),
        BadServer(
            "a status line of 200,000 bytes", "HTTP/1.1 200 " + String(repeating: "x", count: 200_000),
            .tooLarge("the header from SERVER has a line of more than 100 KiB")),
    ]
}
