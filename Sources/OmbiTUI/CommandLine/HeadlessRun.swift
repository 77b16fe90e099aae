import Dispatch
import OmbiCore
import OmbiWorkspace

/// The result of one request of a headless run.
struct JobResult: Sendable {
    var job: Job
    var sent: SentRequest?
    var result: RunResult
    var report: RequestReport?
    /// The failures, a sentence each; empty when the request passed.
    var failures: [String]

    var passed: Bool { failures.isEmpty }
    var response: TransportResponse? { if case .response(let response) = result { response } else { nil } }
}

/// The number of requests that passed and failed, which is all that is kept of them.
struct Tally: Equatable, Sendable {
    var passed = 0
    var failed = 0

    var count: Int { passed + failed }

    mutating func add(_ result: JobResult) {
        if result.passed { passed += 1 } else { failed += 1 }
    }
}

/// Sends requests without a terminal, several at a time, and waits for them.
final class HeadlessRun: Sendable {
    private let jobs: [Job]
    private let times: Int
    private let overrides: Overrides
    private let concurrency: Int
    private let transport = CurlTransport()
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "ombi.headless")

    private struct State {
        var running: [Int: Running] = [:]
        var tally = Tally()
        var isCancelled = false
    }

    /// A request whose handle is there, or which has ended before it was.
    private enum Running {
        case sent(RunHandle)
        case ended
    }

    /// Every request is resolved before the first one is sent, so that a mistake sends nothing.
    /// - Parameter times: how often each is sent; what templates make is new each time.
    init(_ jobs: [Job], times: Int = 1, overrides: Overrides, concurrency: Int) throws(ResolveError) {
        for job in jobs { _ = try job.order.resolve(overrides: overrides) }
        self.jobs = jobs
        self.times = times
        self.overrides = overrides
        self.concurrency = max(1, concurrency)
    }

    /// Sends all. Blocks.
    /// - Parameter onResult: called for each result as it comes, with its place among all, on a queue of the run's own.
    func run(onResult: @escaping @Sendable (Int, JobResult) -> Void) -> Tally {
        let slots = DispatchSemaphore(value: concurrency)
        let group = DispatchGroup()
        for index in 0..<jobs.count * times {
            slots.wait()
            guard !state.withLock({ $0.isCancelled }) else {
                // A semaphore that is let go with a slot taken ends the process.
                slots.signal()
                break
            }
            group.enter()
            start(index) { result in
                onResult(index, result)
                slots.signal()
                group.leave()
            }
        }
        group.wait()
        return state.withLock { $0.tally }
    }

    /// Cancels what runs and starts nothing more.
    func cancel() {
        let running = state.withLock { state in
            state.isCancelled = true
            return Array(state.running.values)
        }
        for case .sent(let handle) in running { handle.cancel() }
    }

    private func start(_ index: Int, done: @escaping @Sendable (JobResult) -> Void) {
        let job = jobs[index / times]
        let request: ResolvedRequest
        do throws(ResolveError) { request = try job.order.resolve(overrides: overrides) } catch {
            // An input has changed since the first resolution.
            return queue.async { [self] in
                end(
                    index, JobResult(job: job, result: .failure(error.description), failures: [error.description]), done
                )
            }
        }
        let known = Lock<(sent: SentRequest, report: RequestReport?)>((request.sent, nil))
        let handle = request.send(through: transport, on: queue) { [self] result in
            let (sent, report) = known.withLock { $0 }
            let failures = Verdict.failures(of: result, expectation: sent.expectation, report: report)
            end(index, JobResult(job: job, sent: sent, result: result, report: report, failures: failures), done)
        } onEvent: { event in
            switch event {
            case .sent(let sent): known.withLock { $0.sent = sent }
            case .step(.finished(let report)): known.withLock { $0.report = report }
            case .step: break
            }
        }
        keep(handle, of: index)
    }

    private func keep(_ handle: RunHandle, of index: Int) {
        let isCancelled = state.withLock { state in
            if case .ended? = state.running.removeValue(forKey: index) { return false }
            state.running[index] = .sent(handle)
            return state.isCancelled
        }
        if isCancelled { handle.cancel() }
    }

    private func end(_ index: Int, _ result: JobResult, _ done: (JobResult) -> Void) {
        state.withLock { state in
            state.tally.add(result)
            if state.running.removeValue(forKey: index) == nil, result.sent != nil { state.running[index] = .ended }
        }
        done(result)
    }
}
