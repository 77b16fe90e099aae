import Foundation

extension BadServer {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private static let poison = "HTTP/1.1 418 Poison\r\nContent-Length: 6\r\n\r\npoison"

    /// Each of them has the response that it should; what counts is the request after it.
    static let reuses: [BadServer] = [
        BadServer("a connection that is kept", [.text(ok), .stay], .ok("hello")),
        BadServer("the end behind the response", ok, .ok("hello")),
        BadServer("a reset behind the response", [.text(ok), .reset], .ok("hello")),
        BadServer("another response in the same bytes", [.text(ok + poison), .stay], .ok("hello")),
        BadServer("a blank line behind the response", [.text(ok + "\r\n"), .stay], .ok("hello")),
        BadServer(
            "an end that is announced and does not come",
            [.text(ok.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")), .stay], .ok("hello")),
        BadServer(
            "an end that is not announced",
            [.text(ok.replacing("\r\n\r\n", with: "\r\nConnection: keep-alive\r\n\r\n"))], .ok("hello")),
        BadServer("HTTP/1.0", [.text(ok.replacing("1.1", with: "1.0")), .stay], .ok("hello")),
        BadServer(
            "HTTP/1.0 that keeps the connection",
            [.text("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello"), .stay], .ok("hello")),
        BadServer("more behind 204", [.text("HTTP/1.1 204 No Content\r\n\r\n" + poison), .stay], .response(204, "")),
        BadServer("more behind 304", [.text("HTTP/1.1 304 Not Modified\r\n\r\n" + poison), .stay], .response(304, "")),
        BadServer("more behind HEAD", [.text(ok + poison), .stay], .ok(""), method: .head),
        BadServer(
            "more behind chunks",
            [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + poison), .stay], .ok("")),
    ]
}
