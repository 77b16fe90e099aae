import Dispatch
import Foundation
import TestSupport
import Testing

@testable import OmbiCore
@testable import OmbiURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the shared cases do not look at: sessions, connections, and what is left in the end.
@Suite struct URLSessionTransportTests {
    func request(_ server: LoopbackServer, _ path: String = "/") throws -> TransportRequest {
        TransportRequest(url: try #require(URL(string: server.host + path)))
    }

    @Test func `what libcurl negotiates is refused before anything is sent`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        var request = try request(server)
        request.connectionAuthentication = ConnectionAuthentication(.negotiate)
        let last = await URLSessionTransport().allEvents(of: request).last
        guard case .failed(let error, _)? = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(error.code == .unsupportedOption && server.connectionCount == 0)
    }

    @Test func `no more connections are made than the setting allows`() async throws {
        let crowd = Crowd(waitsFor: 2)
        let server = try LoopbackServer { request in
            crowd.pass()
            return .ok(request.target)
        }
        defer { server.stop() }
        var request = try request(server)
        request.connection.maximumConnectionsPerHost = 2
        let transport = URLSessionTransport()
        let sent = request
        let finished = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { await transport.allEvents(of: sent).finalResponse != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(finished == 50)
        #expect(crowd.most == 2)
    }

    @Test func `eight connections are the default`() async throws {
        let crowd = Crowd(waitsFor: 8)
        let server = try LoopbackServer { request in
            crowd.pass()
            return .ok(request.target)
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let sent = try request(server)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = await transport.allEvents(of: sent) } }
        }
        #expect(server.requests.count == 100)
        #expect(crowd.most == 8)
    }

    /// Counts who is in it at the same time. The first ones wait until there are some.
    final class Crowd: Sendable {
        private struct State {
            var inside = 0
            var most = 0
        }

        private let state = Lock(State())
        private let gate: DispatchSemaphore
        private let expected: Int

        init(waitsFor count: Int) {
            expected = count
            gate = DispatchSemaphore(value: 0)
        }

        var most: Int { state.withLock { $0.most } }

        func pass() {
            let isFull = state.withLock { state in
                state.inside += 1
                state.most = max(state.most, state.inside)
                return state.inside == expected
            }
            if isFull { for _ in 0..<expected * 1000 { gate.signal() } }
            gate.wait()
            state.withLock { $0.inside -= 1 }
        }
    }

    /// Answers without a network, as libraries that stub `URLSession` do.
    final class StubProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { request.url?.host() == "stubbed.test" }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func stopLoading() {}

        override func startLoading() {
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: 418, httpVersion: nil, headerFields: ["X-One": "1"])
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("stubbed".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    @Test func `a session can be adjusted`() async throws {
        let transport = URLSessionTransport { $0.protocolClasses = [StubProtocol.self] }
        let url = try #require(URL(string: "http://stubbed.test/"))
        let response = await transport.allEvents(of: TransportRequest(url: url)).finalResponse
        #expect(response?.statusCode == 418)
        #expect(response?["x-one"] == "1")
        #expect(response?.body == Data("stubbed".utf8))
    }

    @Test func `a manager without a transport takes libcurl where there is one`() {
        #if canImport(CCurl)
        #expect(RequestManager(host: "http://host.test").transport is CurlTransport)
        #else
        #expect(RequestManager(host: "http://host.test").transport is URLSessionTransport)
        #endif
    }

    /// More sets of settings than sessions are kept for; each request is answered all the same.
    @Test func `sessions are not kept for every setting there ever was`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let first = try request(server)
        await withTaskGroup(of: Void.self) { group in
            for count in 1...60 {
                var request = first
                request.connection.maximumConnectionsPerHost = count
                let sent = request
                group.addTask {
                    #expect(await transport.allEvents(of: sent).finalResponse?.statusCode == 200)
                }
            }
        }
        #expect(server.requests.count == 60)
    }

    /// Says when it goes.
    final class Witness: Sendable {
        private let onEnd: @Sendable () -> Void

        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        deinit { onEnd() }
    }

    /// Waits for sessions that put themselves away on threads of their own; where one stays, for ever.
    @Test(.timeLimit(.minutes(10))) func `nothing is left of a transport that is gone`() async throws {
        let server = try LoopbackServer { $0.target == "/slow" ? .silence : .ok("done") }
        defer { server.stop() }
        let (ends, end) = AsyncStream<String>.makeStream()
        var tasks: [any TransportTask] = []
        for _ in 0..<20 {
            let ofTransport = Witness { end.yield("transport") }
            let ofHandler = Witness { end.yield("handler") }
            let transport = URLSessionTransport { _ in withExtendedLifetime(ofTransport) {} }
            _ = await transport.allEvents(of: try request(server))
            let (events, report) = AsyncStream<Void>.makeStream()
            let task = transport.start(try request(server, "/slow")) { event in
                if withExtendedLifetime(ofHandler, { event.metrics }) != nil { report.finish() }
            }
            task.cancel()
            for await _ in events {}
            tasks.append(task)
        }
        var gone: [String: Int] = [:]
        for await name in ends {
            gone[name, default: 0] += 1
            if gone == ["transport": 20, "handler": 20] { break }
        }
        await server.waitForLastConnection()
        withExtendedLifetime(tasks) {}
    }

    @Test func `a storm of cancellations harms nothing`() async throws {
        let server = try LoopbackServer { request in
            switch request.number % 4 {
            case 0: .silence
            case 1: .redirect(307, to: "/next")
            case 2: .ok(String(repeating: "x", count: 10_000))
            default: .drop
            }
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        var request = try request(server)
        request.method = .post
        request.body = Data(repeating: 7, count: 100_000)
        request.attemptTimeout = .seconds(2)
        let sent = request
        let ends = await withTaskGroup(of: Int.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let (events, report) = AsyncStream<TransportEvent>.makeStream()
                    let task = transport.start(sent) { event in
                        report.yield(event)
                        if event.metrics != nil { report.finish() }
                    }
                    if number % 3 == 0 { task.cancel() }
                    var count = 0
                    for await _ in events {
                        count += 1
                        // At another moment each time.
                        if count == number % 7 { task.cancel() }
                        if count == number % 5 + 3 { task.cancel() }
                    }
                    return 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(ends == 400)
        let healthy = try LoopbackServer { _ in .ok("fine") }
        defer { healthy.stop() }
        #expect(await transport.allEvents(of: try self.request(healthy)).finalResponse?.statusCode == 200)
    }
}

extension TransportEvent {
    fileprivate var metrics: TransportMetrics? {
        switch self {
        case .finished(_, let metrics), .failed(_, let metrics): metrics
        default: nil
        }
    }
}
