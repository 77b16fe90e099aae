import OmbiPlatform
import Synchronization

/// Runs jobs and prints the results.
enum Headless {
    /// The parts of a session that the command line decides.
    struct Surroundings {
        var overrides: Overrides
        var secrets: Session.Secrets = SecretReader.system
        var gate: Gate
        /// Answers for what has no grant; nil allows nothing more.
        var asking: Session.Asking?
        var allowsProtected: Bool
        var history: History?
        /// The exit status of a request that is refused in a protected environment.
        var refusal = ExitStatus.misuse
    }

    /// Makes the session of jobs, all of which can be sent.
    static func session(_ jobs: JobList, _ surroundings: Surroundings) throws -> Session {
        try ThreadRoom.check()
        let history = surroundings.history
        history?.printProblems()
        if let history { follow(jobs.selected, in: history) }
        let session = Session(
            overrides: surroundings.overrides, secrets: surroundings.secrets,
            // Runs that are not recorded fall back on those that were.
            steps: .headless(surroundings.gate, asking: surroundings.asking)
                .fallingBack(on: History.standardPath.map { History(path: $0) }).recording(in: history))
        try prepare(jobs.orders, session, surroundings.asking)
        warnOfUnverified(jobs.selected)
        if !surroundings.allowsProtected, jobs.selected.contains(where: \.isProtected) {
            try refuseProtected(jobs, session, surroundings.refusal)
        }
        return session
    }

    /// Lets requests that were renamed since their files were seen last keep their history. A request that is in no file cannot
    /// tell.
    private static func follow(_ jobs: some Sequence<Job>, in history: History) {
        var files: Set<String> = []
        for job in jobs where job.order.folders != nil && files.insert(job.order.file).inserted {
            // Another collection comes in each pipe.
            if PipedFile.isName(job.order.file) { continue }
            history.follow(file: job.order.file, CollectionOutline(job.order.collection))
        }
    }

    static func run(
        _ jobs: JobList, _ plan: RunPlan = RunPlan(), report: RunReport, streams: StreamEnd? = nil,
        _ surroundings: Surroundings
    ) throws {
        let session = try session(jobs, surroundings)
        // Not without room for its thread.
        defer { surroundings.history?.finish() }
        let (rows, report) = (report, Lock(report))
        rows.files?.begin()
        let start = ContinuousClock.now
        let watch = streams.map { end in
            StreamWatch(end) { event, turn in
                report.withLock { $0.add(event, turn) }
                return !ResultOutput.standard.isClosed
            }
        }
        let run = Task {
            let begin: (@Sendable (RunTurn) -> Void)? =
                rows.followsStarts ? { @Sendable turn in report.withLock { $0.begin(turn) } } : nil
            let hold = { @Sendable (_: RunTurn) in report.withLock { $0.hold() } }
            return await session.run(
                jobs.orders, plan, onStart: begin, onHold: hold, onEvent: watch?.receive
            ) { turn, result in
                var result = result
                if let failure = watch?.failure(of: turn) { result.failures.append(failure) }
                let judged = rows.judged(result, turn)
                report.withLock { $0.add(judged, turn) }
                // A run whose output is gone ends, unless it has reports to write.
                return (rows.files != nil || !ResultOutput.standard.isClosed)
                    && !(plan.failsFast && judged.failsByOption)
            }
        }
        let interrupt = Interrupt { run.cancel() }
        let progress = rows.live.map { line in follow(report, on: line, since: start) }
        var tally = run.wait()
        progress?.cancel()
        let failed = (watch?.failedCount ?? 0) + report.withLock { $0.optionFailures }
        tally = Tally(passed: tally.passed - failed, failed: tally.failed + failed)
        let (duration, interruption) = (ContinuousClock.now - start, interrupt.status)
        let status = report.withLock { [tally] in $0.end(tally, duration: duration, interruption) }
        if let status { throw status }
    }

    /// Shows the figures of a load on its line until the task is cancelled.
    private static func follow(
        _ report: Lock<RunReport>, on line: LiveLine, since start: ContinuousClock.Instant
    ) -> Task<Void, Never> {
        Task {
            var earlier: LoadProgress?
            while !Task.isCancelled {
                report.withLock { report in
                    let progress = report.progress(after: ContinuousClock.now - start)
                    if !Task.isCancelled { line.show(progress.line(since: earlier)) }
                    earlier = progress
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Obtains the secrets of requests. Prints the error of one that cannot be sent, so that nothing is sent.
    static func prepare(
        _ orders: some Sequence<RunOrder> & Sendable, _ session: Session, _ asking: Session.Asking?,
        toleratesRefusals: Bool = false
    ) throws {
        let task = Task { try await session.prepare(orders, asking: asking, toleratesRefusals: toleratesRefusals) }
        try ExitStatus.misuse.onError { try task.wait() }
    }

    /// Warns once for each environment that does not verify certificates.
    static func warnOfUnverified(_ jobs: some Sequence<Job>) {
        var warned: Set<String> = []
        for job in jobs {
            guard let environment = job.order.environment.flatMap(job.order.collection.environment(named:)),
                !environment.verifyTLS, !environment.host.hasPrefix("http://"),
                warned.insert(job.order.file + "\n" + environment.name).inserted
            else { continue }
            StandardError.report(
                "certificates are not verified: verifyTLS is false in the environment \(environment.name)")
        }
    }

    static func refuseProtected(
        _ jobs: some Sequence<Job>, _ session: Session, _ refusal: ExitStatus = .misuse
    ) throws {
        for job in jobs {
            guard job.isProtected else { continue }
            // A request that is sent first changes something there, too.
            let first = ((try? session.plan(job.order)) ?? []).map { ($0.request.name, $0.request) }
            let refused = ([(job.name, job.request)] + first).first { !$0.1.isSafe }
            guard let (name, request) = refused else { continue }
            let kind = request.method.isSafe ? "an operation that was not read" : "a \(request.method.rawValue)"
            throw refusal.reporting("\(name) is \(kind) to a protected environment; --allow-protected sends it")
        }
    }
}

/// The interval of a headless watch, and its end.
struct WatchOrder: Sendable {
    var interval: Duration
    var end: WatchEnd?
    var asJSON: Bool
    /// Run by a shell at each change; nil for none.
    var command: String?
}

extension Headless {
    /// Sends requests again and again, and prints the first result of each and every change.
    static func watch(
        _ jobs: JobList, _ plan: RunPlan, _ watch: WatchOrder, _ surroundings: Surroundings
    ) throws {
        let session = try session(jobs, surroundings)
        defer { surroundings.history?.finish() }
        let start = ContinuousClock.now
        let table = RunTable(jobs.widest, isColored: StandardOutput.isColored)
        let command = ChangeCommand(watch.command.map { ["/bin/sh", "-c", $0] } ?? []) {
            StandardError.report($0)
        }
        defer { command?.finish() }
        let run = Task {
            await session.watch(
                Array(jobs.orders), plan, every: watch.interval, until: watch.end, now: { ContinuousClock.now - start },
                sleep: { time in
                    try await Task.sleep(for: time)
                    // A watch without changes writes nothing.
                    if ResultOutput.standard.isClosed { throw CancellationError() }
                }
            ) { change in
                let job = jobs[change.order]
                if watch.asJSON {
                    StandardOutput.write(RunJSON.line(job, change))
                } else {
                    StandardOutput.show(table.row(job, change))
                }
                if let changes = change.changes {
                    command?.run(SafeText.line("\(job.name): \(changes.joined(separator: " · "))"))
                }
                // The output is gone.
                return !ResultOutput.standard.isClosed
            }
        }
        let interrupt = Interrupt { run.cancel() }
        let summary = run.wait()
        if watch.asJSON {
            StandardOutput.write(RunJSON.lastLine(summary, duration: ContinuousClock.now - start))
        } else {
            StandardOutput.show(
                "\(Count.of(summary.rounds, "round")), \(Count.of(summary.changes, "change"))"
                    + (summary.isReached ? ", ended as it \(watch.end?.rawValue ?? "")" : ""))
        }
        if let status = interrupt.status { throw status }
    }
}

extension RunTable {
    /// `2026-11-23 14:05:09  ✗ GET    shop/list  503 …`, and what changed in a line below.
    func row(_ job: Job, _ change: WatchedChange) -> String {
        let time = HistoryTab.time(Date())
        let changes = change.changes.map { "\n    " + SafeText.line($0.joined(separator: " · ")) } ?? ""
        return "\(time)  \(row(job, change.result))\(changes)"
    }
}

extension RunJSON {
    /// Returns a line of its own: `{"change":{…}}`.
    static func line(_ job: Job, _ change: WatchedChange) -> String {
        let changes: JSONValue = change.changes.map(JSONValue.strings) ?? .null
        return line("change", ["at": .time(Date()), "changes": changes, "result": value(job, change.result)])
    }

    static func lastLine(_ summary: WatchSummary, duration: Duration) -> String {
        line(
            "summary",
            [
                "rounds": .number(summary.rounds), "changes": .number(summary.changes),
                "reached": .bool(summary.isReached), "durationMs": .milliseconds(duration),
            ])
    }
}

extension ConfigurationFile {
    /// The settings of a program without a screen, whose start prints their errors on standard error.
    static func headless() -> Configuration {
        let configuration = load(environment: Screen.environment)
        for problem in configuration.problems where problem.severity == .error {
            StandardError.print(line: problem.description)
        }
        return configuration
    }
}

/// The signals that end a program without a screen: Ctrl+C, SIGTERM, and SIGHUP of a terminal that is closed.
enum EndingSignals {
    private static let deadly = [SIGINT, SIGTERM]

    /// The time in which another signal is the same one: timeout(1) sends it to the program and again to its group.
    static var repetition: DispatchTimeInterval { .milliseconds(500) }

    /// Takes them over from the system.
    /// - Returns: those to handle. SIGHUP is none of them where it is ignored already, as under `nohup`.
    static func take() -> [Int32] {
        let taken = deadly + [SIGHUP]
        return taken.filter { number in
            let before = signal(number, SIG_IGN)
            return number != SIGHUP || unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
        }
    }

    /// Lets the next signal end the program, unless it is the same one. SIGHUP stays ignored: it comes from the shell
    /// and again from the terminal, and a run that it ended has reports to write.
    static func release() {
        DispatchQueue.global().asyncAfter(deadline: .now() + repetition) {
            for number in Self.deadly { signal(number, SIG_DFL) }
        }
    }
}

/// Handles the signals that end a run: the first one cancels it, the second ends the program.
final class Interrupt {
    private let sources: [any DispatchSourceSignal]
    private let raised = Atomic<Int32>(0)

    init(_ action: @escaping @Sendable () -> Void) {
        let signals = EndingSignals.take()
        sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(signals, sources) {
            // Until the end of the program: another signal may come when the run has ended.
            source.setEventHandler { [self] in
                _ = raised.compareExchange(expected: 0, desired: number, ordering: .relaxed)
                EndingSignals.release()
                action()
            }
            source.activate()
        }
    }

    /// The exit status after the signal; nil while there was none.
    var status: ExitStatus? { ExitStatus(signal: raised.load(ordering: .relaxed)) }
}

extension ExitStatus {
    /// The status of a shell for a program that a signal ended; nil for no signal.
    init?(signal: Int32) { self.init(rawValue: 128 + signal) }

    /// `ended by SIGTERM`; nil for a command that came to its end.
    var interruption: String? {
        switch self {
        case .hungUp: "ended by SIGHUP"
        case .interrupted: "ended by SIGINT"
        case .terminated: "ended by SIGTERM"
        default: nil
        }
    }
}
