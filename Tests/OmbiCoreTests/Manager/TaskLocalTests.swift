import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Task-local values of the caller, as traces and logs use them, in what surrounds each attempt.
@Suite struct TaskLocalTests {
    enum Trace {
        @TaskLocal static var id: String?
    }

    enum Door: String, CaseIterable {
        case response, value, send, publisher, stream, download, events
    }

    /// Notes the value that it sees.
    struct Witness: RequestMiddleware, Authenticator {
        var scope = MiddlewareScope.attempt
        let transcript: Transcript
        /// The value that its `next` runs with.
        var own: String?

        func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
            transcript.add(Trace.id ?? "none")
            guard let own else { return try await next(request) }
            return try await Trace.$id.withValue(own) { try await next(request) }
        }

        func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
            transcript.add("authenticate \(Trace.id ?? "none")")
            return request
        }

        func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
            transcript.add("refresh \(Trace.id ?? "none")")
            return true
        }
    }

    private let transcript = Transcript()
    private let policy = RetryPolicy(retries: 3, backoff: .constant(.milliseconds(1)))

    private static let good = StubTransport.Reply.response(
        data: Data("data: x\n\n".utf8), headers: ["Content-Type": "text/event-stream"])

    private func manager(_ replies: StubTransport.Reply...) -> RequestManager {
        let manager = RequestManager(host: "http://stub.test", transport: .stub(replies: replies))
        manager.middlewares = [Witness(transcript: transcript)]
        return manager
    }

    private func send(_ manager: RequestManager, by door: Door) async throws {
        let request = TextRequest()
        switch door {
        case .response: _ = try await manager.response(for: request, retry: policy)
        case .value: _ = try await manager.value(for: request, retry: policy)
        case .send: _ = try await manager.send(request, retry: policy).response
        case .publisher:
            let subscription = Lock<AnyCancellable?>(nil)
            await withCheckedContinuation { continuation in
                let cancellable = manager.makeRequest(request, retry: policy)
                    .sink(receiveCompletion: { _ in continuation.resume() }, receiveValue: { _ in })
                subscription.withLock { $0 = cancellable }
            }
        case .stream: for try await _ in try await manager.stream(request, retry: policy).body {}
        case .download:
            let folder = try DownloadTests.Folder()
            _ = try await manager.download(request, to: folder.path, retry: policy)
        case .events: for try await _ in manager.events(request, retry: policy) { break }
        }
    }

    @Test(arguments: Door.allCases) func `each attempt has the values of the caller`(door: Door) async throws {
        let manager = manager(.response(statusCode: 503), .response(statusCode: 503), Self.good)
        try await Trace.$id.withValue("trace-1") { try await send(manager, by: door) }
        #expect(transcript.soFar == ["trace-1", "trace-1", "trace-1"])
    }

    @Test func `a refresh and the attempt after it have the values of the caller`() async throws {
        let manager = manager(.response(statusCode: 503), .response(statusCode: 401), Self.good)
        manager.middlewares = []
        manager.authenticator = Witness(transcript: transcript)
        _ = try await Trace.$id.withValue("t") { try await manager.value(for: TextRequest(), retry: policy) }
        #expect(transcript.soFar == ["authenticate t", "authenticate t", "refresh t", "authenticate t"])
    }

    @Test func `each attempt has the values that a middleware around the run sets`() async throws {
        let manager = manager(.response(statusCode: 503), .response(statusCode: 503), Self.good)
        manager.middlewares.append(Witness(scope: .run, transcript: transcript, own: "span"))
        _ = try await Trace.$id.withValue("trace") { try await manager.value(for: TextRequest(), retry: policy) }
        #expect(transcript.soFar == ["trace", "span", "span", "span"])
    }

    @Test func `an attempt that is made by hand has the values of the caller, not those of the hand`() async throws {
        let manager = RequestManager(host: "http://stub.test", transport: .stub(replies: [.silence, Self.good]))
        manager.middlewares = [Witness(transcript: transcript)]
        let task = Trace.$id.withValue("caller") { manager.send(TextRequest()) }
        #expect(await eventually { transcript.soFar == ["caller"] })
        Trace.$id.withValue("hand") { task.retryNow() }
        _ = try await task.response
        #expect(transcript.soFar == ["caller", "caller"])
    }

    @Test func `each handshake of a WebSocket has the values of the caller`() async throws {
        let (channels, clock) = (ManualChannels(), ManualClock())
        let manager = RequestManager(host: "http://127.0.0.1:9000", transport: channels, clock: clock)
        manager.middlewares = [Witness(transcript: transcript)]
        let options = WebSocketOptions { $0.reconnect = RetryPolicy(retries: 2, backoff: .constant(.seconds(1))) }
        let socket = Trace.$id.withValue("trace") { manager.webSocket("/", options: options) }
        for number in 1...2 {
            let channel = await channels.channel(number)
            channel.connect()
            channel.give("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
            await socket.waitFor("reconnecting \(number + 1)")
            clock.advance(by: .seconds(1))
        }
        _ = await channels.open(3)
        try await socket.opened()
        #expect(transcript.soFar == ["trace", "trace", "trace"])
    }

    /// A token endpoint that answers once with 503, on the manager that needs the token.
    @Test func `a refresh through its own manager may be retried after a wait`() async throws {
        let count = Counter()
        let transport = StubTransport { request in
            guard request.url.path() == "/token" else {
                return .response(statusCode: request.headers[.authorization] == "Bearer t" ? 200 : 401)
            }
            return .response(statusCode: count.next() == 0 ? 503 : 200, data: Data("t".utf8))
        }
        let manager = RequestManager(host: "http://stub.test", transport: transport)
        manager.authenticator = TokenAuthenticator { [policy] _ in
            var policy = policy
            policy.retriesUnsafeMethods = true
            return .init(try await manager.value(for: TextRequest(path: "/token", method: .post), retry: policy))
        }
        let response = try await manager.response(for: TextRequest(path: "/orders"), sla: .seconds(60))
        #expect(response.statusCode == 200 && count.value == 2)
        manager.authenticator = nil
    }

    @Test func `a context ends with its owner, and a task that is cancelled before it starts runs nothing`() async {
        let context = TaskContext()
        let (started, transcript) = (Transcript(), transcript)
        let first = LaterTask(in: context) { started.end("started") }
        #expect(await started.lines == ["started"])
        weak var weakContext = context
        first.cancel()
        let gate = Gate()
        do {
            let context = TaskContext()
            weakContext = context
            let later = LaterTask(in: context) {
                transcript.add("ran")
                await gate.open()
            }
            later.cancel()
        }
        #expect(weakContext == nil)
    }
}
