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

    /// A way, by its name.
    struct Door: Sendable {
        let name: String
        /// Sends as many requests as the load says, as many at a time, and returns the number of failures.
        let run: @Sendable (_ count: Int, _ width: Int) -> Int

        init(_ name: String, _ start: @escaping Load.Start) {
            self.name = name
            run = { Load(count: $0, start).run(width: $1) }
        }

        init(_ name: String, on executor: (any TaskExecutor)? = nil, send: @escaping Load.Send) {
            self.name = name
            run = { Load(count: $0).run(width: $1, on: executor, send) }
        }
    }

    var all: [Door] {
        [
            Door("transport", onTransport),
            Door("callback, immediate, bytes", immediately(GetBytes())),
            Door("callback, immediate", immediately(GetUser())),
            Door("callback", byCallback),
            Door("async, bytes", send: async(GetBytes())),
            Door("async, ResponseExecutor, bytes", on: ResponseExecutor.shared, send: async(GetBytes())),
            Door("async", send: async(GetUser())),
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

    private func async<T: Requestable>(_ request: T) -> Load.Send where T.ResponseBody: Sendable {
        { [manager] in (try? await manager.response(for: request)) != nil }
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
