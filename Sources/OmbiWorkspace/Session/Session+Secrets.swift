/// The text of a prompt for a secret.
package struct SecretQuestion: Sendable, Equatable {
    package var name: String
    /// The prompt from the file, or empty.
    package var words: String
    package var request: String
    package var environment: String
    package var file: String
    package var destinations: [String]
    /// The variable of the environment that has the value elsewhere, and is not set here; nil for none.
    package var variable: String?

    /// The question in a line that names who asks and where the answer goes before it quotes the file:
    /// `c.json asks for the secret token, which goes to https://api.example.com (local): Your token`.
    package var prompt: String {
        let goal = destinations.isEmpty ? "" : ", which goes to " + destinations.joined(separator: "; ")
        return "\(file) asks for the secret \(name)\(goal) (\(environment)):" + (words.isEmpty ? "" : " \"\(words)\"")
    }
}

/// Secrets that a program or a person gives, and the grants that they need.
extension Session {
    enum Obtaining {
        case obtained
        case cancelled
        /// The reason, as a sentence.
        case failed(String)
        /// The grant was refused; the reason, as a sentence.
        case refused(String)
    }

    /// The reader for a run, with the values obtained for the environment so far.
    func reader(for order: RunOrder) -> SecretReader {
        var reader = secrets(order.folder)
        // A secret of the environment wins over those that the local file has for all.
        reader.localFile = PlainSecrets.localFile(of: order.file).map { local in
            order.environment.map { "the environment \($0) of \(local)" } ?? local
        }
        let (file, environment, store) = (order.file, order.environment, secretStore)
        reader.obtained = { [clock] in
            store.value(.init(file: file, environment: environment, source: $0), at: clock())
        }
        reader.typed = reader.obtained
        reader.isGranted = { [gate = steps.gate] in gate.isGranted($0, to: file) }
        return reader
    }

    /// Prepares requests without sending them, and obtains the secrets that they need. Throws for the first request
    /// that cannot be sent. Of similar rows, one is prepared (`RowCheck`).
    /// - Parameters:
    ///   - asking: Decides about missing grants; nil asks as a run does.
    ///   - toleratesRefusals: True if nothing will be sent.
    package func prepare(
        _ orders: some Sequence<RunOrder> & Sendable, asking: Asking? = nil, toleratesRefusals: Bool = false
    ) async throws(ResolveError) {
        var rows = RowCheck()
        for order in orders where rows.isNew(order) {
            var met: Set<String> = []
            preparing: while true {
                do throws(ResolveError) {
                    rows.passed(order, sendsFirst: !(try plan(order)).isEmpty)
                    break preparing
                } catch {
                    guard met.insert(error.description).inserted else { throw error }
                    switch await provide(error, for: order, asking ?? steps.askForGrants) {
                    case .obtained: break
                    case .cancelled: throw error
                    case .refused where toleratesRefusals: break preparing
                    case .failed(let reason):
                        let row = order.row.map { " (row \($0.number) of the data)" } ?? ""
                        throw ResolveError(request: error.request, field: error.field, reason: reason + row)
                    case .refused(let reason):
                        throw ResolveError(request: error.request, field: error.field, reason: reason)
                    }
                }
            }
        }
    }

    /// Returns the error with what can be had for it; nil where nothing can. A variable that is not set is asked for
    /// where a person waits for one request.
    func obtainable(_ error: ResolveError, for order: RunOrder) -> ResolveError? {
        if error.missingSecret != nil || !error.missingGrants.isEmpty { return error }
        guard steps.asksForVariables, order.group == nil, let unset = error.unset,
            let flows = try? flows(of: unset, for: order)
        else { return nil }
        var error = error
        error.missingSecret = unset
        error.missingSecret?.flows = flows
        return error
    }

    /// Obtains a missing secret or missing grants of a request. Returns when it is available, when it cannot be
    /// obtained, or when the task is cancelled. Fails for other errors.
    func provide(_ error: ResolveError, for order: RunOrder, _ asking: @escaping Asking) async -> Obtaining {
        guard error.missingSecret != nil || !error.missingGrants.isEmpty else { return .failed(error.reason) }
        let (results, source) = AsyncStream<Obtaining>.makeStream()
        let task = Task {
            if let missing = error.missingSecret {
                source.yield(await obtain(missing, for: order, asking))
            } else {
                let isAllowed = await ask(error.missingGrants, for: order, asking)
                source.yield(isAllowed ? .obtained : .refused(error.reason))
            }
            source.finish()
        }
        for await result in results { return result }
        _ = task
        return .cancelled
    }

    /// Asks before a program is run, and names the destinations of the value before a user types it.
    private func obtain(_ missing: MissingSecret, for order: RunOrder, _ asking: @escaping Asking) async -> Obtaining {
        let flows = missing.flows
        let typed = flows.filter { if case .typed = $0.source { true } else { false } }
        let others = flows.filter { !typed.contains($0) }
        if let question = steps.gate.question(about: others, of: order.file) {
            guard await ask(others, for: order, asking) else { return .refused(question.refusal) }
        }
        let result = await value(of: missing, order)
        let own = typed.filter { $0.source == .typed(missing.name) }
        if case .obtained = result { steps.gate.allow(own, of: order.file) }
        return result
    }

    private func value(of missing: MissingSecret, _ order: RunOrder) async -> Obtaining {
        guard let secret = order.chosenEnvironment?.secrets.last(where: { $0.name == missing.name }) else {
            return .failed(missing.description)
        }
        let source = reader(for: order).source(of: secret)
        let destinations = missing.flows.filter { $0.source == source }.map(\.destination.text)
        let key = SecretStore.Key(file: order.file, environment: order.environment, source: secret.source)
        let result = await secretStore.obtain(key, at: clock) { [steps, secretStore] in
            await Self.obtain(secret, order, destinations, steps, secretStore)
        }
        switch result {
        case .success: return .obtained
        case .failure(let error): return .failed(error.description)
        }
    }

    /// Obtains a secret again that a server has refused. Returns false if its value is still the same.
    func renew(_ secret: Secret, refused value: String, for order: RunOrder) async -> Bool {
        let key = SecretStore.Key(file: order.file, environment: order.environment, source: secret.source)
        return await secretStore.renew(key, refused: value, at: clock) { [steps, secretStore] in
            await Self.obtain(secret, order, [], steps, secretStore)
        }
    }

    private static func obtain(
        _ secret: Secret, _ order: RunOrder, _ destinations: [String], _ steps: SessionSteps, _ store: SecretStore
    ) async -> Result<String, SecretError> {
        let words: [String]
        switch secret.source {
        case .command(let command, _): words = command
        case .keyring(let service, let account):
            words = Secret.Source.keyringCommand(service: service, account: account)
        case .prompt, .environment:
            var question = SecretQuestion(
                name: secret.name, words: "", request: order.request.name, environment: order.environment ?? "",
                file: order.file.split(separator: "/").last.map(String.init) ?? order.file, destinations: destinations)
            if case .prompt(let text) = secret.source { question.words = text }
            if case .environment(let variable) = secret.source { question.variable = variable }
            let answer = await steps.askForSecret(order, question) ?? ""
            return answer.isEmpty ? .failure(SecretError(secret: secret, reason: .unanswered)) : .success(answer)
        case .file, .envFile, .value: return .failure(SecretError(secret: secret, reason: .notObtained))
        }
        return await store.run(SecretCommand(words: words, folder: order.folder)).mapError { failure in
            SecretError(secret: secret, reason: .failed(secret.source.explain(failure)))
        }
    }
}

/// Secrets that a request does not use: a server may repeat them all the same.
extension Session {
    /// A shorter secret would occur in unrelated texts.
    private static let minimumLength = 6

    /// Returns the secrets of the environment that are available without a program or a prompt: variables, files, and
    /// values obtained by earlier runs. An address is left out, because its host and path would be masked everywhere;
    /// so are names of `.env` files that do not suggest a secret.
    func unusedSecrets(of order: RunOrder, besides used: [String]) -> [String] {
        guard let secrets = order.chosenEnvironment?.secrets, !secrets.isEmpty else { return [] }
        var reader = reader(for: order)
        let (file, read) = (reader.file, Lock<[String: Result<[UInt8], FileError>]>([:]))
        reader.file = { path throws(FileError) in
            if let known = read.withLock({ $0[path] }) { return try known.get() }
            let result = Result { () throws(FileError) in try file(path) }
            read.withLock { $0[path] = result }
            return try result.get()
        }
        return secrets.compactMap { secret -> String? in
            if used.contains(secret.name) { return nil }
            if case .envFile(_, let name) = secret.source, !RequestHeaders.Key(name).isSensitive { return nil }
            guard let value = try? reader.value(of: secret), value.utf8.count >= Self.minimumLength else { return nil }
            return value.contains("://") ? nil : value
        }
    }
}
