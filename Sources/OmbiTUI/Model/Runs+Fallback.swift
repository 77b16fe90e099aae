import OmbiViewer
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fallback of a run in the place of its response.
extension Runs {
    /// Shows the fallback instead of what the server sent, or the response of the server again.
    mutating func toggleFallbackBody(_ id: RunID) -> [Effect] {
        let effects = dropViewer(of: id)
        change(id) { run in
            if run.hasOpened { run.open(attempt: nil) }
            run.showsFallback.toggle()
            run.exchanges += 1
        }
        guard let response = self[id: id]?.shownResponse else { return effects }
        return effects + startBody(of: id, .data(response.body ?? Data()))
    }
}

extension RunState {
    /// The line above a body: the age of a fallback, and its reason; for a response what is odd about it.
    var caution: String? {
        if example != nil { return "An example of the collection: no server sent it" }
        if let opened { return opened.remark }
        guard showsFallback, let fallback = fallback?.response else { return finished.last?.remark }
        return "Fallback: \(fallback.words) · the request failed: \(failures.first ?? "no response")"
    }
}
