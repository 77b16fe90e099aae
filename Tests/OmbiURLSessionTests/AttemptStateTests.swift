import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An attempt as a value: what is reported goes in, what is to be done comes out. Time is what the test says.
@Suite struct AttemptStateTests {
    /// Plays an attempt, and writes down what is to be done.
    struct Play {
        var state: AttemptState
        var lines: [String] = []

        init(
            idle: Duration? = .seconds(5), total: Duration? = nil, delivery: ResponseDelivery = .whole,
            method: RequestMethod = .get, body: Data? = nil, maximumBytes: Int = 1 << 20,
            redirects: RedirectPolicy = RedirectPolicy()
        ) {
            var request = TransportRequest(
                url: URL(string: "http://host.test/start") ?? URL(fileURLWithPath: "/"), method: method, body: body,
                idleTimeout: idle, attemptTimeout: total, responseDelivery: delivery)
            request.connection.redirects = redirects
            state = AttemptState(
                request,
                limits: ResponseLimits(
                    maximumBytes: maximumBytes, memoryLimit: 1 << 20, memoryBudget: .standard, temporaryFolder: "/tmp"))
            step { $0.begin(at: .zero) }
            lines = []
        }

        mutating func step(_ change: (inout AttemptState) -> Void) {
            change(&state)
            lines += state.takeActions().map(Self.line)
        }

        mutating func receive(_ event: SessionTaskEvent, at seconds: Double, number: Int? = nil) {
            let number = number ?? state.number
            step { $0.receive(event, number: number, at: .seconds(seconds)) }
        }

        mutating func pause() { _ = state.pause() }

        mutating func resume(at seconds: Double) {
            if state.resume() { step { $0.resumed(at: .seconds(seconds)) } }
        }

        /// What was to be done since the last time.
        mutating func takeLines() -> [String] {
            defer { lines = [] }
            return lines
        }

        private static func line(_ action: AttemptState.Action) -> String {
            switch action {
            case .emit(let event): line(event)
            case .send(let hop, let number): "send \(number) \(hop.method.rawValue) \(hop.url.path())"
            case .storeCookies(let head): "cookies of \(head.url.path())"
            case .stop: "stop"
            case .drain: "drain"
            case .watch(let time): "watch \(time.text)"
            case .end(let event): "end: \(line(event))"
            }
        }

        private static func line(_ event: TransportEvent) -> String {
            switch event {
            case .phase(let phase): phase.rawValue
            case .sent(let bytes, _): "sent \(bytes)"
            case .redirected(let report): "redirected \(report.target.path())"
            case .head(let head): "head \(head.statusCode)"
            case .body: "store"
            case .data(let data): "data \(data.count)"
            case .received(let bytes, _): "received \(bytes)"
            case .finished(let response, _):
                "finished \(response.statusCode ?? 0)" + (response.body.map { " \($0.count)" } ?? "")
            case .failed(let error, _): "failed \(error.code.rawValue)"
            }
        }
    }

    static func head(_ status: Int = 200, _ fields: [(String, String)] = [("Content-Length", "1000")])
        -> SessionTaskEvent
    {
        .head(ReceivedHead(statusCode: status, fields: fields.map { (name: $0.0, value: $0.1) }))
    }

    static let piece = SessionTaskEvent.data(Data(repeating: 7, count: 10))

    @Test func `a response comes in order`() {
        var play = Play()
        play.receive(Self.head(), at: 1)
        #expect(play.takeLines() == ["send", "wait", "receive", "head 200"])
        play.receive(Self.piece, at: 1)
        play.receive(.completed(nil, nil), at: 2)
        #expect(play.takeLines() == ["received 10", "end: finished 200 10"])
    }

    @Test func `every byte moves the idle limit`() {
        var play = Play(idle: .seconds(5))
        play.receive(Self.head(), at: 4)
        for second in 1...20 { play.receive(Self.piece, at: 4 + Double(second) * 4) }
        _ = play.takeLines()
        play.step { $0.checkLimits(at: .seconds(84.5)) }
        #expect(play.takeLines() == ["watch 89s"], "a body that keeps coming is not given up")
        play.step { $0.checkLimits(at: .seconds(89)) }
        #expect(play.takeLines() == ["store", "stop", "end: failed timedOut"])
    }

    @Test func `the total limit is not moved`() {
        var play = Play(idle: .seconds(5), total: .seconds(7))
        play.receive(Self.head(), at: 4)
        play.receive(Self.piece, at: 6)
        _ = play.takeLines()
        play.step { $0.checkLimits(at: .seconds(6.9)) }
        #expect(play.takeLines() == ["watch 7s"])
        play.step { $0.checkLimits(at: .seconds(7)) }
        #expect(play.takeLines().last == "end: failed timedOut")
    }

    @Test func `a reader that pauses is not given up`() {
        var play = Play(idle: .seconds(5), delivery: .pieces)
        play.receive(Self.head(), at: 1)
        play.pause()
        play.step { $0.checkLimits(at: .seconds(100)) }
        #expect(play.takeLines() == ["send", "wait", "receive", "head 200"])
        play.resume(at: 200)
        #expect(play.takeLines() == ["watch 205s"])
        play.step { $0.checkLimits(at: .seconds(205)) }
        #expect(play.takeLines() == ["stop", "end: failed timedOut"])
    }

    @Test func `there is one timer however often a reader pauses`() {
        var play = Play(delivery: .pieces)
        play.receive(Self.head(), at: 1)
        _ = play.takeLines()
        for _ in 0..<1000 {
            play.pause()
            play.resume(at: 2)
        }
        #expect(play.takeLines().isEmpty, "one is set already")
    }

    @Test func `a pause counts once`() {
        var state = Play(delivery: .pieces).state
        #expect(state.pause() && !state.pause())
        #expect(state.resume() && !state.resume())
        var whole = Play(delivery: .whole).state
        #expect(!whole.pause() && !whole.isPaused, "only a body in pieces is held back")
    }

    @Test func `pieces are held back while the reader has paused`() {
        var play = Play(delivery: .pieces)
        play.receive(Self.head(), at: 1)
        play.receive(Self.piece, at: 1)
        play.pause()
        _ = play.takeLines()
        for _ in 0..<10_000 { play.receive(Self.piece, at: 2) }
        play.receive(.completed(nil, nil), at: 3)
        #expect(play.takeLines().isEmpty)
        play.resume(at: 4)
        #expect(play.takeLines() == ["drain"])
        play.step { $0.drain(at: .seconds(4)) }
        #expect(play.takeLines() == ["data 65536", "received 65546", "drain"])
        play.pause()
        play.step { $0.drain(at: .seconds(4)) }
        #expect(play.takeLines().isEmpty, "it has paused again")
        play.resume(at: 5)
        for _ in 0..<3 { play.step { $0.drain(at: .seconds(5)) } }
        #expect(play.takeLines().filter { $0 != "drain" } == ["data 34464", "received 100010", "end: finished 200"])
    }

    @Test func `what comes behind held pieces stays behind them`() {
        var play = Play(delivery: .pieces)
        play.receive(Self.head(), at: 1)
        play.pause()
        play.receive(.data(Data("one".utf8)), at: 1)
        play.resume(at: 1)
        play.receive(.data(Data("four".utf8)), at: 1)
        _ = play.takeLines()
        play.step { $0.drain(at: .seconds(1)) }
        play.step { $0.drain(at: .seconds(1)) }
        play.receive(.data(Data("eleven".utf8)), at: 1)
        #expect(play.takeLines().filter { $0.hasPrefix("data") } == ["data 7", "data 6"])
    }

    @Test func `more than may be kept is not held back`() {
        var play = Play(delivery: .pieces, maximumBytes: 25)
        play.receive(Self.head(), at: 1)
        play.pause()
        _ = play.takeLines()
        for _ in 0..<3 { play.receive(Self.piece, at: 1) }
        #expect(play.takeLines() == ["stop", "end: failed responseTooLarge"])
    }

    @Test func `a redirect is followed`() {
        var play = Play(method: .post, body: Data("body".utf8))
        play.receive(.sent(4), at: 1)
        #expect(play.takeLines() == ["send", "sent 4", "wait"])
        play.receive(Self.head(302, [("Location", "/end")]), at: 2)
        play.receive(Self.piece, at: 2)
        #expect(play.takeLines() == ["receive"])
        play.receive(.completed(nil, nil), at: 3)
        #expect(play.takeLines() == ["redirected /end", "connect", "send 1 GET /end"])
        play.receive(Self.piece, at: 4, number: 0)
        play.receive(.completed(URLError(.cancelled), nil), at: 4, number: 0)
        #expect(play.takeLines().isEmpty, "the task before counts no more")
        play.receive(Self.head(), at: 5)
        play.receive(.completed(nil, nil), at: 5)
        #expect(play.takeLines() == ["send", "wait", "receive", "head 200", "end: finished 200 0"])
        #expect(play.state.redirects.map(\.timings.total) == [.seconds(3)])
    }

    @Test func `the body of a redirect is cut short`() {
        var play = Play()
        play.receive(Self.head(302, [("Location", "/end")]), at: 1)
        _ = play.takeLines()
        play.receive(.data(Data(repeating: 7, count: 64 << 10)), at: 1)
        #expect(play.takeLines().isEmpty)
        play.receive(Self.piece, at: 1)
        #expect(play.takeLines() == ["stop", "redirected /end", "connect", "send 1 GET /end"])
    }

    @Test func `a head that is not reported comes at the end`() {
        var play = Play()
        let head = ReceivedHead(statusCode: 302, fields: [(name: "location", value: "/end")])
        play.receive(.completed(nil, head), at: 1)
        #expect(play.takeLines().suffix(3) == ["redirected /end", "connect", "send 1 GET /end"])
    }

    @Test func `interim responses are passed over`() {
        var play = Play()
        for status in [100, 102, 103] { play.receive(Self.head(status), at: 1) }
        #expect(play.takeLines().isEmpty)
        play.receive(Self.head(101, []), at: 1)
        #expect(play.takeLines().last == "store" && play.state.head?.statusCode == 101)
    }

    @Test(arguments: [
        (URLError.Code.cannotConnectToHost, ["stop", "end: failed cannotConnectToHost"]),
        (.cannotFindHost, ["stop", "end: failed cannotFindHost"]),
        (.networkConnectionLost, ["send", "stop", "end: failed connectionLost"]),
        (.unknown, ["send", "stop", "end: failed unknown"]),
    ])
    func `a request that may have gone out counts as sent`(code: URLError.Code, expected: [String]) {
        var play = Play(method: .post)
        play.receive(.completed(URLError(code), nil), at: 1)
        #expect(play.takeLines() == expected)
    }

    @Test func `nothing comes after the end`() {
        var play = Play()
        play.step { $0.cancel(at: .seconds(1)) }
        #expect(play.takeLines() == ["stop", "end: failed cancelled"])
        play.receive(Self.head(), at: 2)
        play.receive(Self.piece, at: 2)
        play.receive(.completed(nil, nil), at: 2)
        play.step { $0.cancel(at: .seconds(3)) }
        play.step { $0.checkLimits(at: .seconds(300)) }
        play.step { $0.drain(at: .seconds(300)) }
        #expect(play.takeLines().isEmpty)
    }

    @Test func `an error carries what had come`() throws {
        var state = Play(delivery: .whole).state
        state.receive(Self.head(), number: 0, at: .zero)
        state.receive(Self.piece, number: 0, at: .zero)
        state.receive(.completed(URLError(.networkConnectionLost), nil), number: 0, at: .zero)
        guard case .end(.failed(let error, _)) = state.takeActions().last else {
            Issue.record("it has not failed")
            return
        }
        #expect(error.message == "the connection to host.test broke after 10 of 1000 bytes")
        #expect(error.response?.statusCode == 200)
        #expect(error.response?.body == Data(repeating: 7, count: 10))
    }

    @Test func `a session that reports nothing loses the connection`() {
        var play = Play()
        play.receive(.completed(nil, nil), at: 1)
        #expect(play.takeLines() == ["send", "stop", "end: failed connectionLost"])
    }
}
