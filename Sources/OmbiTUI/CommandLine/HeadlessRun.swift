import Dispatch
import OmbiCore
import OmbiWorkspace

/// What became of one request of a headless run.
struct JobResult: Sendable {
    var job: Job
    var sent: SentRequest?
    var result: RunResult
    var report: RequestReport?
    /// What is wrong, in words; empty when nothing is.
    var failures: [String]

    var passed: Bool { failures.isEmpty }
    var response: TransportResponse? { if case .response(let response) = result { response } else { nil } }
}

/// Sends requests without a terminal, several at a time, and waits for them.
final class HeadlessRun: Sendable {
    private let resolved: [(Job, ResolvedRequest)]
    private let concurrency: Int
    private let transport = CurlTransport()
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "ombi.headless")

    private struct State {
        var tasks: [Int: RunHandle] = [:]
        var results: [Int: JobResult] = [:]
        var isCancelled = false
    }

    /// Every request is resolved before the first one is sent, so that a mistake sends nothing.
    init(_ jobs: [Job], overrides: Overrides, concurrency: Int) throws(ResolveError) {
        var resolved: [(Job, ResolvedRequest)] = []
        for job in jobs { resolved.append((job, try job.order.resolve(overrides: overrides))) }
        self.resolved = resolved
        self.concurrency = max(1, concurrency)
    }

    /// Sends all, and gives the results in the order of the jobs. Blocks.
    /// - Parameter onResult: called for each result as it comes, on a queue of the run's own.
    func run(onResult: @escaping @Sendable (JobResult) -> Void) -> [JobResult] {
        let slots = DispatchSemaphore(value: concurrency)
        let group = DispatchGroup()
        for index in resolved.indices {
            slots.wait()
            guard !state.withLock({ $0.isCancelled }) else {
                // A semaphore that is let go with a slot taken ends the process.
                slots.signal()
                break
            }
            group.enter()
            start(index) { result in
                onResult(result)
                slots.signal()
                group.leave()
            }
        }
        group.wait()
        return state.withLock { state in resolved.indices.compactMap { state.results[$0] } }
    }

    /// Cancels what runs and starts nothing more.
    func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        tasks.forEach { $0.cancel() }
    }

    private func start(_ index: Int, done: @escaping @Sendable (JobResult) -> Void) {
        let (job, request) = resolved[index]
        let report = Latest<RequestReport>()
        let sent = request.sent
        let task = request.send(through: transport, on: queue) { [self] result in
            let failures = Verdict.failures(of: result, expectation: sent.expectation, report: report.value)
            let outcome = JobResult(
                job: job, sent: sent, result: result, report: report.value, failures: failures)
            state.withLock {
                $0.results[index] = outcome
                $0.tasks[index] = nil
            }
            done(outcome)
        } onEvent: {
            if case .step(.finished(let finished)) = $0 { report.set(finished) }
        }
        let isCancelled = state.withLock { state in
            if state.results[index] == nil { state.tasks[index] = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }
}

/// The last value that was set, for closures on other queues.
private final class Latest<Value: Sendable>: Sendable {
    private let stored = Lock<Value?>(nil)

    func set(_ value: Value) { stored.withLock { $0 = value } }
    var value: Value? { stored.withLock { $0 } }
}
