import Dispatch
import OmbiCore

/// The secrets that programs wrote and people typed, in memory until the program ends, and those that are being obtained:
/// runs that need the same one wait for it together.
final class SecretStore: Sendable {
    struct Key: Hashable, Sendable {
        var file: String
        var environment: String?
        var source: Secret.Source
    }

    private struct Obtained {
        var value: String
        var at: ContinuousClock.Instant
    }

    private struct State {
        var values: [Key: Obtained] = [:]
        var obtaining: [Key: Task<Result<String, SecretError>, Never>] = [:]
        /// The questions about grants that somebody is asked, by file: a question is asked once, and one at a time.
        var asking: [String: (question: GateQuestion, task: Task<Bool, Never>)] = [:]
    }

    private let state = Lock(State())
    /// Programs may take their time.
    private let queue = DispatchQueue(label: "ombi.session.secrets", qos: .userInitiated, attributes: .concurrent)

    typealias Clock = @Sendable () -> ContinuousClock.Instant

    /// A value that was obtained just now counts whatever its maximum age, and is not asked for again.
    private static let minimumAge = Duration.seconds(1)
    /// A value that is refused so soon is wrong, and not too old.
    private static let refusalAge = Duration.seconds(10)

    /// Returns nil for a value that is too old, too.
    func value(_ key: Key, at now: ContinuousClock.Instant) -> String? {
        state.withLock { $0.values[key].flatMap { Self.isFresh($0, key, now) ? $0.value : nil } }
    }

    private static func isFresh(_ obtained: Obtained, _ key: Key, _ now: ContinuousClock.Instant) -> Bool {
        guard case .command(_, let maximumAge?) = key.source else { return true }
        return now - obtained.at <= max(maximumAge, minimumAge)
    }

    /// Obtains a value in the place of one that a server has refused. Returns false where there is no other.
    func renew(
        _ key: Key, refused value: String, at clock: @escaping Clock,
        _ operation: @escaping @Sendable () async -> Result<String, SecretError>
    ) async -> Bool {
        let now = clock()
        let isOlder = state.withLock { state in
            guard let known = state.values[key], known.value == value else { return true }
            guard now - known.at >= Self.refusalAge else { return false }
            state.values[key] = nil
            return true
        }
        guard isOlder, case .success(let new) = await obtain(key, at: clock, operation) else { return false }
        return new != value
    }

    /// Obtains a value, or waits for it. A failure is not kept, so that the next run tries again.
    func obtain(
        _ key: Key, at clock: @escaping Clock,
        _ operation: @escaping @Sendable () async -> Result<String, SecretError>
    ) async -> Result<String, SecretError> {
        let now = clock()
        let task = state.withLock { state -> Task<Result<String, SecretError>, Never> in
            if let known = state.values[key], Self.isFresh(known, key, now) { return Task { .success(known.value) } }
            if let task = state.obtaining[key] { return task }
            let task = Task { [self] in
                let result = await operation()
                self.state.withLock { state in
                    state.obtaining[key] = nil
                    if case .success(let value) = result { state.values[key] = Obtained(value: value, at: clock()) }
                }
                return result
            }
            state.obtaining[key] = task
            return task
        }
        return await task.value
    }

    /// Asks a question once, whatever number of runs needs the answer, and after the one that is open for the file.
    func ask(about question: GateQuestion, _ operation: @escaping @Sendable () async -> Bool) async -> Bool {
        let task = state.withLock { state -> Task<Bool, Never> in
            let open = state.asking[question.file]
            if let open, open.question == question { return open.task }
            let task = Task { [self] in
                _ = await open?.task.value
                let isAllowed = await operation()
                self.state.withLock { state in
                    if state.asking[question.file]?.question == question { state.asking[question.file] = nil }
                }
                return isAllowed
            }
            state.asking[question.file] = (question, task)
            return task
        }
        return await task.value
    }

    /// Runs a program without holding up a thread of Swift's.
    func run(_ command: SecretCommand) async -> Result<String, SecretCommand.Failure> {
        await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(SecretCommand.Failure) in try command.value() })
            }
        }
    }
}
