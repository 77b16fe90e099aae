/// The user's actions on a batch, beyond those on a row of its table.
extension Runs {
    mutating func perform(_ action: BatchAction, on workbench: Workbench, at time: Duration) -> [Outcome] {
        switch action {
        case .ask(let node): return ask(node, workbench)
        case .begin(let plan): return begin(plan, isConfirmed: false, workbench, at: time)
        case .beginConfirmed(let plan): return begin(plan, isConfirmed: true, workbench, at: time)
        case .runFailed: return runFailed(isConfirmed: false, workbench, at: time)
        case .runFailedConfirmed: return runFailed(isConfirmed: true, workbench, at: time)
        case .cancelAll:
            guard let batch, !batch.isEnded else { return .notify(.info, "Nothing is running") }
            return (self.batch?.cancelAll(at: time) ?? []).map { .effect(.cancel($0)) }
        case .beginEverywhere(let id): return beginEverywhere(id, workbench, at: time)
        case .chooseReplayOf(let node): return chooseReplay(of: node, workbench)
        case .show, .close, .chooseReplay, .goTo, .ignoreProposed, .ignore: return []
        }
    }

    /// The answer while the last batch is still running; nil once it has ended.
    private var busy: [Outcome]? {
        guard let batch, !batch.isEnded else { return nil }
        return .notify(
            .warning, "\(batch.title) is still running; T shows it, and Ctrl+X there cancels it",
            during: .batch(batch.id))
    }

    private func everywhere(_ node: TreeNode, _ count: Int) -> [PickerOverlay.Item] {
        guard case .request(let id) = node, count > 1 else { return [] }
        return [
            .init(name: "All environments", note: "at once, side by side", action: .batch(.beginEverywhere(id)))
        ]
    }

    private mutating func beginEverywhere(_ id: ItemID, _ workbench: Workbench, at time: Duration) -> [Outcome] {
        guard let file = workbench.file(of: id), let collection = file.collection,
            let request = collection.request(id)
        else { return [] }
        guard request.isReplayable else {
            return .notify(.info, "\(request.name): only what reads is sent to all environments")
        }
        let names = collection.choosableEnvironments.map(\.name)
        let effects = begin(
            request, in: collection, file: file.path, recordedPath: workbench.recordedPath(of: id), to: names, at: time)
        var preview = PreviewOverlay("\(request.name) in \(Count.of(names.count, "environment"))", [])
        preview.follows = environments?.id
        return effects.map(Outcome.effect) + [.open(.preview(preview))]
    }

    /// Asks for the environment to send to; the responses are compared with those of the chosen environment.
    private func chooseReplay(of node: TreeNode, _ workbench: Workbench) -> [Outcome] {
        if let busy { return busy }
        guard let file = workbench.file(of: node), let collection = file.collection, !file.isScratch else {
            return .notify(.info, "There is no collection here to replay")
        }
        let environments = collection.choosableEnvironments
        guard !environments.isEmpty else { return .notify(.info, "\(file.name) has no environments to compare") }
        let baseline = batch.flatMap { $0.node == node ? $0.replay?.baseline : nil } ?? file.environment
        let items = environments.filter { $0.name != baseline } + environments.filter { $0.name == baseline }
        let picker = PickerOverlay(
            title: "Replay and compare with \(baseline ?? "the last run")",
            items: items.map { environment in
                let isSame = environment.name == baseline
                let target = ReplayTarget(environment: environment.name, baseline: baseline)
                let note = isSame ? "again, since the last run" : Credentials.masked(url: environment.host)
                return PickerOverlay.Item(
                    name: environment.name, note: note,
                    action: .batch(
                        .begin(
                            BatchPlan(
                                node: node, run: RunPlan(concurrency: ReplayTarget.concurrency), replay: target))))
            } + everywhere(node, environments.count))
        return [.open(.picker(picker))]
    }

    /// Asks for the pace of the requests of a folder or a collection, and how often they are sent.
    private func ask(_ node: TreeNode, _ workbench: Workbench) -> [Outcome] {
        if let busy { return busy }
        guard let file = workbench.file(of: node), let batch = Batch(BatchPlan(node: node), in: file, at: .zero) else {
            let problem = workbench.file(of: node)?.readProblem ?? "The file has a problem"
            return .notify(.info, problem + "; Enter opens it")
        }
        if let gone = file.withoutEnvironment { return gone }
        guard !batch.rows.isEmpty else {
            let reason = batch.disabled > 0 ? ": all requests are disabled" : " has no requests; a adds one"
            return .notify(.info, batch.title + reason)
        }
        // A replay has a pace of its own.
        var plan = self.batch.flatMap { $0.node == node && $0.replay == nil ? $0.plan : nil } ?? batch.plan
        plan.data = nil
        return [.open(.folderRun(Self.form(plan, batch)))]
    }

    private static func form(_ plan: BatchPlan, _ batch: Batch) -> FolderRunOverlay {
        let target = batch.environment.map { " to \($0)" } ?? ""
        let requests = Count.of(batch.rows.count, "request") + target
        return FolderRunOverlay(plan, of: batch.rows.count, title: batch.title, requests)
    }

    /// Shows the form again with what was typed in it, as its file of data cannot be read.
    func askAgain(_ plan: BatchPlan, _ reason: String, _ workbench: Workbench) -> [Outcome] {
        guard let file = workbench.file(of: plan.node),
            let batch = Batch(BatchPlan(node: plan.node), in: file, at: .zero)
        else { return .notify(.failure, reason.asSentence) }
        var form = Self.form(plan, batch)
        form.refuseData(reason)
        return [.ask(.folderRun(form))]
    }

    private mutating func begin(
        _ plan: BatchPlan, isConfirmed: Bool, _ workbench: Workbench, at time: Duration
    ) -> [Outcome] {
        guard batch?.isEnded ?? true, let file = workbench.file(of: plan.node) else { return [] }
        if plan.replay == nil, let gone = file.withoutEnvironment { return gone }
        if plan.lacksData { return [.effect(.readData(plan))] }
        let requests = Batch(BatchPlan(node: plan.node), in: file, at: time)?.rows.count ?? 0
        guard requests * plan.rowsOfRequest <= Batch.maximumRows else {
            return .notify(
                .warning,
                "\(Count.of(requests * plan.rowsOfRequest, "request")) are too many for a table of "
                    + "\(Batch.maximumRows); ombi run sends them")
        }
        guard let batch = Batch(plan, in: file, at: time) else { return [] }
        guard !batch.rows.isEmpty else {
            return plan.replay == nil
                ? [] : .notify(.info, "\(batch.title): nothing to replay, as all of it may change something")
        }
        if batch.isProtected, !isConfirmed {
            let orders = batch.orders(of: batch.rows.map(\.item), in: batch.collection)
            if orders.contains(where: { $0.firstUnsafe != nil }) { return [.effect(.check(orders, for: .batch(plan)))] }
        }
        return begin(batch, at: time).map(Outcome.effect) + [.perform(.batch(.show))]
    }

    /// Asks for the name of a protected environment, once for all requests of a plan.
    mutating func confirm(_ plan: BatchPlan, _ workbench: Workbench, at time: Duration) -> [Outcome] {
        guard let file = workbench.file(of: plan.node),
            let batch = Batch(plan, in: file, at: time)
        else { return [] }
        // Another environment may have been chosen meanwhile.
        guard batch.isProtected else { return begin(plan, isConfirmed: false, workbench, at: time) }
        return Self.confirm(
            batch.orders(of: batch.rows.map(\.item), in: batch.collection), of: batch, .batch(.beginConfirmed(plan)))
    }

    /// Asks for the name of a protected environment, before what failed there is sent again.
    func confirmFailed(_ workbench: Workbench) -> [Outcome] {
        guard let batch, let collection = workbench.file(at: batch.file)?.collection else { return [] }
        return Self.confirm(
            batch.orders(of: batch.failed(in: collection).map(\.id), in: collection), of: batch,
            .batch(.runFailedConfirmed))
    }

    private static func confirm(_ orders: [RunOrder], of batch: Batch, _ action: Action) -> [Outcome] {
        let unsafe = orders.count { $0.firstUnsafe != nil }
        let words = "\(batch.title): \(Count.of(unsafe, "request")) may change something"
        let subject = PromptOverlay.Subject.confirm(words, toProtected: batch.environment ?? "", action)
        return [.open(.prompt(PromptOverlay(subject)))]
    }

    private mutating func runFailed(isConfirmed: Bool, _ workbench: Workbench, at time: Duration) -> [Outcome] {
        guard let batch else { return [] }
        guard batch.isEnded else {
            return .notify(.info, "\(batch.title) is still running; Ctrl+X cancels the rest", during: .batch(batch.id))
        }
        guard let collection = workbench.file(at: batch.file)?.collection else {
            return .notify(.warning, "The collection of \(batch.title) is not open")
        }
        if let name = batch.environment, !collection.canChoose(environment: name) {
            return .notify(.warning, "There is no environment \(name) any more; s runs the folder again")
        }
        let failed = batch.failed(in: collection)
        guard !failed.isEmpty else { return .notify(.info, "Nothing failed that could be run again") }
        if collection.environment(named: batch.environment)?.protected ?? false, !isConfirmed {
            let orders = batch.orders(of: failed.map(\.id), in: collection)
            if orders.contains(where: { $0.firstUnsafe != nil }) {
                return [.effect(.check(orders, for: .failedOfBatch))]
            }
        }
        return restartFailed(in: collection, at: time).map(Outcome.effect)
    }
}
