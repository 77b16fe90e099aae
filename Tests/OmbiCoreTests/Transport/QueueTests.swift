import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Requests that wait for others, because only so many go at once.
@Suite struct QueueTests {
    /// Sends that many at once, and gives the last event of each.
    static func send(_ count: Int, _ request: TransportRequest, on transport: CurlTransport) async -> [TransportEvent] {
        let ends = Lock<[TransportEvent]>([])
        return await withCheckedContinuation { continuation in
            for _ in 0..<count {
                _ = transport.start(request) { event in
                    guard event.isLast else { return }
                    let all = ends.withLock { ends in
                        ends.append(event)
                        return ends.count == count ? ends : nil
                    }
                    if let all { continuation.resume(returning: all) }
                }
            }
        }
    }

    func url(_ host: String, _ path: String = "/") throws -> URL { try #require(URL(string: host + path)) }

    @Test func `ten thousand at once need eight connections`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        defer { server.stop() }
        let ends = await Self.send(10_000, TransportRequest(url: try url(server.host)), on: CurlTransport())
        #expect(ends.count { $0.response?.body == Data("hello".utf8) } == 10_000)
        #expect(server.connectionCount == 8)
        #expect(ends.count { $0.metrics.map { $0.timings.queue > .zero } == true } >= 9_000)
        #expect(ends.allSatisfy { $0.metrics.map { $0.timings.total >= $0.timings.queue } == true })
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `ten thousand at once need one connection over HTTP/2`() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let ends = await Self.send(10_000, try server.request(), on: transport)
        let bodies = ends.map { end in
            end.response?.body.map { String(decoding: $0, as: UTF8.self) } ?? "\(end)"
        }
        #expect(Set(bodies).count == 1, "\(Set(bodies).prefix(3))")
        #expect(bodies.first?.hasSuffix(" HTTP/2.0") == true)
    }

    /// The server ends the connection again and again, with requests under way on it.
    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `connections that the server ends are replaced by few`() async throws {
        let server = try NginxServer(requestsPerConnection: 1_000)
        defer { server.stop() }
        let transport = CurlTransport()
        let ends = await Self.send(5_000, try server.request(), on: transport)
        let failures = ends.compactMap { $0.error?.description }
        #expect(failures.isEmpty, "\(failures.count): \(failures.first ?? "")")
        // Five are needed; with one for each request that had to be sent again it would be hundreds.
        #expect(Set(ends.map { $0.response?.body }).count < 50)
    }

    @Test(arguments: [1, 3]) func `a connection has its own limit`(limit: Int) async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        defer { server.stop() }
        var request = TransportRequest(url: try url(server.host))
        request.connection = Connection { $0.maximumConnectionsPerHost = limit }
        let ends = await Self.send(200, request, on: CurlTransport())
        #expect(ends.count { $0.response?.statusCode == 200 } == 200)
        #expect(server.connectionCount == limit)
    }

    @Test func `all hosts together have a limit too`() async throws {
        let atOnce = Lock((now: 0, most: 0))
        let servers = try (0..<4).map { _ in
            try LoopbackServer { _ in
                atOnce.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                sched_yield()
                atOnce.withLock { $0.now -= 1 }
                return .ok("hello")
            }
        }
        defer { for server in servers { server.stop() } }
        let transport = CurlTransport(configuration: .init(maximumConnections: 3))
        let requests = try servers.map { TransportRequest(url: try url($0.host)) }
        await withTaskGroup(of: Int.self) { group in
            for request in requests {
                group.addTask {
                    await Self.send(100, request, on: transport).count { $0.response?.statusCode == 200 }
                }
            }
            for await count in group { #expect(count == 100) }
        }
        #expect(atOnce.withLock { $0.most } <= 3)
    }

    /// Holds back its responses until the test lets them go.
    final class Gate: Sendable {
        let server: LoopbackServer
        private let semaphore = DispatchSemaphore(value: 0)

        init() throws {
            let semaphore = semaphore
            server = try LoopbackServer {
                semaphore.wait()
                return .ok($0.target)
            }
        }

        func open(_ count: Int = 1) { for _ in 0..<count { semaphore.signal() } }
    }

    @Test func `who is cancelled in the queue sends nothing`() async throws {
        let gate = try Gate()
        defer { gate.server.stop() }
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 1))
        let first = Lock<[TransportEvent]>([])
        _ = transport.start(TransportRequest(url: try url(gate.server.host, "/first"))) { event in
            first.withLock { $0.append(event) }
        }
        #expect(await eventually { gate.server.requests.count == 1 })
        let (events, told) = AsyncStream<TransportEvent>.makeStream()
        let task = transport.start(TransportRequest(url: try url(gate.server.host, "/second"))) { event in
            told.yield(event)
            if event.isLast { told.finish() }
        }
        var seen: [TransportEvent] = []
        for await event in events {
            seen.append(event)
            if event == .phase(.queue) { task.cancel() }
        }
        #expect(seen.count == 2 && seen.last?.error?.code == .cancelled)
        #expect(try #require(seen.last?.metrics).timings.queue > .zero)
        gate.open(2)
        let third = TransportRequest(url: try url(gate.server.host, "/third"))
        #expect(await transport.events(of: third).last?.response?.statusCode == 200)
        #expect(gate.server.requests.map(\.target) == ["/first", "/third"])
        #expect(first.withLock { $0.last?.response?.statusCode } == 200)
    }

    @Test func `the limit of an attempt holds in the queue and the idle limit does not`() async throws {
        let gate = try Gate()
        defer { gate.server.stop() }
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 1))
        _ = transport.start(TransportRequest(url: try url(gate.server.host, "/first"))) { _ in }
        #expect(await eventually { gate.server.requests.count == 1 })
        let patient = TransportRequest(url: try url(gate.server.host, "/patient"), idleTimeout: .milliseconds(100))
        async let answered = transport.events(of: patient)
        let impatient = TransportRequest(url: try url(gate.server.host, "/no"), attemptTimeout: .milliseconds(300))
        let events = await transport.events(of: impatient)
        #expect(events.first == .phase(.queue))
        #expect(
            events.last?.error
                == TransportError(
                    code: .timedOut,
                    message: "no connection to 127.0.0.1:\(gate.server.port) became free within 300ms"))
        gate.open(2)
        let last = await answered.last
        #expect(last?.response?.body == Data("/patient".utf8), "\(String(describing: last))")
        #expect(gate.server.requests.map(\.target) == ["/first", "/patient"])
    }

    @Test func `the SLA holds in the queue`() async throws {
        let gate = try Gate()
        defer { gate.server.stop() }
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 1))
        let manager = RequestManager(host: gate.server.host, transport: transport)
        let first = manager.send(TextRequest(path: "/first", timeoutInterval: 600), retry: .never)
        #expect(await eventually { gate.server.requests.count == 1 })
        await #expect(
            performing: { try await manager.response(for: TextRequest(path: "/second"), sla: 0.2) },
            throws: { error in
                guard case RequestError<HTTPError>.slaExceeded(let details) = error else { return false }
                return details?.phase == .queue
            })
        gate.open()
        #expect(await first.report?.outcome == .succeeded)
        #expect(gate.server.requests.count == 1)
    }

    @Test func `a redirect to another host queues there`() async throws {
        let gate = try Gate()
        let target = gate.server.host + "/end"
        let server = try LoopbackServer { _ in .redirect(307, to: target) }
        defer {
            gate.server.stop()
            server.stop()
        }
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 1))
        _ = transport.start(TransportRequest(url: try url(gate.server.host, "/first"))) { _ in }
        #expect(await eventually { gate.server.requests.count == 1 })
        let (events, told) = AsyncStream<TransportEvent>.makeStream()
        let redirected = TransportRequest(url: try url(server.host), method: .put, body: Data("body".utf8))
        _ = transport.start(redirected) { event in
            told.yield(event)
            if event.isLast { told.finish() }
        }
        var last: TransportEvent?
        for await event in events {
            if event == .phase(.queue) {
                // The place at its own host is free meanwhile.
                let other = TransportRequest(url: try url(server.host, "/x"), attemptTimeout: .milliseconds(50))
                #expect(await transport.events(of: other).first != .phase(.queue))
                gate.open(2)
            }
            last = event
        }
        #expect(last?.response?.body == Data("/end".utf8), "\(String(describing: last))")
        #expect(gate.server.requests.last?.text == "body")
        #expect(gate.server.connectionCount == 1)
    }

    /// Loops share the limits, and each origin that may speak HTTP/2 stays with one.
    @Test func `several loops share the limits`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumConnectionsPerHost: 4, loops: 3))
        let ends = await Self.send(2_000, TransportRequest(url: try url(server.host)), on: transport)
        #expect(ends.count { $0.response?.statusCode == 200 } == 2_000)
        // Each loop may keep connections that it does not need at the moment.
        #expect((4...12).contains(server.connectionCount))
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `several loops need one connection over HTTP/2`() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(loops: 4))
        let ends = await Self.send(1_000, try server.request(), on: transport)
        #expect(Set(ends.map { $0.response?.body }).count == 1)
    }

    /// From many threads, with cancellations in between, on several loops with few places.
    @Test func `nobody is forgotten in the queue`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let transport = CurlTransport(
            configuration: .init(maximumConnectionsPerHost: 2, maximumConnections: 3, loops: 3))
        let request = TransportRequest(url: try url(server.host))
        let counts = await withTaskGroup(of: [Int].self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var answered = 0
                    var cancelled = 0
                    for number in 0..<60 {
                        let (events, told) = AsyncStream<TransportEvent>.makeStream()
                        let task = transport.start(request) { event in
                            told.yield(event)
                            if event.isLast { told.finish() }
                        }
                        if (number + lane) % 3 == 0 { task.cancel() }
                        for await event in events {
                            if event.response != nil { answered += 1 }
                            if event.error?.code == .cancelled { cancelled += 1 }
                        }
                    }
                    return [answered, cancelled]
                }
            }
            return await group.reduce(into: [0, 0]) { sum, counts in
                sum[0] += counts[0]
                sum[1] += counts[1]
            }
        }
        #expect(counts[0] + counts[1] == 480)
        #expect(counts[0] >= 320)
    }
}
