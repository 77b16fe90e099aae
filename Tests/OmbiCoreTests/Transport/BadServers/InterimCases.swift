import Foundation

extension BadServer {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    private static func after(_ text: String, _ outcome: Outcome = .ok("hello")) -> BadServer {
        BadServer("\(text.prefix(40).debugDescription)", text + ok, outcome)
    }

    static let interims: [BadServer] = [
        after("HTTP/1.1 100 Continue\r\n\r\n"),
        after("HTTP/1.1 102 Processing\r\n\r\n"),
        after("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 100\r\n\r\n"),
        after("HTTP/1.1 199 Odd\r\n\r\n"),
        after("HTTP/1.1 103 Early Hints\r\nLocation: /next\r\n\r\n"),
        after("HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n"),
        after(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 100)),
        after(
            "HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello",
            .malformed("SERVER sent an invalid HTTP response (…)")),
        after("HTTP/1.1 1xx Odd\r\n\r\n", .malformed("SERVER sent an invalid HTTP response (…)")),
        BadServer(
            "100 and the end", "HTTP/1.1 100 Continue\r\n\r\n",
            .lost("the connection to SERVER broke before a response came (…)")),
        BadServer(
            "half of 100 and the end", "HTTP/1.1 100 Continue\r\n",
            .lost("the connection to SERVER broke within the header of the response")),
        BadServer(
            "100 and what is no HTTP", "HTTP/1.1 100 Continue\r\n\r\nbanana\r\n\r\n",
            .malformed("SERVER sent an invalid HTTP response (…)")),
        BadServer(
            "101 that nobody asked for", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: banana\r\n\r\nhello",
            .response(101, "hello")),
        BadServer(
            "early hints without end",
            [.endless(Data(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 100).utf8))],
            .tooLarge("the header from SERVER is larger than 262144 bytes")),
    ]
}
