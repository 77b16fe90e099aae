import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The real transport against a real server.
@Suite struct CurlTransportTests {
    /// All events of one attempt.
    func attempt(
        _ request: TransportRequest, on transport: CurlTransport = CurlTransport()
    ) async -> [TransportEvent] {
        let events = LoopbackLock<[TransportEvent]>([])
        return await withCheckedContinuation { continuation in
            _ = transport.start(request) { event in
                let all = events.withLock { events in
                    events.append(event)
                    return events
                }
                if event.isLast { continuation.resume(returning: all) }
            }
        }
    }

    func failure(
        _ server: LoopbackServer, timeout: Double = 30, _ configuration: CurlTransport.Configuration = .init()
    ) async throws -> TransportError {
        let url = try #require(URL(string: server.host + "/"))
        let events = await attempt(
            TransportRequest(url: url, attemptTimeout: .seconds(timeout)),
            on: CurlTransport(configuration: configuration))
        return try #require(events.last?.error)
    }

    @Test func `an answer comes with its phases in order`() async throws {
        let server = try LoopbackServer { _ in .ok("hello", headers: [("X-One", "1")]) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/a?b=c"))
        let events = await attempt(TransportRequest(url: url))
        let phases = events.compactMap { if case .phase(let phase) = $0 { phase } else { nil } }
        #expect(phases.filter { $0 != .resolve } == [.connect, .send, .wait, .receive])
        guard case .finished(let response, let metrics) = events.last else {
            Issue.record("expected finished: \(events)")
            return
        }
        #expect(response.url == url)
        #expect(response.statusCode == 200)
        #expect(response["x-one"] == "1")
        #expect(response.body == Data("hello".utf8))
        #expect(metrics.httpVersion == "1.1")
        #expect(metrics.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(metrics.bytesReceived == 5)
        #expect(metrics.timings.total > .zero)
        #expect(metrics.timings.tls == .zero)
    }

    @Test func `only the given fields are sent`() async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        _ = await attempt(
            TransportRequest(
                url: url, method: .post, headers: ["X-Empty": "", "X-Blank": " \t"], body: Data("hi".utf8)))
        #expect(
            server.requests.first?.headers == [
                "host": "127.0.0.1:\(server.port)", "x-empty": "", "x-blank": "", "content-length": "2",
            ])
    }

    @Test(arguments: RequestMethod.allCases.filter { $0 != .head && $0 != .connect })
    func `every method carries a body`(method: RequestMethod) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/x"))
        let events = await attempt(TransportRequest(url: url, method: method, body: Data("body".utf8)))
        #expect(events.last?.response?.statusCode == 200)
        #expect(server.requests.first?.method == method.rawValue)
        #expect(server.requests.first?.text == "body")
    }

    @Test func `head does not wait for a body`() async throws {
        let server = try LoopbackServer { _ in .ok("not sent") }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let events = await attempt(TransportRequest(url: url, method: .head))
        #expect(events.last?.response?.body == Data())
        #expect(events.last?.response?[.contentLength] == "8")
    }

    @Test func `a big body goes there and back`() async throws {
        let server = try LoopbackServer { .response(status: 200, headers: [], body: $0.body) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let body = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let events = await attempt(TransportRequest(url: url, method: .put, body: body))
        expectSame(events.last?.response?.body, body)
        let sent = events.compactMap { if case .sent(let bytes, _) = $0 { bytes } else { nil } }
        #expect(sent.last == body.count)
        #expect(sent == sent.sorted())
    }

    @Test func `repeated fields are kept`() async throws {
        let server = try LoopbackServer { _ in .ok("", headers: [("Set-Cookie", "a=1"), ("set-cookie", "b=2")]) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let response = try #require(await attempt(TransportRequest(url: url)).last?.response)
        #expect(response.headers?.values(for: .setCookie) == ["a=1", "b=2"])
    }

    @Test func `a compressed body is decoded`() async throws {
        let hello: [UInt8] = [
            0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x86, 0xa6, 0x10, 0x36,
            0x05, 0, 0, 0,
        ]
        let server = try LoopbackServer { _ in
            .response(status: 200, headers: [("Content-Encoding", "gzip")], body: Data(hello))
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let events = await attempt(TransportRequest(url: url))
        #expect(events.last?.response?.body == Data("hello".utf8))
        #expect(events.last?.metrics?.bytesReceived == hello.count)
    }

    @Test func `a connection is reused`() async throws {
        let server = try LoopbackServer { _ in .ok("hi") }
        defer { server.stop() }
        // However long it takes until the second is sent.
        let transport = CurlTransport(configuration: .init(idleConnectionLifetime: .seconds(3600)))
        let url = try #require(URL(string: server.host + "/"))
        let first = await attempt(TransportRequest(url: url), on: transport)
        let second = await attempt(TransportRequest(url: url), on: transport)
        #expect(first.last?.metrics?.reusedConnection == false)
        #expect(second.last?.metrics?.reusedConnection == true)
        #expect(second.last?.metrics?.timings.connect == .zero)
        #expect(server.connectionCount == 1)
    }

    @Test func `a hundred requests run at once`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let transport = CurlTransport()
        let host = server.host
        let bodies = await withTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                guard let url = URL(string: "\(host)/\(number)") else { continue }
                group.addTask {
                    let last = await attempt(TransportRequest(url: url), on: transport).last
                    let text = last?.response?.body.map { String(decoding: $0, as: UTF8.self) }
                    return text ?? String(describing: last)
                }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(bodies.subtracting((0..<100).map { "/\($0)" }) == [])
        #expect(bodies.count == 100)
    }

    @Test func `a refused connection is named`() async throws {
        let server = try LoopbackServer { _ in .drop }
        server.stop()
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = await attempt(TransportRequest(url: url)).last?.error
        #expect(
            error
                == TransportError(
                    code: .cannotConnectToHost, message: "could not connect to 127.0.0.1:1 (connection refused)"))
    }

    @Test func `an unknown host is named`() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid/"))
        let error = await attempt(TransportRequest(url: url)).last?.error
        #expect(error == TransportError(code: .cannotFindHost, message: "could not find the host nowhere.invalid"))
    }

    @Test func `silence times out`() async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        #expect(
            try await failure(server, timeout: 5)
                == TransportError(
                    code: .timedOut, message: "no response from 127.0.0.1:\(server.port) within 5s"))
    }

    @Test func `a stalled body times out`() async throws {
        let server = try LoopbackServer { _ in .stalled(length: 2048, sent: 512) }
        defer { server.stop() }
        #expect(
            try await failure(server, timeout: 5).withoutResponse
                == TransportError(
                    code: .timedOut,
                    message:
                        "the response from 127.0.0.1:\(server.port) was not complete within 5s (512 of 2048 bytes)")
        )
    }

    @Test func `a broken connection is named`() async throws {
        let server = try LoopbackServer { _ in .broken(length: 2048, sent: 512) }
        defer { server.stop() }
        let error = try await failure(server)
        #expect(
            error.withoutResponse
                == TransportError(
                    code: .connectionLost,
                    message: "the connection to 127.0.0.1:\(server.port) broke after 512 of 2048 bytes"))
        #expect(error.response?.statusCode == 200)
        #expect(error.response?[.contentLength] == "2048")
        #expect(error.response?.body == Data(repeating: 120, count: 512))
    }

    @Test func `what came of a body outlives its connection`() async throws {
        let server = try LoopbackServer { _ in .broken(length: 2048, sent: 512) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let events = LoopbackLock<[TransportEvent]>([])
        let transport = CurlTransport()
        await withCheckedContinuation { continuation in
            _ = transport.start(TransportRequest(url: url)) { event in
                events.withLock { $0.append(event) }
                if event.isLast { continuation.resume() }
            }
        }
        let all = events.withLock { $0 }
        #expect(all.store?.count == 512)
        #expect(all.received.last == TransferProgress(bytes: 512, expected: 2048))
    }

    @Test func `a closed connection is named`() async throws {
        let server = try LoopbackServer { _ in .drop }
        defer { server.stop() }
        let error = try await failure(server)
        #expect(error.code == .connectionLost)
        #expect(
            error.message
                == "the connection to 127.0.0.1:\(server.port) broke before a response came (empty reply from server)")
    }

    @Test func `garbage is an error`() async throws {
        let server = try LoopbackServer { _ in .raw(Data("this is not HTTP\r\n\r\n".utf8)) }
        defer { server.stop() }
        let error = try await failure(server)
        #expect(error.code == .malformedResponse)
        #expect(error.message.hasPrefix("127.0.0.1:\(server.port) sent an invalid HTTP response ("))
    }

    @Test func `a response that is too large is refused`() async throws {
        let server = try LoopbackServer { _ in .ok(String(repeating: "x", count: 1001)) }
        defer { server.stop() }
        #expect(
            try await failure(server, .init(maximumResponseBytes: 1000)).withoutResponse
                == TransportError(
                    code: .responseTooLarge,
                    message: "the response from 127.0.0.1:\(server.port) is larger than 1000 bytes"))
    }

    @Test func `a header without end is refused`() async throws {
        let fields = (0..<6_000).map { "X-\($0): " + String(repeating: "x", count: 50) }
        let text = (["HTTP/1.1 200 OK"] + fields).joined(separator: "\r\n")
        let server = try LoopbackServer { _ in .raw(Data(text.utf8)) }
        defer { server.stop() }
        #expect(
            try await failure(server).withoutResponse
                == TransportError(
                    code: .responseTooLarge,
                    message: "the header from 127.0.0.1:\(server.port) is larger than 262144 bytes"))
    }

    @Test func `plain text behind HTTPS is a TLS failure`() async throws {
        let server = try LoopbackServer(greeting: Data("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) { _ in .drop }
        defer { server.stop() }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = try #require(await attempt(TransportRequest(url: url)).last?.error)
        #expect(error.code == .secureConnectionFailed)
        #expect(error.message.hasPrefix("could not make a secure connection to 127.0.0.1:\(server.port): "))
        #expect(error.advice == "the server may not speak TLS; try http://" && !error.message.contains("SSL routines"))
    }

    @Test func `cancelling ends an attempt`() async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let transport = CurlTransport()
        let task = LoopbackLock<(any TransportTask)?>(nil)
        // The event may come before `start` has returned.
        let handleIsKnown = DispatchGroup()
        handleIsKnown.enter()
        let error: TransportError? = await withCheckedContinuation { continuation in
            let started = transport.start(TransportRequest(url: url)) { event in
                if case .phase(.wait) = event {
                    handleIsKnown.notify(queue: .global()) { task.withLock { $0 }?.cancel() }
                }
                if event.isLast { continuation.resume(returning: event.error) }
            }
            task.withLock { $0 = started }
            handleIsKnown.leave()
        }
        #expect(error?.code == .cancelled)
        task.withLock { $0 }?.cancel()
    }
}

extension TransportEvent {
    var isLast: Bool { metrics != nil }

    var metrics: TransportMetrics? {
        switch self {
        case .finished(_, let metrics), .failed(_, let metrics): metrics
        default: nil
        }
    }

    var response: TransportResponse? { if case .finished(let response, _) = self { response } else { nil } }
    var error: TransportError? { if case .failed(let error, _) = self { error } else { nil } }
}
