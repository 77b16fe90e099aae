import OmbiCore
import OmbiViewer
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response of an attempt in the place of the final one.
extension Runs {
    /// Shows the response of an attempt, or of a redirect of it; with nil that of the run again.
    mutating func open(attempt number: Int?, redirect: Int? = nil, of item: ItemID) -> [Effect] {
        guard let id = self[item]?.id else { return [] }
        if let run = self[id: id], run.isExampleOnly, number == nil { return remove(run) }
        change(id) { $0.open(attempt: number, redirect: redirect) }
        let effects = dropViewer(of: id)
        guard let run = self[id: id] else { return effects }
        guard let opened = run.opened else { return effects + showFinal(run) }
        guard let body = opened.received?.body else { return effects }
        let shown = showBody(of: id, .data(body))
        if opened.isPartial, !opened.isUnfollowedRedirect {
            let words =
                run.openedHop == nil
                ? "attempt \(opened.number) broke off; only this part arrived"
                : "only this part of the redirect is kept"
            change(id) { $0.viewer?.interruption = words }
        }
        return effects + shown
    }

    private mutating func showFinal(_ run: RunState) -> [Effect] {
        guard case .ended(let ending) = run.stage else { return [] }
        guard !run.showsFallback else {
            return showBody(of: run.id, .data(run.shownResponse?.body ?? Data()))
        }
        let effects = endBody(of: run.id, ending)
        if let interruption = run.finalInterruption { change(run.id) { $0.viewer?.interruption = interruption } }
        return effects
    }
}

extension RunState {
    /// `attempt 2`, `redirect 1 of attempt 2`, `example found`; nil while the final response shows.
    var openedName: String? {
        if let example { return "example \(example.name)" }
        return openedNumber.map { number in (openedHop.map { "redirect \($0.place) of " } ?? "") + "attempt \(number)" }
    }

    /// The name of the final response, where two are compared.
    var finalName: String { sent.map { "\($0.method.rawValue) \($0.url)" } ?? name }
}
