import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

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
