import Foundation

extension BadServer {
    /// The connection ends behind them.
    private static func frames(_ name: String, _ frames: Data..., outcome: Outcome) -> BadServer {
        var server = BadServer(name, frames.map { .bytes($0) } + [.linger], outcome)
        server.language = .http2
        return server
    }

    private static func head(_ name: String, _ fields: [(String, String)], _ outcome: Outcome) -> BadServer {
        frames(name, HTTP2.settings + HTTP2.head(fields) + HTTP2.body("hello"), outcome: outcome)
    }

    private static let before = Outcome.lost("the connection to SERVER broke before a response came (…)")
    private static func after(_ count: Int) -> Outcome { .lost("the connection to SERVER broke after \(count) bytes") }
    private static let start = HTTP2.settings + HTTP2.head()
    private static let end = HTTP2.body("hello")

    static let frames: [BadServer] = [
        // What is odd, and is right or does no harm.
        frames("a response", start, end, outcome: .ok("hello")),
        frames("no body", HTTP2.settings, HTTP2.head(flags: HTTP2.endHeaders | HTTP2.endStream), outcome: .ok("")),
        frames("an end of its own", start, HTTP2.body("hello", flags: 0), HTTP2.body(""), outcome: .ok("hello")),
        frames(
            "a trailer", start, HTTP2.body("hello", flags: 0),
            HTTP2.head([("x-sum", "1")], flags: HTTP2.endHeaders | HTTP2.endStream), outcome: .ok("hello")),
        frames(
            "early hints", HTTP2.settings, HTTP2.head([(":status", "103")]), HTTP2.head(), end, outcome: .ok("hello")),
        frames(
            "a header in two frames", HTTP2.settings, HTTP2.head(flags: 0),
            HTTP2.frame(.continuation, flags: HTTP2.endHeaders, stream: 1, HTTP2.block([("x-one", "1")])), end,
            outcome: .ok("hello")),
        frames(
            "padding", start,
            HTTP2.frame(
                .data, flags: HTTP2.padded | HTTP2.endStream, stream: 1, Data([3]) + Data("hello".utf8) + Data(count: 3)
            ),
            outcome: .ok("hello")),
        frames("an unknown frame", start, HTTP2.frame(.unknown, Data("banana".utf8)), end, outcome: .ok("hello")),
        frames("a priority", start, HTTP2.frame(.priority, stream: 1, Data(count: 5)), end, outcome: .ok("hello")),
        frames(
            "a hundred pings", start, Data((0..<100).flatMap { _ in HTTP2.frame(.ping, Data(count: 8)) }), end,
            outcome: .ok("hello")),
        frames(
            "a hundred settings", start, Data((0..<100).flatMap { _ in HTTP2.frame(.settings) }), end,
            outcome: .ok("hello")),
        frames(
            "a thousand empty frames", start, Data((0..<1000).flatMap { _ in HTTP2.body("", flags: 0) }), end,
            outcome: .ok("hello")),
        frames("a reset behind the response", start, end, HTTP2.reset(0), outcome: .ok("hello")),
        frames("a farewell behind the response", start, end, HTTP2.goAway(0, last: 1), outcome: .ok("hello")),
        frames(
            "a farewell before the response", HTTP2.settings, HTTP2.goAway(0, last: 1), HTTP2.head(), end,
            outcome: .ok("hello")),
        // What the server takes back.
        taken("a reset with PROTOCOL_ERROR", HTTP2.settings, HTTP2.reset(1), outcome: before),
        taken("a reset with INTERNAL_ERROR", HTTP2.settings, HTTP2.reset(2), outcome: before),
        taken("a reset with CANCEL", HTTP2.settings, HTTP2.reset(8), outcome: before),
        taken("a reset with an unknown code", HTTP2.settings, HTTP2.reset(999), outcome: before),
        taken(
            "a reset behind the header", start, HTTP2.reset(2),
            outcome: .lost("the connection to SERVER broke after 0 bytes: …")),
        taken(
            "a reset within the body", start, HTTP2.body("hel", flags: 0), HTTP2.reset(2),
            outcome: .lost("the connection to SERVER broke after 3 bytes: …")),
        taken("a farewell for what was sent before", HTTP2.settings, HTTP2.goAway(0, last: 0), outcome: before),
        taken("a farewell with an error", HTTP2.settings, HTTP2.goAway(11, last: 0), outcome: before),
        frames("the end at once", outcome: before),
        frames("the end behind the settings", HTTP2.settings, outcome: before),
        frames("the end behind the header", start, outcome: after(0)),
        frames("the end within the body", start, HTTP2.body("hel", flags: 0), outcome: after(3)),
        frames("the end within a frame", start, HTTP2.body("hello").dropLast(2), outcome: after(3)),
        // What breaks the rules.
        frames("no settings", HTTP2.head(), end, outcome: before),
        frames("HTTP/1.1", Data("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8), outcome: before),
        frames("garbage", Data(repeating: 0x58, count: 100), outcome: before),
        frames("a body before the header", HTTP2.settings, end, outcome: before),
        frames("a header of another stream", HTTP2.settings, HTTP2.head(stream: 3), outcome: before),
        frames("a header of a stream of the server's", HTTP2.settings, HTTP2.head(stream: 2), outcome: before),
        frames("a header that another frame interrupts", HTTP2.settings, HTTP2.head(flags: 0), end, outcome: before),
        frames("a continuation of nothing", HTTP2.settings, HTTP2.frame(.continuation, stream: 1), outcome: before),
        frames(
            "a header that cannot be unpacked", HTTP2.settings,
            HTTP2.frame(.headers, flags: HTTP2.endHeaders, stream: 1, Data(repeating: 0xFF, count: 20)), outcome: before
        ),
        head("no status", [("x-one", "1")], before),
        head("a status of letters", [(":status", "abc")], before),
        head("a status of two digits", [(":status", "20")], before),
        head("two statuses", [(":status", "200"), (":status", "404")], before),
        head("a status behind a field", [("x-one", "1"), (":status", "200")], before),
        head("a name in upper case", [(":status", "200"), ("X-One", "1")], before),
        head("a name with a blank", [(":status", "200"), ("x one", "1")], before),
        head("a value with a line break", [(":status", "200"), ("x-one", "1\r\nx-two: 2")], before),
        head("a connection field", [(":status", "200"), ("connection", "close")], before),
        head("a length that is too small", [(":status", "200"), ("content-length", "3")], before),
        head("a length that is too large", [(":status", "200"), ("content-length", "50")], before),
        head("a length that is none", [(":status", "200"), ("content-length", "5x")], before),
        frames("settings of 5 bytes", HTTP2.frame(.settings, Data(count: 5)), outcome: before),
        frames("a window of 4 GB", HTTP2.frame(.settings, Data([0, 4]) + HTTP2.number(.max)), outcome: before),
        frames(
            "a push that nobody wants", HTTP2.settings,
            HTTP2.frame(
                .pushPromise, flags: HTTP2.endHeaders, stream: 1, HTTP2.number(2) + HTTP2.block([(":path", "/x")])),
            outcome: before),
        within("a frame of 16 MB", HTTP2.frame(.data, stream: 1, length: 0xFF_FFFF)),
        within("a window that does not grow", HTTP2.frame(.windowUpdate, HTTP2.number(0))),
        within("a window that overflows", HTTP2.frame(.windowUpdate, HTTP2.number(0x7FFF_FFFF))),
        within("a ping of 7 bytes", HTTP2.frame(.ping, Data(count: 7))),
    ]

    /// Between the header and the body. Without a length libcurl 7.88 takes a stream that ends together with its
    /// connection for a whole one, whatever the reason.
    private static func within(_ name: String, _ frame: Data) -> BadServer {
        let head = HTTP2.settings + HTTP2.head([(":status", "200"), ("content-length", "5")])
        return frames(
            name, head, frame, HTTP2.body("hello"), outcome: .lost("the connection to SERVER broke after 0 of 5 bytes"))
    }

    /// The connection stays.
    private static func taken(_ name: String, _ frames: Data..., outcome: Outcome) -> BadServer {
        var server = BadServer(name, frames.flatMap { [.bytes($0), .sync] } + [.wait], outcome)
        server.language = .http2
        return server
    }
}
