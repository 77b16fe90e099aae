import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// What happens to open connections between one request and the next.
@Suite struct ConnectionReuseTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private static let poison = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 6\r\n\r\npoison"

    /// What servers and proxies do with connections that were idle for long. The bytes are there when `send` returns.
    @Test func `a response that nobody asked for answers nothing`() async throws {
        let mayPoison = DispatchSemaphore(value: 0)
        let (poisoned, tell) = AsyncStream<Void>.makeStream()
        let server = try RawServer { connection in
            while connection.readHead() != nil {
                connection.send(Self.answer)
                mayPoison.wait()
                connection.send(Self.poison)
                tell.yield()
            }
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let transport = CurlTransport()
        var poison = poisoned.makeAsyncIterator()
        for _ in 0..<5 {
            let last = await transport.events(of: TransportRequest(url: url)).last
            #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
            #expect(last?.metrics?.reusedConnection == false)
            mayPoison.signal()
            await poison.next()
        }
        #expect(server.connectionCount == 5)
    }

    @Test func `a connection that dies is replaced each time`() async throws {
        let server = try RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send(Self.answer)
            _ = connection.readHead()
            connection.reset()
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let transport = CurlTransport()
        for number in 1...30 {
            let last = await transport.events(of: TransportRequest(url: url)).last
            #expect(last?.response?.statusCode == 200, "request \(number): \(String(describing: last))")
        }
        #expect(server.connectionCount == 30)
    }

    @Test func `a body is sent whole over the connection that replaces one`() async throws {
        let bodies = LoopbackLock<[Data]>([])
        let server = try RawServer { connection in
            guard connection.readHead() != nil, let body = connection.read(300_000) else { return }
            bodies.withLock { $0.append(body) }
            connection.send(Self.answer)
            _ = connection.readHead()
            connection.reset()
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let transport = CurlTransport()
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for _ in 0..<10 {
            let request = TransportRequest(url: url, method: .put, body: body)
            let events = await transport.events(of: request)
            #expect(events.last?.response?.statusCode == 200, "\(String(describing: events.last))")
            #expect(events.sent.last == TransferProgress(bytes: body.count, expected: body.count))
        }
        #expect(bodies.withLock { $0 } == Array(repeating: body, count: 10))
    }

    /// A server that never answers on an open connection is told as such, and is not asked for ever.
    @Test func `a new connection that dies is an error`() async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.reset()
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let error = await CurlTransport().events(of: TransportRequest(url: url)).last?.error
        #expect(error?.code == .connectionLost)
        #expect(server.connectionCount == 1)
    }
}
