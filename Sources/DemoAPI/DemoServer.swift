import FlyingFox
import FlyingSocks
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The demo API on a loopback port: an API to explore without internet, and the server of the tests. It listens on
/// 127.0.0.1 only and keeps everything in memory: each start begins with the same data.
public struct DemoServer: Sendable {
    /// The port that it listens on.
    public let port: UInt16
    private let server: HTTPServer

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Registered methods that FlyingFox does not accept by default.
    private static let rareMethods: Set<HTTPMethod> = [
        "COPY", "LINK", "LOCK", "MKCOL", "MOVE", "PROPFIND", "PROPPATCH", "PURGE", "QUERY", "REPORT", "SEARCH",
        "UNLINK", "UNLOCK",
    ]

    /// Starts the server. Returns once connections are accepted.
    /// - Parameter port: 0 chooses a free one.
    /// - Throws: `DemoServerError` when it cannot listen on the port.
    public static func start(port: UInt16 = 0) async throws -> DemoServer {
        let server: HTTPServer
        do {
            let configuration = HTTPServer.Configuration(
                address: try .inet(ip4: "127.0.0.1", port: port), timeout: 120,
                pool: NoDelayPool(base: HTTPServer.defaultPool()), logger: .disabled)
            server = HTTPServer(config: configuration)
            let everything = HTTPRoute(methods: HTTPMethod.allMethods.union(rareMethods), path: "*")
            await server.appendRoute(everything, to: Router(routes: Router.demoRoutes()))
            try await run(server)
        } catch SocketError.failed(_, EADDRINUSE, _) {
            throw DemoServerError.portInUse(port)
        } catch {
            throw DemoServerError.cannotListen(port: port, reason: error.localizedDescription)
        }
        guard case .ip4(_, let taken) = await server.listeningAddress else {
            throw DemoServerError.cannotListen(port: port, reason: "the system does not tell its address")
        }
        return DemoServer(port: taken, server: server)
    }

    /// Closes the port and every connection. Further calls have no effect.
    public func stop() async {
        await server.stop()
    }

    /// Runs the server in a task of its own, and waits until it listens or fails.
    private static func run(_ server: HTTPServer) async throws {
        let (listening, report) = AsyncThrowingStream.makeStream(of: Void.self)
        // Connections inherit the priority. Threads of another one answer even while a test keeps all of its own busy.
        Task.detached(priority: .high) {
            do {
                try await server.run()
            } catch {
                report.finish(throwing: error)
            }
        }
        let waiting = Task {
            do {
                try await server.waitUntilListening(timeout: 30)
                report.yield()
            } catch {
                report.finish(throwing: error)
            }
        }
        defer { waiting.cancel() }
        for try await _ in listening { return }
    }
}

extension Router {
    /// Returns every route of the demo API, over fresh data.
    static func demoRoutes() -> [Route] {
        let groups: [[Route]] = [
            shopRoutes(Shop()), reliabilityRoutes(Counters()), authenticationRoutes, signatureRoutes,
            oauthRoutes(TokenIssuer()), redirectRoutes, pageRoutes, streamRoutes, webSocketRoutes,
            sizeRoutes, contentRoutes, oddBodyRoutes, echoRoutes,
        ]
        let routes = groups.flatMap { $0 }
        let index = JSON.object([("name", "Ombi demo API"), ("routes", .array(routes.map { $0.json }))])
        return [Route("GET", "/", "this list") { _ in .json(index) }] + routes
    }
}

/// A socket pool that sends small writes at once (TCP_NODELAY). FlyingFox writes the head and the body of a response
/// one after the other; without this the body may wait 40 ms for the client's delayed acknowledgement of the head.
/// Accepted connections inherit the option from the listening socket.
struct NoDelayPool<Base: AsyncSocketPool>: AsyncSocketPool {
    let base: Base

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        var on: Int32 = 1
        setsockopt(
            socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}

/// A failure to start the demo API.
public enum DemoServerError: Error, Equatable, CustomStringConvertible {
    case portInUse(UInt16)
    case cannotListen(port: UInt16, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let port):
            "The demo API cannot listen on port \(port): another program uses it. Choose another one, or 0 for a free one."
        case .cannotListen(let port, let reason):
            "The demo API cannot listen on 127.0.0.1:\(port): \(reason)"
        }
    }
}
