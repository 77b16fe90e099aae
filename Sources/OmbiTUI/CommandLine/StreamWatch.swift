import Dispatch
import OmbiCore
import OmbiDocument
import OmbiViewer
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The point at which a headless run ends a stream.
struct StreamEnd: Sendable {
    var events: Int?
    var duration: Duration?
    var condition: EventCondition?
}

/// The streams of a headless run: passes each event on as it arrives, and ends each stream where it should end.
final class StreamWatch: Sendable {
    private struct Progress {
        var reader: StreamReader?
        var store: ResponseStore?
        var isTimed = false
        var isOver = false
        var isMet = false
    }

    private struct State {
        var running: [Int: Progress] = [:]
        /// The turns whose events never met the condition.
        var unmet: Set<Int> = []
    }

    private let end: StreamEnd
    private let onEvent: @Sendable (StreamedEvent, RunTurn) -> Bool
    private let state = Lock(State())

    /// - Parameter onEvent: gets each event; returns false to end the streams.
    init(_ end: StreamEnd, onEvent: @escaping @Sendable (StreamedEvent, RunTurn) -> Bool) {
        self.end = end
        self.onEvent = onEvent
    }

    /// The number of requests whose events did not meet the condition.
    var unmetCount: Int { state.withLock { $0.unmet.count } }

    /// A sentence for a turn whose events did not meet the condition; nil for others.
    func unmet(_ turn: RunTurn) -> String? {
        guard let condition = end.condition, state.withLock({ $0.unmet.contains(turn.number) }) else { return nil }
        return "no event met \(condition.text)"
    }

    /// Takes in the events of runs, in order.
    func receive(_ turn: RunTurn, _ event: SessionEvent, _ run: SessionRun) {
        switch event {
        case .step(.attemptStarted):
            change(turn) { ($0.reader, $0.store) = (nil, nil) }
            startTimer(turn, run)
        case .step(.headReceived(_, let head, _)): change(turn) { $0.reader = StreamReader(head) }
        case .step(.bodyStarted(_, let store, _)):
            change(turn) { $0.store = store }
            read(turn, run, isComplete: false)
        case .step(.bodyReceived): read(turn, run, isComplete: false)
        case .ended(let result): ended(turn, result, run)
        case .prepared, .step, .signIn, .dependency, .captured, .page: break
        }
    }

    private func startTimer(_ turn: RunTurn, _ run: SessionRun) {
        guard let duration = end.duration else { return }
        let isFirst = change(turn) { progress in
            defer { progress.isTimed = true }
            return !progress.isTimed
        }
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(duration.milliseconds * 1e6))) { [self] in
            change(turn) { $0.isOver = true }
            run.finish()
        }
    }

    private func read(_ turn: RunTurn, _ run: SessionRun, isComplete: Bool) {
        guard let store = state.withLock({ $0.running[turn.number]?.store }) else { return }
        read(Bytes(store), store.arrivals, turn, run, isComplete: isComplete)
    }

    private func read(_ bytes: Bytes, _ arrivals: BodyArrivals?, _ turn: RunTurn, _ run: SessionRun, isComplete: Bool) {
        let events = change(turn) { progress in
            progress.isOver ? [] : progress.reader?.read(bytes, arrivals, isComplete: isComplete) ?? []
        }
        for event in events {
            let goesOn = onEvent(event, turn)
            let isMet = event.received != nil && end.condition?.isMet(by: event.data) ?? false
            guard !goesOn || isMet || event.received != nil && event.received == end.events else { continue }
            change(turn) { ($0.isOver, $0.isMet) = (true, isMet) }
            run.finish()
            return
        }
    }

    private func ended(_ turn: RunTurn, _ result: SessionResult, _ run: SessionRun) {
        if let store = state.withLock({ $0.running[turn.number]?.store }) {
            read(Bytes(store), store.arrivals, turn, run, isComplete: true)
        } else if let body = result.response?.body {
            read(Bytes(body), nil, turn, run, isComplete: true)
        }
        state.withLock { state in
            let progress = state.running.removeValue(forKey: turn.number)
            if end.condition != nil, progress?.reader != nil, progress?.isMet == false, result.passed {
                state.unmet.insert(turn.number)
            }
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ turn: RunTurn, _ change: (inout Progress) -> Value) -> Value {
        state.withLock { change(&$0.running[turn.number, default: Progress()]) }
    }
}
