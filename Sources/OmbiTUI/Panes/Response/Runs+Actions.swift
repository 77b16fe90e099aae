/// The user's actions on runs.
extension Runs {
    mutating func perform(_ action: RunAction, on workbench: Workbench, at time: Duration) -> [Outcome] {
        switch action {
        case .send: return send(workbench, at: time)
        case .sendProtected: return start(workbench, at: time)
        case .preview: return preview(workbench)
        // These need the screen, too.
        case .askToWatch, .watch: return []
        case .cancel:
            let outcomes = forRun(of: workbench) { .cancel($0) }
            guard let run = self[workbench.selected], run.isConversation else { return outcomes }
            let notice = "Closing the WebSocket; x again does not wait for the server"
            return outcomes + .notify(.info, notice, during: .run(run.id))
        case .retryNow: return forRun(of: workbench) { .retryNow($0) }
        case .addAttempt: return forRun(of: workbench) { .addAttempts($0, 1) }
        case .askForMessage:
            let prompt = PromptOverlay(.message, text: unsentMessage)
            return forOpenWebSocket(of: workbench) { _ in [.open(.prompt(prompt))] }
        case .chooseMessage: return forOpenWebSocket(of: workbench) { _ in Self.choose(workbench) }
        case .sendMessage(.text(let text)):
            unsentMessage = self[workbench.selected]?.isConversation ?? false ? "" : text
            guard unsentMessage.isEmpty else {
                return .notify(.warning, "Not sent: the WebSocket is closed; s opens it again, then i has the message")
            }
            // The prompt stays for the next message.
            return forOpenWebSocket(of: workbench) {
                [.effect(.message($0, .text(text))), .open(.prompt(PromptOverlay(.message)))]
            }
        case .nextPage: return follow(.count(1), workbench, at: time)
        case .allPages: return follow(.all, workbench, at: time)
        case .toggleFallback: return toggleFallback(of: workbench.selected, named: workbench.request?.fallback != nil)
        case .sendMessage(let message):
            return forOpenWebSocket(of: workbench) { [.effect(.message($0, message))] }
        }
    }

    /// Sends the request; with an unsafe method to a protected environment once its name has been typed.
    private mutating func send(_ workbench: Workbench, at time: Duration) -> [Outcome] {
        guard let order = order(workbench) else { return Self.noRequest }
        let request = order.request
        if let run = self[request.id], run.isRunning {
            return .notify(.warning, "\(request.name) is still running; x cancels it", during: .run(run.id))
        }
        if workbench.environment?.protected ?? false, order.firstUnsafe != nil {
            return [.effect(.check([order], for: .request(request.id)))]
        }
        return start(workbench, at: time)
    }

    private mutating func follow(_ limit: PageLimit, _ workbench: Workbench, at time: Duration) -> [Outcome] {
        guard var order = order(workbench) else { return Self.noRequest }
        guard order.request.pages != nil else {
            return .notify(.info, "This request follows no pages yet; Enter says where the next one comes from")
                + [.perform(.request(.goTo(field: "pages.next page")))]
        }
        guard let run = self[order.request.id], !run.isRunning, run.recorded == nil, run.pages?.hasMore ?? false else {
            return .notify(.info, "There is no next page to go on with; s sends the request")
        }
        if workbench.environment?.protected ?? false, order.firstUnsafe != nil {
            return .notify(
                .warning,
                "\(order.request.method.rawValue) to a protected environment: s asks, and begins at the first page")
        }
        (order.continuesPages, order.pages) = (true, limit)
        return begin(order, at: time).map(Outcome.effect)
    }

    private func preview(_ workbench: Workbench) -> [Outcome] {
        order(workbench).map { [.effect(.preview($0))] } ?? Self.noRequest
    }

    static let noRequest = [Outcome].notify(.info, "Select a request first; Enter opens a folder")

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

    /// Puts a run of which nothing was sent in the place of the last one of its request.
    mutating func refuse(_ order: RunOrder, _ message: String, at time: Duration) -> [Effect] {
        guard !(self[order.request.id]?.isRunning ?? false) else { return [] }
        var run = RunState(id: order.id, item: order.request.id, name: order.request.name, startedAt: time)
        run.environment = order.environment
        run.end(SessionResult(.failure(message)), now: time)
        return replace(with: run)
    }

    /// Applies outcomes to the WebSocket of the selected request.
    private func forOpenWebSocket(of workbench: Workbench, _ outcomes: (RunID) -> [Outcome]) -> [Outcome] {
        guard let run = self[workbench.selected], run.isConversation else {
            return .notify(.info, "No WebSocket is open; s opens that of the request")
        }
        return outcomes(run.id)
    }

    private static func choose(_ workbench: Workbench) -> [Outcome] {
        let messages = workbench.request?.webSocket?.messages ?? []
        guard !messages.isEmpty else {
            return .notify(.info, "The request has no saved messages; its tab Messages adds some")
        }
        let items = messages.enumerated().map { index, message in
            PickerOverlay.Item(
                name: message.name, note: message.text.excerpt(60), action: .run(.sendMessage(.saved(index))))
        }
        return [.open(.picker(PickerOverlay(title: "Send a message", items: items)))]
    }

    /// Applies an effect to the run of the selected request or, when that is not running, to the latest running one.
    private func forRun(of workbench: Workbench, _ effect: (RunID) -> Effect) -> [Outcome] {
        if let run = self[workbench.selected], run.isRunning { return [.effect(effect(run.id))] }
        if let run = active.last { return [.effect(effect(run.id))] }
        return .notify(.info, "Nothing is running; s sends the request")
    }
}

/// The fallback in the place of the response.
extension Runs {
    /// - Parameter isNamed: true for a request that names a fallback.
    mutating func toggleFallback(of item: ItemID?, named isNamed: Bool) -> [Outcome] {
        guard let run = self[item], !run.isRunning else {
            return .notify(.info, "No run with a fallback has ended here")
        }
        switch run.fallback {
        case nil where isNamed && run.response != nil:
            return .notify(.info, "The fallback was not needed: this is what the server sent")
        case nil where isNamed: return .notify(.info, "The run ended without its fallback")
        case nil: return .notify(.info, "The run has no fallback; fallbackResponse of a request names one")
        case .missing(let reason): return .notify(.info, "No fallback: \(reason)")
        case .response(let fallback):
            guard fallback.response.body != nil || run.showsFallback else {
                return .notify(.info, "The run fell back on the \(fallback.words), which is not kept with it")
            }
            return toggleFallbackBody(run.id).map(Outcome.effect)
        }
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
        case .ended(.failure(let message)):
            return Notice(.failure, "\(name): \(isUnsent ? "not sent: " : "")\(cause ?? message)")
        case .ended(.cancelled): return Notice(.info, "\(name): cancelled")
        case .preparing, .attempting, .waiting: return Notice(.info, "\(name): running")
        }
    }
}
