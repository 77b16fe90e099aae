import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The responses of the attempts of a run.
extension AppState {
    /// Shows the response of the attempt under the cursor of the timeline.
    mutating func openAttempt() -> [Outcome] {
        guard let run, !run.isRunning, let number = responsePane.attempt(responseView)?.number,
            let index = run.finished.lastIndex(where: { $0.number == number })
        else { return [] }
        responsePane.show(.body)
        let isOther = run.finished.isFollowed(index) || run.showsFallback
        let opened = isOther ? number : nil
        guard opened != run.openedNumber else { return [] }
        return runs.open(attempt: opened, of: run.item).map(Outcome.effect)
    }

    /// Shows the final response again; nil while it shows.
    mutating func closeAttempt() -> [Outcome]? {
        guard focus == .response, let run, run.openedNumber != nil else { return nil }
        return runs.open(attempt: nil, of: run.item).map(Outcome.effect)
    }
}
