import OmbiCore
import OmbiWorkspace

/// Sending requests, and controlling their runs.
extension AppState {
    /// Sends the request, after a question where the environment is protected and the method is unsafe.
    mutating func send() -> [Effect] {
        guard let request, let file else { return tell(.info, "choose a request first; Enter opens a folder") }
        if runs[request.id]?.isRunning ?? false {
            return tell(.warning, "\(request.name) is still running; x cancels it")
        }
        if let environment = file.chosenEnvironment, environment.protected, !request.method.isSafe {
            let lines = [
                "\(request.method.rawValue) \(request.path)", "goes to the protected environment \(environment.name).",
            ]
            overlays.append(
                .question(QuestionOverlay(subject: .sendProtected, lines: lines, yes: "send it", no: "don't")))
            return []
        }
        return startRun()
    }

    mutating func startRun() -> [Effect] {
        guard let request, let file, let collection = file.collection else { return [] }
        let forgotten = forgetRun(of: request.id)
        let before = runs[request.id]?.body
        lastRun += 1
        runs[request.id] = RunState(id: lastRun, item: request.id, name: request.name, startedAt: now)
        runs[request.id]?.before = before
        items[lastRun] = request.id
        responsePane.reset()
        let order = RunOrder(
            id: lastRun, request: request, collection: collection, environment: file.environment,
            directory: file.directory)
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
