import Foundation
import OmbiCore

/// Cancellation at every moment.
enum CancelCases {
    static let all = [atOnce, waiting, receiving, sending, redirecting, afterTheEnd, others]

    private static let end = "failed cancelled: cancelled"

    /// Attempts a request, and cancels it as soon as an event passes the test; nil cancels before the first.
    private static func cancel(
        _ stage: Stage, _ request: TransportRequest, at server: StageServer, on transport: any Transport,
        when isDue: (@Sendable (TransportEvent) -> Bool)?
    ) async -> [TransportEvent] {
        let (events, report) = AsyncStream<TransportEvent>.makeStream()
        let task = transport.start(request) { event in
            report.yield(event)
            if event.isEnd { report.finish() }
        }
        if isDue == nil { task.cancel() }
        var all: [TransportEvent] = []
        for await event in events {
            all.append(event)
            if isDue?(event) == true { task.cancel() }
        }
        task.cancel()
        return all
    }

    private static func isHead(_ event: TransportEvent) -> Bool { if case .head = event { true } else { false } }

    /// Cancels a request, and sends another one.
    private static func play(
        _ stage: Stage, _ server: StageServer, _ request: TransportRequest,
        when isDue: (@Sendable (TransportEvent) -> Bool)?
    ) async {
        let transport = stage.transport(for: server)
        let events = await cancel(stage, request, at: server, on: transport, when: isDue)
        stage.note(events.outline(stage.hidden(server)).filter { !$0.hasPrefix("part") })
        stage.note(await transport.allEvents(of: server.request(.get, "/next")).outline { $0 }.suffix(1))
    }

    private static let atOnce = TransportCase(
        "an attempt is cancelled at once", needsNetwork: true, expects: [end, "finished 200 \"next\""]
    ) { stage in
        let server = try stage.server { $0.target == "/next" ? .ok("next") : .silence }
        await play(stage, server, server.request(), when: nil)
    }

    private static let waiting = TransportCase(
        "an attempt is cancelled while it waits", needsNetwork: true, expects: [end, "finished 200 \"next\""]
    ) { stage in
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = try stage.server { request in
            if request.target == "/next" { return .ok("next") }
            arrived.finish()
            return .silence
        }
        let transport = stage.transport(for: server)
        let (events, report) = AsyncStream<TransportEvent>.makeStream()
        let task = transport.start(server.request()) { event in
            report.yield(event)
            if event.isEnd { report.finish() }
        }
        for await _ in arrivals {}
        task.cancel()
        stage.note(await events.reduce(into: []) { $0.append($1) }.outline(stage.hidden(server)))
        stage.note(await transport.allEvents(of: server.request(.get, "/next")).outline { $0 }.suffix(1))
    }

    private static let receiving = TransportCase(
        "an attempt is cancelled within the body", needsNetwork: true,
        expects: ["head 200", end, "finished 200 \"next\""]
    ) { stage in
        let server = try stage.server { $0.target == "/next" ? .ok("next") : .stalled(length: 2048, sent: 512) }
        await play(stage, server, server.request(), when: isHead)
    }

    private static let sending = TransportCase(
        "an attempt is cancelled within an upload", needsNetwork: true, expects: [end, "finished 200 \"next\""]
    ) { stage in
        let server = try stage.server { $0.target == "/next" ? .ok("next") : .silence }
        let request = server.request(.put) { $0.body = Data(repeating: 7, count: 20_000_000) }
        await play(stage, server, request) { if case .sent = $0 { true } else { false } }
    }

    private static let redirecting = TransportCase(
        "an attempt is cancelled after a redirect", needsNetwork: true, needs: [.redirects],
        expects: ["redirected 302 to GET http://SERVER/end", end, "finished 200 \"next\""]
    ) { stage in
        let server = try stage.server { request in
            switch request.target {
            case "/next": .ok("next")
            case "/": .redirect(302, to: "/end")
            default: .silence
            }
        }
        await play(stage, server, server.request()) { if case .redirected = $0 { true } else { false } }
    }

    private static let afterTheEnd = TransportCase(
        "a cancellation after the end changes nothing", expects: ["head 200", "finished 200 \"done\"", "1 end"]
    ) { stage in
        let server = try stage.server { _ in .ok("done") }
        let transport = stage.transport(for: server)
        let ends = LoopbackLock(0)
        let (events, report) = AsyncStream<TransportEvent>.makeStream()
        let task = transport.start(server.request()) { event in
            if event.isEnd { ends.withLock { $0 += 1 } }
            report.yield(event)
            if event.isEnd { report.finish() }
        }
        stage.note(await events.reduce(into: []) { $0.append($1) }.outline { $0 })
        task.cancel()
        task.cancel()
        _ = await transport.allEvents(of: server.request())
        stage.note("\(ends.withLock { $0 }) end")
    }

    private static let others = TransportCase(
        "a cancellation touches no other attempt", needsNetwork: true,
        expects: ["19 cancelled", "20 finished"]
    ) { stage in
        let server = try stage.server { $0.target == "/slow" ? .silence : .ok("fast") }
        let transport = stage.transport(for: server)
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<19 {
                group.addTask {
                    let request = server.request(.get, "/slow")
                    let events = await cancel(stage, request, at: server, on: transport) {
                        if case .phase = $0 { true } else { false }
                    }
                    return events.outline { $0 } == [end] ? "cancelled" : "\(events)"
                }
            }
            for _ in 0..<20 {
                group.addTask {
                    await transport.allEvents(of: server.request()).finalResponse == nil ? "failed" : "finished"
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        stage.note(outcomes.map { "\($0.value) \($0.key)" }.sorted())
    }
}
