extension LoadScript {
    /// Writes requests as they are saved: values that no earlier request captures are variables of the process. Reads
    /// no secrets.
    init(saved orders: [RunOrder], for engine: LoadEngine) {
        let sent = orders.filter { !$0.request.isWebSocket }
        let sequence = LoadSequence(sent) { CaptureIndex($0.collection).needed(by: $0) }
        let all = sequence.setUp + sequence.own
        var values = SavedLoadValues(secrets: SecretNames(all.map { ExportedRequest($0) }, of: all))
        var steps = sequence.steps { order in values.step(of: order, for: engine) }
        if engine == .k6, Set(steps.map(\.request.verifiesTLS)).count > 1 {
            for index in steps.indices where !steps[index].request.verifiesTLS {
                steps[index].request.verifiesTLS = true
                steps[index].losses.append("k6 verifies the certificates of all servers or of none: here of all")
            }
        }
        self.init(
            steps, .exported, for: engine,
            omissions: orders.filter(\.request.isWebSocket).map {
                "\($0.request.name) is a WebSocket, which is left out"
            })
    }
}

/// Puts variables of the process in the place of values that no request captures.
private struct SavedLoadValues {
    private var secrets: SecretNames
    private var names = ExportNames([])
    /// The values that earlier requests capture.
    private var captured = CapturedValues()

    init(secrets: SecretNames) { self.secrets = secrets }

    mutating func step(of order: RunOrder, for engine: LoadEngine) -> LoadStep {
        var request = ExportedRequest(order)
        var losses = request.loadLosses(for: engine)
        if engine == .k6 { losses += Self.leaveOut(of: &request) }
        let (origin, hostNames) = (Self.origin(of: order, request.url), request.url.hostNames)
        request.forEachText { text in
            text.replaceValues { value -> ExportText.Piece in
                let known = hostNames.contains(value.name) ? nil : capturedValue(value, order, for: origin)
                return .value(known ?? variable(value, order))
            }
        }
        let policy = order.inheritance.policy(of: order.request)
        let limit = min(policy.effectiveSLA, policy.effectiveTimeout)
        var step = LoadStep(request, of: order, limit: limit, losses: losses)
        captured.take(&step, of: order, origin: origin)
        return step
    }

    /// Removes the parts that are not written for k6, so that the script asks for none of their values.
    /// - Returns: A sentence for losses that no ability covers.
    private static func leaveOut(of request: inout ExportedRequest) -> [String] {
        if case .digest? = request.credentials { request.credentials = nil }
        request.proxy = .environment
        guard case .multipart? = request.body else { return [] }
        request.body = nil
        return ["its body is left out: forms with parts are not written for k6"]
    }

    /// Returns a value of an earlier request; nil for any other.
    /// - Parameter origin: of the request that sends it. A secret goes nowhere but to the server that it comes from.
    private func capturedValue(_ value: ExportValue, _ order: RunOrder, for origin: String) -> ExportValue? {
        guard case .template(let template) = value.source, case .variable(let name) = template.value,
            let known = captured.value(named: name, for: order), !known.isSecret || known.origin == origin
        else { return nil }
        var value = value
        value.name = known.name
        return value
    }

    private mutating func variable(_ value: ExportValue, _ order: RunOrder) -> ExportValue {
        var variable = ExportValue(secret: "", named: names.take(secrets.name(of: value, in: order)))
        variable.encoding = value.encoding
        return variable
    }

    /// Scheme, host and port of a request that may leave the environment's; empty for any other.
    private static func origin(of order: RunOrder, _ url: ExportText) -> String {
        guard order.inheritance.isForeign(order.request) else { return "" }
        let parts = url.templates.lowercased().split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }
}

extension CaptureIndex {
    /// Returns the requests whose values a request needs in a script, each after those that it needs itself.
    fileprivate func needed(by order: RunOrder) -> [SavedRequest] {
        var found: [SavedRequest] = []
        func visit(_ path: [SavedRequest]) {
            guard let request = path.last, path.count <= Self.maximumDepth else { return }
            for value in ExportedRequest(order.order(of: request)).texts.flatMap(\.values) {
                guard case .template(let template) = value.source, case .variable(let name) = template.value,
                    let next = self.request(capturing: name, for: path), LoadStep.takes(name, from: next),
                    !found.contains(where: { $0.id == next.id })
                else { continue }
                visit(path + [next])
                found.append(next)
            }
        }
        visit([order.request])
        return found
    }
}

extension ExportText {
    /// The names of the values in a URL that decide its host.
    fileprivate var hostNames: Set<String> {
        var (start, names): (String, Set<String>) = ("", [])
        for piece in pieces {
            switch piece {
            case .text(let text): start += text
            case .value(let value):
                if Self.hasHost(start) { return names }
                names.insert(value.name)
                start += value.braces
            }
        }
        return names
    }

    /// True for the start of a URL that extends beyond its host.
    private static func hasHost(_ start: String) -> Bool {
        guard let scheme = start.firstRange(of: "://") else { return start.hasPrefix("{{") && start.contains("/") }
        return start[scheme.upperBound...].contains("/")
    }
}
