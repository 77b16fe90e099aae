import Dispatch
import Testing

/// Runs the tests of a suite on a thread that the rest of the tests do not need.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    private static let executor = QueueExecutor()

    func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnThread? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.executor) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    static var onOwnThread: OwnThread { OwnThread() }
}

private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "end to end")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
