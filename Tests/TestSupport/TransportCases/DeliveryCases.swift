import Foundation
import OmbiCore

/// Bodies that are handed over in pieces.
enum DeliveryCases {
    static let all = [pieces, large, paused, cancelledWhilePaused]

    private static let pieces = TransportCase(
        "a body comes in pieces", needsNetwork: true, needs: [.pieces],
        expects: ["head 200", "pieces \"hello\"", "finished 200", "no store"]
    ) { stage in
        let server = try stage.server { _ in .ok("hello") }
        let events = await stage.attempt(server.request { $0.responseDelivery = .pieces }, at: server)
        stage.note(events.contains { if case .body = $0 { true } else { false } } ? "a store" : "no store")
    }

    private static let large = TransportCase(
        "a large body comes in pieces, whole and in order", needsNetwork: true, needs: [.pieces],
        expects: ["the same", "received 3000000 of 3000000"]
    ) { stage in
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
        let server = try stage.server { _ in .response(status: 200, headers: [], body: body) }
        let events = await stage.transport(for: server).allEvents(
            of: server.request { $0.responseDelivery = .pieces })
        stage.note(events.pieces == body ? "the same" : "\(events.pieces.count) other bytes")
        stage.note(events.progress)
    }

    /// Pauses with every piece, and goes on from elsewhere.
    private static let paused = TransportCase(
        "a reader that pauses loses nothing", needsNetwork: true, needs: [.pieces],
        expects: ["the same", "finished 200"]
    ) { stage in
        let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
        let server = try stage.server { _ in .response(status: 200, headers: [], body: body) }
        let (events, report) = AsyncStream<TransportEvent>.makeStream()
        let task = LoopbackLock<(any TransportTask)?>(nil)
        let started = stage.transport(for: server).start(server.request { $0.responseDelivery = .pieces }) { event in
            if case .data = event { task.withLock { $0 }?.pause() }
            report.yield(event)
            if event.isEnd { report.finish() }
        }
        task.withLock { $0 = started }
        var all: [TransportEvent] = []
        for await event in events {
            all.append(event)
            if case .data = event { started.resume() }
        }
        stage.note(all.pieces == body ? "the same" : "\(all.pieces.count) other bytes")
        stage.note(all.outline { $0 }.suffix(1))
    }

    private static let cancelledWhilePaused = TransportCase(
        "a paused attempt is cancelled", needsNetwork: true, needs: [.pieces], expects: ["failed cancelled: cancelled"]
    ) { stage in
        let server = try stage.server { _ in .repeated(Data(repeating: 7, count: 100_000), times: 100) }
        let (events, report) = AsyncStream<TransportEvent>.makeStream()
        let task = stage.transport(for: server).start(server.request { $0.responseDelivery = .pieces }) { event in
            report.yield(event)
            if event.isEnd { report.finish() }
        }
        task.pause()
        var all: [TransportEvent] = []
        for await event in events {
            all.append(event)
            if case .head = event { task.cancel() }
        }
        stage.note(all.outline { $0 }.filter { $0.hasPrefix("failed") })
    }
}

extension [TransportEvent] {
    var pieces: Data { reduce(into: Data()) { if case .data(let piece) = $1 { $0 += piece } } }
}
