import Foundation
import OmbiCore

/// Connections: kept, closed, many at once.
enum ConnectionCases {
    static let all = [reused, closed, hundred, phases, unsupported]

    private static func inTurn(_ stage: Stage, headers: [(String, String)]) async throws {
        let server = try stage.server { .response(status: 200, headers: headers, body: Data("\($0.number)".utf8)) }
        let transport = stage.transport(for: server)
        for _ in 0..<3 { await stage.attempt(server.request(), at: server, on: transport) }
        stage.note("connections: \(server.connectionCount)")
    }

    private static let three = (1...3).flatMap { ["head 200", "finished 200 \"\($0)\""] }

    private static let reused = TransportCase(
        "a connection is used again", needsNetwork: true, expects: three + ["connections: 1"]
    ) { stage in
        try await inTurn(stage, headers: [])
    }

    private static let closed = TransportCase(
        "a connection that the server closes is not used again", needsNetwork: true,
        expects: three + ["connections: 3"]
    ) { stage in
        // The server of the tests closes after raw bytes.
        let server = try stage.server { request in
            .raw(Data("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n\(request.number)".utf8))
        }
        let transport = stage.transport(for: server)
        for _ in 0..<3 { await stage.attempt(server.request(), at: server, on: transport) }
        stage.note("connections: \(server.connectionCount)")
    }

    private static let hundred = TransportCase("a hundred requests run at once", expects: ["100 of 100"]) { stage in
        let server = try stage.server { .ok($0.target) }
        let transport = stage.transport(for: server)
        let right = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let response = await transport.allEvents(of: server.request(.get, "/\(number)")).finalResponse
                    return response?.body == Data("/\(number)".utf8)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        stage.note("\(right) of 100")
    }

    private static let phases = TransportCase(
        "phases come in order and sum to the whole", needsNetwork: true,
        expects: ["connect send wait receive", "remote address SERVER", "HTTP 1.1", "5 bytes received", "some time"]
    ) { stage in
        let server = try stage.server { _ in .ok("hello") }
        let events = await stage.transport(for: server).allEvents(of: server.request())
        let phases = events.compactMap { if case .phase(let phase) = $0 { phase } else { nil } }
        stage.note(phases.filter { $0 != .resolve }.map(\.rawValue).joined(separator: " "))
        guard let metrics = events.finalMetrics else { return }
        stage.note("remote address \(stage.hidden(server)(metrics.remoteAddress ?? "unknown"))")
        stage.note("HTTP \(metrics.httpVersion ?? "unknown")")
        stage.note("\(metrics.bytesReceived) bytes received")
        stage.note(metrics.timings.total > .zero ? "some time" : "no time")
    }

    private static let unsupported = TransportCase(
        "settings that make no sense are refused before anything is sent", needsNetwork: true, needs: [.settings],
        expects: [
            "failed unsupportedOption: Connection.maximumConnectionsPerHost is 0; give more than 0", "connections: 0",
        ]
    ) { stage in
        let server = try stage.server { _ in .ok("sent") }
        var request = server.request()
        request.connection.maximumConnectionsPerHost = 0
        await stage.attempt(request, at: server)
        stage.note("connections: \(server.connectionCount)")
    }
}
