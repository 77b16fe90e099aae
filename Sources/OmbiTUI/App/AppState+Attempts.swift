import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The responses of the attempts of a run.
extension AppState {
    /// Shows the response of the attempt, or of the redirect, under the cursor of the timeline.
    mutating func openAttempt() -> [Outcome] {
        if let place = responsePane.redirect(responseView), let run, let redirect = run.sent?.redirects[safe: place] {
            guard !run.isRunning, run.finished.contains(where: { $0.number == redirect.attempt }) else { return [] }
            responsePane.show(.body)
            guard place != run.openedRedirect else { return [] }
            return runs.open(attempt: redirect.attempt, redirect: place, of: run.item).map(Outcome.effect)
        }
        guard let run, !run.isRunning, let number = responsePane.attempt(responseView)?.number,
            let index = run.finished.lastIndex(where: { $0.number == number })
        else { return [] }
        responsePane.show(.body)
        let isOther = run.finished.isFollowed(index) || run.showsFallback
        let opened = isOther ? number : nil
        guard opened != run.openedNumber || run.openedRedirect != nil || run.example != nil else { return [] }
        return runs.open(attempt: opened, of: run.item).map(Outcome.effect)
    }

    /// Goes to the part of the final response that the expectation under the cursor is about.
    mutating func showExpected() -> [Outcome] {
        let closing = closeAttempt() ?? []
        return closing + responsePane.showExpected(responseView, in: &runs)
    }

    /// Goes one step back: from an attempt, from an example, from full screen, from a watch.
    mutating func leave() -> [Outcome] {
        let (number, redirect) = (run?.openedNumber, run?.openedRedirect)
        if let outcomes = closeAttempt() {
            if let number { responsePane.returnToTimeline(from: number, redirect, responseView) }
            return outcomes
        }
        return isZoomed ? perform(.zoom) : stopWatching()
    }

    /// Shows the final response again; nil while it shows.
    private mutating func closeAttempt() -> [Outcome]? {
        guard focus == .response, let run, run.hasOpened else { return nil }
        return runs.open(attempt: nil, of: run.item).map(Outcome.effect)
    }
}
