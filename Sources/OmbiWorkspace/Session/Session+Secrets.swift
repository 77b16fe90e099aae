import OmbiCore

/// The words with which somebody is asked for a secret.
public struct SecretQuestion: Sendable, Equatable {
    /// The name of the secret.
    public var name: String
    /// The words of the file, or nothing.
    public var words: String
    public var request: String
    public var environment: String
}

/// Secrets that a program or a person gives, and the trust that they need.
extension Session {
    enum Obtaining {
        case obtained
        case cancelled
        /// The reason, as a sentence.
        case failed(String)
    }

    /// The reader for a run: it has what was obtained for the environment so far.
    func reader(for order: RunOrder) -> SecretReader {
        var reader = secrets(order.folder)
        let (file, environment, store) = (order.file, order.environment, secretStore)
        reader.obtained = { [clock] in
            store.value(.init(file: file, environment: environment, source: $0), at: clock())
        }
        reader.isTrusted = { [steps] in steps.isTrusted(order, $0) }
        return reader
    }

    /// Prepares requests without sending them, and obtains the secrets that they need. Throws for the first request that
    /// cannot be sent. Of rows that are alike, one is prepared (`RowCheck`).
    public func prepare(_ orders: some Sequence<RunOrder> & Sendable) async throws(ResolveError) {
        var rows = RowCheck()
        for order in orders where rows.isNew(order) {
            var obtained: Set<String> = []
            while true {
                do throws(ResolveError) {
                    rows.passed(order, sendsFirst: !(try plan(order)).isEmpty)
                    break
                } catch {
                    guard let missing = error.missingSecret, obtained.insert(missing.description).inserted else {
                        throw error
                    }
                    switch await obtain(missing, for: order) {
                    case .obtained: break
                    case .cancelled: throw error
                    case .failed(let reason):
                        throw ResolveError(request: error.request, field: error.field, reason: reason)
                    }
                }
            }
        }
    }

    /// Returns when the secret is there, when it cannot be had, or when the task is cancelled, whatever else waits for it.
    func obtain(_ missing: MissingSecret, for order: RunOrder) async -> Obtaining {
        let (results, source) = AsyncStream<Obtaining>.makeStream()
        let task = Task {
            source.yield(missing.needsTrust ? await askForTrust(missing, order) : await value(of: missing, order))
            source.finish()
        }
        for await result in results { return result }
        _ = task
        return .cancelled
    }

    private func askForTrust(_ missing: MissingSecret, _ order: RunOrder) async -> Obtaining {
        let isTrusted = await secretStore.ask(about: order.file) { [steps] in await steps.askForTrust(order) }
        return isTrusted ? .obtained : .failed(missing.description)
    }

    private func value(of missing: MissingSecret, _ order: RunOrder) async -> Obtaining {
        guard let secret = order.chosenEnvironment?.secrets.last(where: { $0.name == missing.name }) else {
            return .failed(missing.description)
        }
        let key = SecretStore.Key(file: order.file, environment: order.environment, source: secret.source)
        let result = await secretStore.obtain(key, at: clock) { [steps, secretStore] in
            await Self.obtain(secret, order, steps, secretStore)
        }
        switch result {
        case .success: return .obtained
        case .failure(let error): return .failed(error.description)
        }
    }

    /// Obtains the value of a secret that a server has refused once more. Returns false where it is still the same.
    func renew(_ secret: Secret, refused value: String, for order: RunOrder) async -> Bool {
        let key = SecretStore.Key(file: order.file, environment: order.environment, source: secret.source)
        return await secretStore.renew(key, refused: value, at: clock) { [steps, secretStore] in
            await Self.obtain(secret, order, steps, secretStore)
        }
    }

    private static func obtain(
        _ secret: Secret, _ order: RunOrder, _ steps: SessionSteps, _ store: SecretStore
    ) async -> Result<String, SecretError> {
        let words: [String]
        switch secret.source {
        case .command(let command, _): words = command
        case .keyring(let service, let account):
            words = Secret.Source.keyringCommand(service: service, account: account)
        case .prompt(let text):
            let question = SecretQuestion(
                name: secret.name, words: text, request: order.request.name, environment: order.environment ?? "")
            let answer = await steps.askForSecret(order, question) ?? ""
            return answer.isEmpty ? .failure(SecretError(secret: secret, reason: .unanswered)) : .success(answer)
        case .environment, .file, .envFile, .value: return .failure(SecretError(secret: secret, reason: .notObtained))
        }
        return await store.run(SecretCommand(words: words, folder: order.folder)).mapError { failure in
            SecretError(secret: secret, reason: .failed(secret.source.explain(failure)))
        }
    }
}
