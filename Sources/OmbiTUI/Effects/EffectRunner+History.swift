import OmbiCore
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Questions to the history, which are answered off the main thread.
extension EffectRunner {
    func ask(_ query: HistoryQuery) {
        guard let history else { return answerWithoutHistory(query) }
        // SQLite is not loaded before the first frame.
        guard isShown else { return waitingQueries.append(query) }
        // Tasks have no order, and the next question may be about the new path.
        if case .move(let old, let new) = query { return history.rename(old, to: new) }
        let emit = emitter
        let isSearch = if case .search = query { true } else { false }
        if isSearch { searching?.cancel() }
        // Dispatch watches the threads of the global executor once a second, until Ombi ends.
        let task = Task.detached(executorPreference: ResponseExecutor.shared) {
            if let answer = await history.answer(query) { emit(.history(answer)) }
        }
        if isSearch { searching = task }
    }

    private func answerWithoutHistory(_ query: HistoryQuery) {
        switch query {
        case .judge(let question): onEvent(.history(.judged(question, .none("no history is kept"))))
        case .markMoment: onEvent(.notice(Notice(.info, "No history is kept")))
        case .search(let search):
            onEvent(.history(.notFound("No history is kept; \"record\" in the settings keeps one.", search)))
        default: break
        }
    }

    func writeIncident(_ text: String) {
        guard let history else { return onEvent(.notice(Notice(.info, "No history is kept"))) }
        do throws(IncidentRange.Failure) {
            let order = try IncidentOrder(text, now: Date())
            let emit = emitter
            Task.detached { emit(.notice(await order.write(from: history, to: "."))) }
        } catch { onEvent(.notice(Notice(.warning, "\(text): \(error.reason)"))) }
    }
}
