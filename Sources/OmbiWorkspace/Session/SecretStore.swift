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

    private struct State {
        var values: [Key: String] = [:]
        var obtaining: [Key: Task<Result<String, SecretError>, Never>] = [:]
        /// The files that somebody is asked to trust.
        var asking: [String: Task<Bool, Never>] = [:]
    }

    private let state = Lock(State())
    /// Programs may take their time.
    private let queue = DispatchQueue(label: "ombi.session.secrets", qos: .userInitiated, attributes: .concurrent)

    func value(_ key: Key) -> String? { state.withLock { $0.values[key] } }

    /// Obtains a value, or waits for it. A failure is not kept, so that the next run tries again.
    func obtain(
        _ key: Key, _ operation: @escaping @Sendable () async -> Result<String, SecretError>
    ) async -> Result<String, SecretError> {
        let task = state.withLock { state -> Task<Result<String, SecretError>, Never> in
            if let value = state.values[key] { return Task { .success(value) } }
            if let task = state.obtaining[key] { return task }
            let task = Task { [self] in
                let result = await operation()
                self.state.withLock { state in
                    state.obtaining[key] = nil
                    if case .success(let value) = result { state.values[key] = value }
                }
                return result
            }
            state.obtaining[key] = task
            return task
        }
        return await task.value
    }

    /// Asks once for a file, whatever number of runs needs it.
    func ask(about file: String, _ operation: @escaping @Sendable () async -> Bool) async -> Bool {
        let task = state.withLock { state -> Task<Bool, Never> in
            if let task = state.asking[file] { return task }
            let task = Task { [self] in
                let isTrusted = await operation()
                self.state.withLock { $0.asking[file] = nil }
                return isTrusted
            }
            state.asking[file] = task
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
