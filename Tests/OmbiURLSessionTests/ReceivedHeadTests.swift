import Foundation
import OmbiCore
import Testing

@testable import OmbiURLSession

@Suite struct ReceivedHeadTests {
    @Test(arguments: [
        ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]), ("a=1,b=2", ["a=1", "b=2"]), ("a=, b=", ["a=", "b="]),
        (
            "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Path=/",
            ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2; Path=/"]
        ),
        (
            "a=1; expires=Wednesday, 21-Oct-26 07:28:00 GMT; HttpOnly, __Host-b=2; Secure",
            ["a=1; expires=Wednesday, 21-Oct-26 07:28:00 GMT; HttpOnly", "__Host-b=2; Secure"]
        ),
        ("a=\"x, y\"", ["a=\"x, y\""]), ("a=1, not a cookie", ["a=1, not a cookie"]), ("nonsense", ["nonsense"]),
        ("", [""]), ("a=1,", ["a=1,"]),
    ])
    func `joined cookies are distinguished`(joined: String, cookies: [String]) {
        #expect(ReceivedHead.cookies(in: joined) == cookies)
    }

    @Test func `fields are in the order of their names`() {
        let head = ReceivedHead(
            statusCode: 200,
            fields: [("b", "2"), ("A", "1, 1"), ("set-cookie", "x=1, y=2")].map { (name: $0.0, value: $0.1) })
        #expect(
            head.headers.fields.map { "\($0.key): \($0.value)" } == [
                "A: 1, 1", "b: 2", "set-cookie: x=1", "set-cookie: y=2",
            ])
    }

    @Test(
        arguments: [
            (["Content-Length": "5"], 5), (["content-length": "0"], 0), (["Content-Length": "-1"], nil),
            (["Content-Length": "five"], nil), (["Content-Length": "5", "Content-Encoding": "gzip"], nil), ([:], nil),
        ] as [([String: String], Int?)])
    func `the length is that of the body`(fields: [String: String], length: Int?) {
        let head = ReceivedHead(statusCode: 200, fields: fields.map { (name: $0.key, value: $0.value) })
        #expect(head.contentLength == length)
    }
}
