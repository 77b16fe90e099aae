import OmbiTerminal
import OmbiWorkspace

/// Runs of a request, and of a folder with all its requests.
extension AppState {
    mutating func perform(_ action: RunAction) -> [Outcome] {
        if let node = folder, action == .send { return perform(BatchAction.ask(node)) }
        if folder != nil, action == .preview { return Runs.noRequest }
        switch action {
        case .send, .sendProtected, .preview, .watch, .nextPage, .allPages:
            if let gone = workbench.context?.withoutEnvironment { return gone }
        default: break
        }
        if let outcomes = performOnWatch(action) { return outcomes }
        return showingResponse(runs.perform(action, on: workbench, at: now))
    }

    /// Goes on with what was checked before it is sent to a protected environment.
    mutating func checked(_ run: CheckedRun, isReady: Bool) -> [Outcome] {
        switch run {
        case .request(let item): showingResponse(runs.checked(item, isReady: isReady, workbench, at: now))
        case .batch(let plan): runs.confirm(plan, workbench, at: now)
        case .failedOfBatch: runs.confirmFailed(workbench)
        }
    }

    /// Says why nothing is sent, and in the place of a request's response, too.
    mutating func refused(_ run: CheckedRun, _ message: String) -> [Outcome] {
        let notice = [Outcome].notify(.failure, "Not sent. \(message)")
        guard case .request(let item) = run, let order = workbench.order(runs.lastID + 1, of: item) else {
            return notice
        }
        return runs.refuse(order, message, at: now).map(Outcome.effect) + notice
    }

    /// Sending shows the response: where the collections hide it, and in a tab of the run.
    mutating func showingResponse(_ outcomes: [Outcome]) -> [Outcome] {
        let begins = outcomes.contains { if case .effect(.send) = $0 { true } else { false } }
        if begins { responsePane.showBegun() }
        return outcomes + (begins && layout.response == nil ? [.focus(.response)] : [])
    }

    /// The folder or the collection under the cursor of the tree, where that or its settings have the focus.
    var folder: TreeNode? {
        guard focus == .tree || focus == .request && workbench.showsNode, let row = tree.current, row.method == nil
        else {
            return nil
        }
        return row.node
    }

    mutating func perform(_ action: BatchAction) -> [Outcome] {
        switch action {
        case .show where runs.batch == nil: return .notify(.info, "No folder was run so far; s on a folder runs it")
        case .show: batchPane.open()
        case .close: batchPane.close()
        case .chooseReplay:
            guard let node = folder ?? workbench.selected.map(TreeNode.request) else { return Runs.noRequest }
            return runs.perform(.chooseReplayOf(node), on: workbench, at: now)
        case .goTo: return batchPane.goTo(runs.batch, workbench)
        case .ignore(let item, let paths): return ignore(paths, of: item)
        default: return runs.perform(action, on: workbench, at: now)
        }
        return []
    }
}
