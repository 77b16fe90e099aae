import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// One transport for many managers: what they share, and what they must not take from each other.
@Suite struct SharedTransportTests {
    @Test func `hanging runs delay no healthy one`() async throws {
        let silent = try LoopbackServer { _ in .silence }
        let healthy = try LoopbackServer { .ok($0.target) }
        defer {
            silent.stop()
            healthy.stop()
        }
        let runs = (0..<300).map { number in
            RequestManager(host: silent.host).send(TextRequest(path: "/\(number)", timeoutInterval: 600), retry: .never)
        }
        #expect(await eventually { !silent.requests.isEmpty })
        let response = try await RequestManager(host: healthy.host).response(for: TextRequest(path: "/b"), sla: 5)
        #expect(response.body == "/b")
        for run in runs { run.cancel() }
        for run in runs { #expect(await run.report?.outcome == .cancelled) }
    }

    @Test func `a transport that goes closes its connections`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        var transport: CurlTransport? = CurlTransport(
            configuration: .init(idleConnectionLifetime: .seconds(3600)))
        weak let watched = transport
        let request = TransportRequest(url: try #require(URL(string: server.host + "/")))
        #expect(await transport?.events(of: request).last?.response?.statusCode == 200)
        #expect(server.openConnectionCount == 1)
        transport = nil
        #expect(watched == nil)
        #expect(await eventually { server.openConnectionCount == 0 })
    }

    @Test func `a request under way outlives its transport`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let server = try LoopbackServer {
            mayAnswer.wait()
            return .ok($0.target)
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/a"))
        let (events, told) = AsyncStream<TransportEvent>.makeStream()
        var transport: CurlTransport? = CurlTransport()
        _ = transport?.start(TransportRequest(url: url)) { event in
            told.yield(event)
            if event.isLast { told.finish() }
        }
        #expect(await eventually { !server.requests.isEmpty })
        transport = nil
        mayAnswer.signal()
        var last: TransportEvent?
        for await event in events { last = event }
        #expect(last?.response?.body == Data("/a".utf8))
        #expect(await eventually { server.openConnectionCount == 0 })
    }

    @Test func `idle connections are closed and the next request makes new ones`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(idleConnectionLifetime: .milliseconds(50)))
        let request = TransportRequest(url: try #require(URL(string: server.host + "/")))
        for count in 1...3 {
            #expect(await transport.events(of: request).last?.response?.statusCode == 200)
            #expect(server.connectionCount == count)
            #expect(await eventually { server.openConnectionCount == 0 })
        }
    }

    @Test func `idle connections are closed while others are in use`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        let silent = try LoopbackServer { _ in .silence }
        defer {
            server.stop()
            silent.stop()
        }
        let transport = CurlTransport(configuration: .init(idleConnectionLifetime: .milliseconds(100)))
        let request = TransportRequest(url: try #require(URL(string: server.host + "/")))
        let ended = Counter()
        let task = transport.start(TransportRequest(url: try #require(URL(string: silent.host + "/")))) { event in
            if event.isLast { _ = ended.next() }
        }
        #expect(await eventually { silent.requests.count == 1 })
        #expect(await transport.events(of: request).last?.response?.statusCode == 200)
        #expect(await eventually { server.openConnectionCount == 0 })
        #expect(silent.openConnectionCount == 1 && ended.value == 0)
        task.cancel()
        #expect(await eventually { ended.value == 1 })
    }

    /// A validator that blocks has a thread for itself; responses behind it do not wait for it.
    @Test func `blocked receivers hold up nobody`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let mayGoOn = DispatchSemaphore(value: 0)
        let manager = RequestManager(host: server.host)
        let blocked = (0..<20).map { number in
            let request = ComposableRequest<NoBody, String, HTTPError>().path("/\(number)").validateResponse {
                response in
                mayGoOn.wait()
                return .success(response)
            }
            return manager.send(request, retry: .never)
        }
        #expect(await eventually { server.requests.count == 20 })
        for number in 0..<20 {
            #expect(try await manager.response(for: TextRequest(path: "/free/\(number)")).body == "/free/\(number)")
        }
        for _ in blocked { mayGoOn.signal() }
        for run in blocked { #expect(await run.report?.outcome == .succeeded) }
    }
}
