import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The user's actions on runs.
extension Runs {
    mutating func perform(_ action: RunAction, on workbench: Workbench, at time: Duration) -> [Outcome] {
        switch action {
        case .send: return send(workbench, at: time)
        case .sendProtected: return start(workbench, at: time)
        case .preview: return preview(workbench)
        case .cancel: return forRun(of: workbench) { .cancel($0) }
        case .retryNow: return forRun(of: workbench) { .retryNow($0) }
        case .addAttempt: return forRun(of: workbench) { .addAttempts($0, 1) }
        }
    }

    /// Sends the request; with an unsafe method to a protected environment once its name has been typed.
    private mutating func send(_ workbench: Workbench, at time: Duration) -> [Outcome] {
        guard let order = order(workbench) else { return Self.noRequest }
        let request = order.request
        if self[request.id]?.isRunning ?? false {
            return .notify(.warning, "\(request.name) is still running; x cancels it")
        }
        if workbench.environment?.protected ?? false, order.firstUnsafe != nil { return [.effect(.check(order))] }
        return start(workbench, at: time)
    }

    private func preview(_ workbench: Workbench) -> [Outcome] {
        order(workbench).map { [.effect(.preview($0))] } ?? Self.noRequest
    }

    static let noRequest = [Outcome].notify(.info, "select a request first; Enter opens a folder")

    private func order(_ workbench: Workbench) -> RunOrder? {
        workbench.order(lastID + 1)
    }

    private mutating func start(_ workbench: Workbench, at time: Duration) -> [Outcome] {
        order(workbench).map { begin($0, at: time).map(Outcome.effect) } ?? []
    }

    /// Asks before something may change; a request that cannot be sent is started, and fails with the reason.
    mutating func checked(
        _ item: ItemID, isReady: Bool, _ workbench: Workbench, at time: Duration
    ) -> [Outcome] {
        guard let request = workbench.request, request.id == item, let environment = workbench.environment else {
            return []
        }
        guard isReady else { return start(workbench, at: time) }
        let asked = order(workbench)?.firstUnsafe ?? request
        let line = "\(asked.method.rawValue) \(asked.path)"
        return [.open(.prompt(PromptOverlay(.send(line, toProtected: environment.name))))]
    }

    /// Applies an effect to the run of the selected request or, when that is not running, to the latest running one.
    private func forRun(of workbench: Workbench, _ effect: (RunID) -> Effect) -> [Outcome] {
        if let run = self[workbench.selected], run.isRunning { return [.effect(effect(run.id))] }
        if let run = active.last { return [.effect(effect(run.id))] }
        return .notify(.info, "nothing is running; s sends the request")
    }
}

extension RunState {
    /// The outcome of the run in one line, for when another request is selected.
    var ending: Notice {
        switch stage {
        case .ended(.response(let response)):
            let status = response.statusCode ?? 0
            let kind: Notice.Kind = (200..<400).contains(status) ? .success : .warning
            return Notice(
                kind, "\(name): \(StatusCode.words(status)) · \(TimeText.duration(report?.duration ?? .zero))")
        case .ended(.failure(let message)): return Notice(.failure, "\(name): \(message)")
        case .ended(.cancelled): return Notice(.info, "\(name): cancelled")
        case .preparing, .attempting, .waiting: return Notice(.info, "\(name): running")
        }
    }
}
