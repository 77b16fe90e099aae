import Dispatch
import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the server answers.
struct User: Decodable, Sendable {
    var id: Int
    var name: String
    var email: String
    var tags: [String]
    var active: Bool
    var score: Double
}

struct GetUser: HTTPRequest {
    typealias ResponseBody = User
    var path: String { "" }
    var method: RequestMethod { .get }
}

/// The same without decoding: what the engine costs by itself.
struct GetBytes: HTTPRequest {
    typealias ResponseBody = Data
    var path: String { "" }
    var method: RequestMethod { .get }
}

/// The ways to send a request that are measured.
struct Doors: Sendable {
    let manager: RequestManager
    let transport: CurlTransport
    private let wire: TransportRequest

    init(host: String) throws {
        transport = CurlTransport()
        manager = RequestManager(host: host, transport: transport)
        // As many as the reference has.
        manager.connection.maximumConnectionsPerHost = 32
        wire = try manager.buildRequest(for: GetUser())
    }

    var all: [(String, Load.Start)] {
        [
            ("transport", onTransport), ("callback, immediate, bytes", immediately(GetBytes())),
            ("callback, immediate", immediately(GetUser())), ("callback", byCallback), ("async, bytes", bytesAsync),
            ("async", async),
        ]
    }

    private var onTransport: Load.Start {
        { [transport, wire] done in
            _ = transport.start(wire) { event in
                switch event {
                case .finished: done(true)
                case .failed: done(false)
                default: break
                }
            }
        }
    }

    private func immediately<T: Requestable>(_ request: T) -> Load.Start where T.ResponseBody: Sendable {
        { [manager] done in
            manager.send(request, on: ImmediateScheduler.shared) { result in done(result.isSuccess) }
        }
    }

    private var byCallback: Load.Start {
        { [manager] done in manager.send(GetUser()) { result in done(result.isSuccess) } }
    }

    private var bytesAsync: Load.Start {
        { [manager] done in Task { done((try? await manager.response(for: GetBytes())) != nil) } }
    }

    private var async: Load.Start {
        { [manager] done in Task { done((try? await manager.response(for: GetUser())) != nil) } }
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
