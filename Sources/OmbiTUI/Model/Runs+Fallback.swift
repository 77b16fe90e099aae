import OmbiTerminal
import OmbiViewer
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fallback of a run in the place of its response.
extension Runs {
    /// Shows the fallback instead of what the server sent, or that again.
    mutating func exchange(_ id: RunID) -> [Effect] {
        let effects = dropViewer(of: id)
        change(id) { run in
            run.showsFallback.toggle()
            run.exchanges += 1
        }
        guard let run = self[id: id] else { return effects }
        let response = run.showsFallback ? run.fallback?.response?.response : run.response
        guard let response else { return effects }
        return effects + startBody(of: id, .data(response.body ?? Data()))
    }

    mutating func toggleFallback(of item: ItemID?) -> [Outcome] {
        guard let run = self[item], !run.isRunning else {
            return .notify(.info, "no run with a fallback has ended here")
        }
        switch run.fallback {
        case nil: return .notify(.info, "the run has no fallback; fallbackResponse of a request names one")
        case .missing(let reason): return .notify(.info, "no fallback: \(reason)")
        case .response(let fallback):
            guard fallback.response.body != nil || run.showsFallback else {
                return .notify(.info, "the run fell back on the \(fallback.words), which is not kept with it")
            }
            return exchange(run.id).map(Outcome.effect)
        }
    }
}

extension RunState {
    /// The line above the body of a fallback: its age, and why it stands there.
    var caution: String? {
        guard showsFallback, let fallback = fallback?.response else { return nil }
        return "Fallback: \(fallback.words) · the request failed: \(failures.first ?? "no response")"
    }
}
