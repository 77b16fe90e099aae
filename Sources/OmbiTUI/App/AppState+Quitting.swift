import OmbiTerminal
import OmbiWorkspace

/// The end of the program: what it would cancel or lose is asked about before.
extension AppState {
    /// Cancels what the request or the folder runs, or quits where that runs nothing that was not cancelled before.
    mutating func interrupt() -> [Outcome] {
        if batchPane.isOpen { return interruptTable() }
        if let watch = runs.watch, watch.item == workbench.selected { return cancelWatch() }
        let node = folder ?? workbench.selected.map(TreeNode.request)
        guard let cancelled = runs.interrupt(node, at: now) else { return quit() }
        return cancelled.effects.map(Outcome.effect)
            + .notify(.info, "\(cancelled.name) is cancelled; Ctrl+C again quits")
    }

    /// Cancels the requests of the table, or does what Esc does where none is left to cancel.
    private mutating func interruptTable() -> [Outcome] {
        guard let batch = runs.batch, !batch.isEnded, let cancelled = runs.interrupt(batch.node, at: now) else {
            return [.perform(.leave)]
        }
        return cancelled.effects.map(Outcome.effect)
            + .notify(.info, "\(cancelled.name) is cancelled; Ctrl+C again closes the table")
    }

    /// Quits, after a question about what runs and then one about unsaved edits.
    mutating func quit() -> [Outcome] {
        let names = runs.underWay
        guard !names.isEmpty else { return workbench.quit() }
        return [.open(.question(Self.question(about: names)))]
    }

    /// Renews the question about what runs with its news, and closes it once nothing runs. It quits by no news: a key does.
    mutating func renewQuitting() -> [Outcome] {
        let index = overlays.firstIndex {
            if case .question(let question) = $0 { question.isAboutQuitting } else { false }
        }
        guard let index else { return [] }
        let names = runs.underWay
        guard names.isEmpty else {
            overlays[index] = .question(Self.question(about: names))
            return []
        }
        overlays.remove(at: index)
        return .notify(.info, "Nothing runs any more; q quits")
    }

    private static func question(about names: [String]) -> QuestionOverlay {
        var question = QuestionOverlay(
            title: "Quit",
            lines: [
                "Still running: \(names.joined(separator: ", "))",
                "Quitting cancels \(names.count == 1 ? "it" : "them").",
            ],
            yes: .init("quit", .app(.quitCancelling)), no: .init("stay", nil))
        question.isAboutQuitting = true
        return question
    }

    // MARK: Unsaved edits

    var isEdited: Bool {
        requestPane.editing != nil || environmentPane?.editing != nil || workbench.hasUnsaved
    }

    /// The edits that are not saved, with the text that is being typed.
    var unsaved: [UnsavedFile] {
        var copy = self
        copy.finish()
        return copy.workbench.unsaved
    }

    /// Submits the text that is being typed.
    private mutating func finish() {
        requestPane.finish(&workbench)
        environmentPane?.finish(&workbench)
    }

    /// Submits the text that is being typed, about which quitting then asks. A text that is refused stays, and nothing quits.
    mutating func finishBeforeQuitting() {
        guard workbench.saves.quitsAfterwards else { return }
        finish()
        if requestPane.editing != nil || environmentPane?.editing != nil { workbench.saves.quitsAfterwards = false }
    }

    /// Keeps drafts of everything unsaved, and quits.
    mutating func keepDrafts() -> [Outcome] {
        finish()
        return workbench.unsaved.map { .effect(.keepDraft(path: $0.path, $0.collection, $0.fingerprint)) }
            + [.effect(.quit)]
    }
}
