import Foundation

extension BadServer {
    private static let large = Data(repeating: 7, count: 20_000_000)

    private static func upload(_ name: String, _ steps: [Step], _ outcome: Outcome) -> BadServer {
        BadServer(name, steps, outcome, method: .put).with { $0.body = large }
    }

    private static func answer(_ status: Int, _ fields: String = "") -> Step {
        .text("HTTP/1.1 \(status) Early\r\nContent-Length: 5\r\n\(fields)\r\nhello")
    }

    private static let lost = Outcome.lost("the connection to SERVER broke before a response came (…)")

    static let uploads: [BadServer] = [
        upload("413 before the body is read", [answer(413), .linger], .response(413, "hello")),
        upload("413 that announces the end", [answer(413, "Connection: close\r\n"), .linger], .response(413, "hello")),
        upload("413 after a part of the body", [.readBody(100_000), answer(413), .linger], .response(413, "hello")),
        upload("200 before the body is read", [answer(200), .linger], .ok("hello")),
        upload("200 and a reset within the body", [answer(200), .readBody(10_000_000), .reset], .ok("hello")),
        upload("401 while the body is read", [answer(401), .readBody(20_000_000), .stay], .response(401, "hello")),
        upload("200 while the body is read", [answer(200), .readBody(20_000_000), .stay], .ok("hello")),
        upload("the end before the body is read", [], lost),
        upload("a reset within the body", [.readBody(100_000), .reset], lost),
        upload("a reset behind the body", [.readBody(20_000_000), .reset], lost),
        upload(
            "half a head and the end", [.readBody(20_000_000), .text("HTTP/1.1 413 Early\r\nConte")],
            .lost("the connection to SERVER broke within the header of the response")),
    ]
}
