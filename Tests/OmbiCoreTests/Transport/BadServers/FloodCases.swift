import Foundation

extension BadServer {
    private static func flood(_ name: String, _ head: String, _ piece: String, _ outcome: Outcome) -> BadServer {
        let pieces = Data(String(repeating: piece, count: max(10_000 / piece.utf8.count, 1)).utf8)
        return BadServer(name, [.text(head), .endless(pieces)], outcome)
    }

    private static let body = Outcome.tooLarge("the response from SERVER is larger than 1048576 bytes")
    private static let header = Outcome.tooLarge("the header from SERVER is larger than 262144 bytes")
    private static let line = Outcome.tooLarge("the header from SERVER has a line of more than 100 KiB")

    static let floods: [BadServer] = [
        flood("an endless body", "HTTP/1.1 200 OK\r\n\r\n", "x", body),
        flood(
            "endless chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "40\r\n\(String(repeating: "x", count: 64))\r\n", body),
        flood("an endless status line", "HTTP/1.1 200 ", "x", line),
        flood("an endless header", "HTTP/1.1 200 OK\r\n", "X-One: 1\r\n", header),
        flood("an endless field", "HTTP/1.1 200 OK\r\nX-One: ", "x", line),
        flood("an endless folded field", "HTTP/1.1 200 OK\r\nX-One: 1\r\n", " 1\r\n", header),
        flood(
            "an endless trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-One: 1\r\n", header),
        flood("what is no HTTP without end", "", "x", .malformed("SERVER sent an invalid HTTP response (…)")),
    ]
}
