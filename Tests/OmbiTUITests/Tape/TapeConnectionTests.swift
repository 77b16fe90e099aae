import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// A connection to a tape by a clock that tests set.
@Suite struct TapeConnectionTests {
    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let get = Array("GET /x HTTP/1.1\r\n\r\n".utf8)

    @Test(arguments: [("1x", 400), ("10x", 40), ("0", 0)])
    func `a response waits for its time, by the speed`(speed: String, milliseconds: Int) throws {
        var tape = Tape([TapeSample.run("http://a.test/x", [.init(status: 200, body: "done", wait: 400)])])
        var connection = TapeConnection(at: .zero)
        let event = connection.take(Self.get, at: .zero, &tape, try #require(TapeSpeed(speed)))
        #expect(event?.result.hasPrefix("200 OK, 1 of 1") == true)
        let due = Duration.milliseconds(milliseconds)
        #expect(connection.nextTime(at: .zero) == (due > .zero ? due : connection.deadline))
        #expect(connection.output(at: due - .milliseconds(1)).isEmpty && !connection.isReading)
        #expect(Self.text(connection.output(at: due)).hasSuffix("\r\n\r\ndone"))
        connection.didSend(connection.output(at: due).count, at: due)
        #expect(connection.isReading && !connection.isEnded)
    }

    @Test func `a body comes in two parts where it took time`() throws {
        var run = TapeSample.run("http://a.test/x", [.init(status: 200, body: "abcd", wait: 100)])
        run.result.report?.attempts[0].metrics.timings.receive = .milliseconds(50)
        var tape = Tape([run])
        var connection = TapeConnection(at: .zero)
        _ = connection.take(Self.get, at: .zero, &tape, .recorded)
        let first = connection.output(at: .milliseconds(100))
        #expect(Self.text(first).hasSuffix("\r\n\r\nab"))
        connection.didSend(first.count, at: .milliseconds(100))
        #expect(connection.output(at: .milliseconds(149)).isEmpty)
        #expect(Self.text(connection.output(at: .milliseconds(150))) == "cd")
    }

    @Test func `a page of another site hears nothing, unless other machines may ask as well`() {
        var tape = Tape([TapeSample.run("http://a.test/x", [.init(status: 200, body: "done")])])
        let foreign = ["Host: evil.example:8080", "Host: 127.0.0.1\r\nOrigin: https://evil.example"]
        for fields in foreign {
            let request = Array("GET /x HTTP/1.1\r\n\(fields)\r\n\r\n".utf8)
            var connection = TapeConnection(at: .zero)
            let event = connection.take(request, at: .zero, &tape, .immediate)
            #expect(event?.result.hasPrefix("403, ") == true, "\(event?.result ?? "")")
            #expect(!Self.text(connection.output(at: .zero)).contains("done"))
            connection = TapeConnection(at: .zero, isOpen: true)
            #expect(connection.take(request, at: .zero, &tape, .immediate)?.result.hasPrefix("200 OK") == true)
        }
    }

    /// Returns the response to a request with these fields.
    private static func reply(_ line: String, _ fields: [String], _ tape: inout Tape, isOpen: Bool = false) -> String {
        var connection = TapeConnection(at: .zero, isOpen: isOpen)
        let request = ([line + " HTTP/1.1"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
        _ = connection.take(Array(request.utf8), at: .zero, &tape, .immediate)
        return text(connection.output(at: .zero))
    }

    @Test func `a page of this machine may read responses, those that were not recorded among them`() {
        let recorded: RequestHeaders = ["Access-Control-Allow-Origin": "https://app.example", "Vary": "Accept"]
        var tape = Tape([TapeSample.run("http://a.test/x", [.init(status: 200, body: "done", headers: recorded)])])
        for line in ["GET /x", "GET /y"] {
            let reply = Self.reply(line, ["Host: 127.0.0.1:4010", "Origin: http://localhost:3000"], &tape)
            #expect(reply.contains("\r\nAccess-Control-Allow-Origin: http://localhost:3000\r\n"), "\(reply)")
            #expect(!reply.contains("app.example") && reply.contains("\r\nVary: Origin\r\n"), "\(reply)")
        }
        let program = Self.reply("GET /x", ["Host: 127.0.0.1"], &tape)
        #expect(program.contains("app.example"), "\(program)")
    }

    @Test func `a preflight gets what it asks for, and takes no recorded response`() {
        let preflight = [
            "Origin: http://localhost:3000", "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: content-type",
        ]
        var tape = Tape([
            TapeSample.run("http://a.test/x", method: .post, [.init(status: 503), .init(status: 200, body: "done")])
        ])
        let reply = Self.reply("OPTIONS /x", preflight, &tape)
        #expect(reply.hasPrefix("HTTP/1.1 204 No Content\r\n"), "\(reply)")
        #expect(reply.contains("\r\nAccess-Control-Allow-Methods: POST\r\n"), "\(reply)")
        #expect(reply.contains("\r\nAccess-Control-Allow-Headers: content-type\r\n"), "\(reply)")
        let first = Self.reply("POST /x", [preflight[0]], &tape)
        #expect(first.hasPrefix("HTTP/1.1 503 "), "\(first)")
        let plain = Self.reply("OPTIONS /x", [preflight[0]], &tape)
        #expect(plain.hasPrefix("HTTP/1.1 501 "), "\(plain)")
        let foreign = ["Origin: https://evil.example", preflight[1]]
        let refused = Self.reply("OPTIONS /x", foreign, &tape)
        #expect(refused.hasPrefix("HTTP/1.1 403 "), "\(refused)")
        let open = Self.reply("OPTIONS /x", foreign, &tape, isOpen: true)
        #expect(open.hasPrefix("HTTP/1.1 501 ") && !open.contains("Allow-Origin"), "\(open)")
    }

    @Test(arguments: [
        ("Sun, 29 Nov 2026 11:50:37 GMT", "3"), ("Sun, 29 Nov 2026 11:50:30 GMT", "0"), ("7", "7"), ("soon", "soon"),
    ])
    func `a Retry-After with a date becomes the wait that it was`(recorded: String, served: String) {
        let headers: RequestHeaders = [
            "Date": "Sun, 29 Nov 2026 11:50:34 GMT", "Retry-After": RequestHeaders.Value(recorded),
        ]
        var tape = Tape([TapeSample.run("http://a.test/x", [.init(status: 503, headers: headers)])])
        let reply = Self.reply("GET /x", [], &tape)
        #expect(reply.contains("\r\nRetry-After: \(served)\r\n"), "\(reply)")
    }

    @Test(arguments: [
        ("Location", "https://a.test/orders/7", "/orders/7"), ("Location", "https://a.test", "/"),
        ("Location", "https://b.test/?next=https://a.test/x", "https://b.test/?next=https://a.test/x"),
        ("Link", "<https://a.test/x?page=2>; rel=next, <https://b.test/>", "</x?page=2>; rel=next, <https://b.test/>"),
        ("X-Seen", "https://a.test/x", "https://a.test/x"),
    ])
    func `a link to the recorded server leads to the tape`(name: String, recorded: String, served: String) {
        let headers: RequestHeaders = [RequestHeaders.Key(name): RequestHeaders.Value(recorded)]
        var tape = Tape([
            TapeSample.run("https://a.test/x?page=1", [.init(status: 201, headers: headers), .init(status: 200)])
        ])
        let reply = Self.reply("GET /x?page=1", [], &tape)
        #expect(reply.contains("\r\n\(name): \(served)\r\n"), "\(reply)")
    }

    @Test func `joined pages lead to no further one`() {
        let headers: RequestHeaders = ["Link": "</x?page=2>; rel=next"]
        var run = TapeSample.run("https://a.test/x", [.init(status: 200, body: "[1, 2]", headers: headers)])
        run.result.pages = PageSummary(count: 2)
        var tape = Tape([run])
        let reply = Self.reply("GET /x", [], &tape)
        #expect(reply.hasSuffix("[1, 2]") && !reply.contains("Link"), "\(reply)")
    }

    @Test func `a recorded OPTIONS is served, also to a preflight`() {
        var tape = Tape([TapeSample.run("http://a.test/x", method: .options, [.init(status: 200, body: "own")])])
        let fields = ["Origin: http://localhost:3000", "Access-Control-Request-Method: PUT"]
        let reply = Self.reply("OPTIONS /x", fields, &tape)
        #expect(reply.hasPrefix("HTTP/1.1 200 OK\r\n") && reply.hasSuffix("own"), "\(reply)")
        #expect(reply.contains("\r\nAccess-Control-Allow-Methods: PUT\r\n"), "\(reply)")
    }

    @Test func `a client that sends nothing, or takes nothing, loses its connection`() {
        var tape = Tape([TapeSample.run("http://a.test/x", [.init(status: 200)])])
        var connection = TapeConnection(at: .seconds(5))
        #expect(connection.deadline == .seconds(35))
        _ = connection.take(Array("GET".utf8), at: .seconds(10), &tape, .immediate)
        _ = connection.take(Array(" /".utf8), at: .seconds(30), &tape, .immediate)
        #expect(connection.deadline == .seconds(40), "the time of a request begins with its first byte")
        #expect(!connection.isSpare(at: .seconds(10)) && connection.isSpare(at: .seconds(11)))
    }

    @Test func `an empty line between requests is none`() {
        var tape = Tape([TapeSample.run("http://a.test/x", [.init(status: 200, body: "done")])])
        var connection = TapeConnection(at: .zero)
        let event = connection.take(Array("\r\n".utf8) + Self.get, at: .zero, &tape, .immediate)
        #expect(event?.result.hasPrefix("200 OK") == true)
    }

    @Test func `requests that come at once get their responses one after the other`() {
        var tape = Tape([
            TapeSample.run("http://a.test/x", [.init(status: 500, body: "1"), .init(status: 200, body: "2")])
        ])
        var connection = TapeConnection(at: .zero)
        _ = connection.take(Self.get + Self.get, at: .zero, &tape, .immediate)
        let first = connection.output(at: .zero)
        #expect(Self.text(first).hasSuffix("\r\n\r\n1"))
        connection.didSend(first.count, at: .zero)
        #expect(connection.advance(at: .zero, &tape, .immediate) != nil)
        #expect(Self.text(connection.output(at: .zero)).hasSuffix("\r\n\r\n2"))
    }
}
