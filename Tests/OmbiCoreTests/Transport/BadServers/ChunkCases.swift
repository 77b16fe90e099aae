import Foundation

extension BadServer {
    private static func chunks(_ name: String, _ body: String, _ outcome: Outcome, coding: String = "chunked")
        -> BadServer
    {
        BadServer(name, "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n\(body)", outcome)
    }

    private static func invalid(_ name: String, _ body: String) -> BadServer {
        chunks(name, body, .malformed("the body from SERVER is not valid chunked encoding (…)"))
    }

    private static func cut(_ name: String, _ body: String, after count: Int) -> BadServer {
        chunks(name, body, .lost("the connection to SERVER broke after \(count) bytes"))
    }

    private static let whole = "5\r\nhello\r\n0\r\n\r\n"

    static let chunks: [BadServer] = [
        chunks("one chunk", whole, .ok("hello")),
        chunks("a chunk for each byte", "1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", .ok("hi")),
        chunks("no chunk", "0\r\n\r\n", .ok("")),
        chunks("a size in upper case", "A\r\n0123456789\r\n0\r\n\r\n", .ok("0123456789")),
        chunks("a size with zeros", "0005\r\nhello\r\n000\r\n\r\n", .ok("hello")),
        chunks("an extension", "5;name=value\r\nhello\r\n0;x\r\n\r\n", .ok("hello")),
        chunks(
            "an extension of 10,000 bytes", "5;\(String(repeating: "x", count: 10_000))\r\nhello\r\n0\r\n\r\n",
            .ok("hello")),
        chunks("a trailer", "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", .ok("hello")),
        chunks("a trailer with a status line", "5\r\nhello\r\n0\r\nHTTP/1.1 500 No: 1\r\n\r\n", .ok("hello")),
        chunks("a trailer with another length", "5\r\nhello\r\n0\r\nContent-Length: 1\r\n\r\n", .ok("hello")),
        chunks("LF instead of CR LF", "5\nhello\n0\n\n", .ok("hello")),
        chunks("the coding in upper case", whole, .ok("hello"), coding: "CHUNKED"),
        chunks("identity and chunked", whole, .ok("hello"), coding: "identity, chunked"),
        chunks("chunked twice", whole, .ok("hello"), coding: "chunked, chunked"),
        chunks("more behind the end", "\(whole)HTTP/1.1 500 No\r\n\r\n", .ok("hello")),
        invalid("no size", "hello"),
        invalid("an empty size", "\r\nhello\r\n0\r\n\r\n"),
        invalid("a negative size", "-5\r\nhello\r\n0\r\n\r\n"),
        invalid("a size of too many digits", "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"),
        invalid("a size that overflows", "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"),
        invalid("a chunk that is longer than it says", "3\r\nhello\r\n0\r\n\r\n"),
        // libcurl takes an LF for a CR LF, so this one cannot be told from a good one.
        chunks("a chunk that is shorter than it says", "6\r\nhello\r\n0\r\n\r\n", .ok("hello\r")),
        invalid("a size with a prefix", "0x5\r\nhello\r\n0\r\n\r\n"),
        cut("nothing", "", after: 0),
        cut("cut off in a size", "5", after: 0),
        cut("cut off behind a size", "5\r\n", after: 0),
        cut("cut off in a chunk", "5\r\nhel", after: 3),
        cut("cut off behind a chunk", "5\r\nhello\r\n", after: 5),
        cut("cut off in the last size", "5\r\nhello\r\n0", after: 5),
        cut("cut off in the trailer", "5\r\nhello\r\n0\r\nX-S", after: 5),
        cut("cut off before the last line", "5\r\nhello\r\n0\r\n", after: 5),
        chunks(
            "an unknown coding", whole, .malformed("the body from SERVER is not valid banana (…)"), coding: "banana"),
        chunks(
            "gzip as a transfer coding that it is not in", whole,
            .malformed("the body from SERVER is not valid gzip, chunked (…)"), coding: "gzip, chunked"),
        BadServer(
            "HTTP/1.0 with chunks", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(whole)", .ok("hello")),
        BadServer(
            "204 with chunks", "HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n\(whole)", .response(204, "")),
        BadServer("HEAD with chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .ok(""), method: .head),
    ]
}
