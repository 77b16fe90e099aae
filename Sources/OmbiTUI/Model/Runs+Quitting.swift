import OmbiWorkspace

/// The runs that the end of the program would cancel.
extension Runs {
    /// The names of the runs, the watch and the folder's run that quitting would cancel.
    var underWay: [String] {
        let running = active.filter { !interrupted.contains($0.id) }
        var names: [String] = []
        for run in running where batch?.row(of: run.id) == nil && run.item != watch?.item {
            let name = run.isConversation ? "\(run.name) (WebSocket)" : run.name
            if !names.contains(name) { names.append(name) }
        }
        if let watch { names.append("the watch of \(watch.name)") }
        if let batch, batch.counts.waiting > 0 || batch.running.contains(where: { !interrupted.contains($0) }) {
            names.append("the run of \(batch.title), \(batch.counts.ended) of \(batch.rows.count) done")
        }
        return names
    }

    /// Cancels the run of a request, or all of a folder's.
    /// - Returns: its name and the effects; nil where nothing is left to cancel.
    mutating func interrupt(_ node: TreeNode?, at time: Duration) -> (name: String, effects: [Effect])? {
        guard let node else { return nil }
        interrupted = interrupted.filter { self[id: $0]?.isRunning ?? false || batch?.row(of: $0) != nil }
        if let batch, batch.node == node, !batch.isEnded {
            let runs = (self.batch?.cancelAll(at: time) ?? []).filter { !interrupted.contains($0) }
            guard batch.counts.waiting > 0 || !runs.isEmpty else { return nil }
            interrupted += runs
            return (batch.title, runs.map { Effect.cancel($0) })
        }
        guard let run = self[node.item], run.isRunning, !interrupted.contains(run.id) else { return nil }
        interrupted.append(run.id)
        return (run.name, [.cancel(run.id)])
    }
}
