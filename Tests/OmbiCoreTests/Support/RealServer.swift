import DemoAPI
import OmbiCore
import TestSupport

/// Real servers on 127.0.0.1 for the length of a test.
enum RealServer {
    /// The demo API: its base URL.
    @discardableResult static func demo<Value>(_ use: (String) async throws -> Value) async throws -> Value {
        let server = try await DemoServer.start()
        do {
            let value = try await use(server.baseURL)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    /// A server that answers as told, and keeps what came in.
    @discardableResult static func scripted<Value>(
        _ handler: @escaping LoopbackServer.Handler, _ use: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let server = try LoopbackServer(handler)
        defer { server.stop() }
        return try await use(server)
    }

    /// What arrives at a server when a request is sent to it. The answer is an empty JSON object.
    static func arrival<T: Requestable>(
        of request: T, hostPath: String = "", configure: (RequestManager) -> Void = { _ in }
    ) async throws -> LoopbackRequest where T.ResponseBody: Sendable {
        try await scripted({ _ in .ok("{}", headers: [("Content-Type", "application/json")]) }) { server in
            let manager = RequestManager(host: server.host + hostPath)
            configure(manager)
            _ = try await manager.response(for: request)
            guard let arrived = server.requests.first, server.requests.count == 1 else {
                throw CodingFailure("\(server.requests.count) requests arrived, expected 1")
            }
            return arrived
        }
    }
}
