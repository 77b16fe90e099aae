import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The limits of an attempt: no byte for so long, no connection for so long, so long in all.
@Suite struct TimeoutTests {
    func url(_ host: String) throws -> URL { try #require(URL(string: host + "/")) }

    /// Sends a body in pieces, with a pause before each.
    static func drip(_ peer: ConversationServer.Peer, pieces: Int, pause: TimeInterval) {
        guard peer.readHead() != nil else { return }
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(pieces)\r\n\r\n")
        for _ in 0..<pieces {
            Thread.sleep(forTimeInterval: pause)
            peer.write("x")
        }
        peer.waitForEnd()
    }

    @Test func `a body that drips longer than the idle limit arrives`() async throws {
        let server = try ConversationServer { peer, _ in Self.drip(peer, pieces: 30, pause: 0.05) }
        defer { server.stop() }
        let request = TransportRequest(url: try url(server.host), idleTimeout: .seconds(1))
        let last = await CurlTransport().events(of: request).last
        #expect(last?.response?.body?.count == 30, "\(String(describing: last))")
        #expect(try #require(last?.metrics).timings.total > .seconds(1))
    }

    @Test func `the same through a manager`() async throws {
        let server = try ConversationServer { peer, _ in Self.drip(peer, pieces: 30, pause: 0.05) }
        defer { server.stop() }
        let response = try await RequestManager(host: server.host).response(for: TextRequest(timeoutInterval: 1))
        #expect(response.body == String(repeating: "x", count: 30))
    }

    @Test func `a body that stops fails`() async throws {
        let server = try LoopbackServer { _ in .stalled(length: 2048, sent: 512) }
        defer { server.stop() }
        let request = TransportRequest(url: try url(server.host), idleTimeout: .milliseconds(300))
        let error = try #require(await CurlTransport().events(of: request).last?.error)
        #expect(
            error.withoutResponse
                == TransportError(
                    code: .timedOut,
                    message: "the response from 127.0.0.1:\(server.port) stalled for 300ms (512 of 2048 bytes)"))
        #expect(error.response?.statusCode == 200 && error.response?.body?.count == 512)
    }

    @Test func silenceFails() async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        let request = TransportRequest(url: try url(server.host), idleTimeout: .milliseconds(200))
        let error = await CurlTransport().events(of: request).last?.error
        #expect(
            error
                == TransportError(
                    code: .timedOut, message: "no response from 127.0.0.1:\(server.port) within 200ms"))
    }

    @Test func `a header that stops is no missing response`() async throws {
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write("HTTP/1.1 503 Busy\r\nX-Id: 7\r\n")
            peer.waitForEnd()
        }
        defer { server.stop() }
        let request = TransportRequest(url: try url(server.host), idleTimeout: .milliseconds(200))
        let error = try #require(await CurlTransport().events(of: request).last?.error)
        #expect(
            error.message == "the header of the response from 127.0.0.1:\(server.port) was not complete within 200ms")
        #expect(error.response?.statusCode == 503 && error.response?["X-Id"] == "7")
    }

    @Test func `the limit of the attempt holds for a body that drips`() async throws {
        let server = try ConversationServer { peer, _ in Self.drip(peer, pieces: 1000, pause: 0.01) }
        defer { server.stop() }
        let request = TransportRequest(url: try url(server.host), attemptTimeout: .milliseconds(300))
        let error = try #require(await CurlTransport().events(of: request).last?.error)
        #expect(error.code == .timedOut)
        #expect(error.message.hasPrefix("the response from 127.0.0.1:\(server.port) was not complete within 300ms ("))
        #expect(error.response?.body?.isEmpty == false)
    }

    /// The server takes the body more slowly than the idle limit, but steadily.
    @Test func `an upload that drips arrives`() async throws {
        let body = Data(repeating: 7, count: 16 << 20)
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            var left = body.count
            while left > 0 {
                let count = peer.read(1 << 18).count
                guard count > 0 else { return }
                left -= count
                Thread.sleep(forTimeInterval: 0.04)
            }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            peer.waitForEnd()
        }
        defer { server.stop() }
        let request = TransportRequest(
            url: try url(server.host), method: .put, body: body, idleTimeout: .seconds(2))
        let last = await CurlTransport().events(of: request).last
        #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
        #expect(try #require(last?.metrics).timings.total > .seconds(2))
    }

    @Test func `an upload that nobody takes fails`() async throws {
        let hasFailed = DispatchSemaphore(value: 0)
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            hasFailed.wait()
        }
        defer { server.stop() }
        defer { hasFailed.signal() }
        let request = TransportRequest(
            url: try url(server.host), method: .put, body: Data(repeating: 7, count: 64 << 20),
            idleTimeout: .milliseconds(200))
        let error = try #require(await CurlTransport().events(of: request).last?.error)
        #expect(error.code == .timedOut)
        let place = "127.0.0.1:\(server.port)"
        #expect(error.message.hasPrefix("\(place) took nothing more of the request for 200ms ("), "\(error)")
        #expect(error.message.hasSuffix(" of 67108864 bytes sent)"), "\(error)")
    }

    @Test(arguments: [true, false]) func `a connection that is not made fails`(byItsOwnLimit: Bool) async throws {
        let listener = try FullListener()
        defer { listener.stop() }
        var request = TransportRequest(url: try url("http://127.0.0.1:\(listener.port)"), idleTimeout: .seconds(30))
        if byItsOwnLimit {
            request.connection = Connection { $0.connectTimeout = .milliseconds(200) }
        } else {
            request.idleTimeout = .milliseconds(200)
        }
        let events = await CurlTransport().events(of: request)
        #expect(
            events.last?.error
                == TransportError(
                    code: .timedOut, message: "could not connect to 127.0.0.1:\(listener.port) within 200ms"))
        #expect(events.contains(.phase(.connect)) && !events.contains(.phase(.send)))
    }

    @Test func `the limit of a connection is over when it stands`() async throws {
        let server = try ConversationServer { peer, _ in Self.drip(peer, pieces: 10, pause: 0.05) }
        defer { server.stop() }
        var request = TransportRequest(url: try url(server.host))
        request.connection = Connection { $0.connectTimeout = .milliseconds(250) }
        #expect(await CurlTransport().events(of: request).last?.response?.body?.count == 10)
    }

    /// Many limits, most of which never come, must not pile up.
    @Test func `limits that never came are forgotten`() {
        var deadlines = CurlDeadlines()
        let now = ContinuousClock.now
        let order = (0..<1000).map { (7 * $0) % 1000 }
        for number in order {
            deadlines.add(CurlTransferID(loop: 0, slot: Int32(number), number: 1), at: now + .seconds(number))
        }
        deadlines.keep { $0.transfer.slot % 2 == 0 }
        #expect(deadlines.count == 500)
        #expect(deadlines.takeDue(now - .seconds(1))?.transfer == nil)
        var due: [Int32] = []
        while let entry = deadlines.takeDue(now + .seconds(500)) { due.append(entry.transfer.slot) }
        #expect(due == stride(from: 0, through: 500, by: 2).map { Int32($0) })
        #expect(deadlines.earliest == now + .seconds(502))
    }
}
