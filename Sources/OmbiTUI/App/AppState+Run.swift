import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// Sending requests, and controlling their runs.
extension AppState {
    /// Sends the request, after a question where the environment is protected and the method is unsafe.
    mutating func send() -> [Effect] {
        let isOnRequest = focus != .tree || tree.current?.method != nil
        guard isOnRequest, let request, let file else {
            return tell(.info, "choose a request first; Enter opens a folder")
        }
        if runs[request.id]?.isRunning ?? false {
            return tell(.warning, "\(request.name) is still running; x cancels it")
        }
        if file.chosenEnvironment?.protected ?? false, !request.method.isSafe, let order = order(0) {
            return [.check(order)]
        }
        return startRun()
    }

    /// Asks before something may change; what cannot be sent tells why instead.
    mutating func checked(_ item: ItemID, isReady: Bool) -> [Effect] {
        guard let request, request.id == item, let environment = file?.chosenEnvironment else { return [] }
        guard isReady else { return startRun() }
        let lines = [
            "\(request.method.rawValue) \(request.path)", "goes to the protected environment \(environment.name).",
        ]
        overlays.append(
            .question(QuestionOverlay(subject: .sendProtected, lines: lines, yes: "send it", no: "don't")))
        return []
    }

    private func order(_ id: RunID) -> RunOrder? {
        guard let request, let file, let collection = file.collection else { return nil }
        return RunOrder(
            id: id, request: request, collection: collection, environment: file.environment, file: file.path)
    }

    mutating func startRun() -> [Effect] {
        guard let request, let order = order(lastRun + 1) else { return [] }
        let forgotten = forgetRun(of: request.id)
        let before = runs[request.id]?.body
        lastRun += 1
        runs[request.id] = RunState(id: lastRun, item: request.id, name: request.name, startedAt: now)
        runs[request.id]?.before = before
        items[lastRun] = request.id
        responsePane.reset()
        return [.send(order)] + ticks() + forgotten
    }

    /// Applies an effect to the run of the selected request or, when that is not running, to the latest running one.
    mutating func forRun(_ effect: (RunID) -> Effect) -> [Effect] {
        if let run, run.isRunning { return [effect(run.id)] }
        if let run = activeRuns.last { return [effect(run.id)] }
        return tell(.info, "nothing is running; s sends the request")
    }

    mutating func chooseEnvironment() -> [Effect] {
        guard let file, let collection = file.collection else { return [] }
        guard !collection.environments.isEmpty else {
            return tell(.info, "\(file.name) has no environments; e in the collections opens the file to add one")
        }
        let items = collection.environments.map {
            PickerOverlay.Item(name: $0.name, note: $0.host + ($0.protected ? " · protected" : ""))
        }
        overlays.append(
            .picker(
                PickerOverlay(
                    .environment(path: file.path), title: "Environment of \(file.name)", items: items,
                    current: file.environment)))
        return []
    }

    mutating func tell(_ kind: Notice.Kind, _ text: String) -> [Effect] {
        notice = Notice(kind, text)
        return []
    }
}

extension RequestMethod {
    /// The method is safe as in RFC 9110 §9.2.1: it only reads.
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}
