import OmbiCore
import OmbiTerminal
import OmbiWorkspace

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs jobs and prints the results.
enum Headless {
    enum Output { case table, json, bodies }

    /// - Parameter times: the number of times that each job is sent.
    static func run(
        _ jobs: [Job], times: Int = 1, overrides: Overrides, concurrency: Int, output: Output, allowsProtected: Bool
    ) throws {
        let session = Session(
            overrides: overrides,
            steps: SessionSteps(signIn: { order, signIn in
                let name = SafeText.line(order.request.name)
                StandardError.print(
                    "\(name): open \(SafeText.line(signIn.url)) and enter \(SafeText.line(signIn.code))")
            }))
        try check(jobs, session)
        tellUnverified(jobs)
        if !allowsProtected { try refuseProtected(jobs, session) }
        let table = RunTable(jobs, isColored: Self.isColored)
        let json = Lock(RunJSON())
        let start = ContinuousClock.now
        let run = Task {
            await session.run(jobs.map(\.order), times: times, concurrency: concurrency) { index, result in
                let job = jobs[index / times]
                tell(result.dependencies, job)
                switch output {
                case .table: StandardOutput.print(table.row(job, result))
                case .bodies: print(bodyOf: job, result)
                case .json: StandardOutput.write(Array(json.withLock { $0.add(job, result, at: index) }.utf8))
                }
                // The output is gone.
                return !ResultOutput.standard.isClosed
            }
        }
        let interrupt = Interrupt { run.cancel() }
        let tally = run.wait()
        let duration = ContinuousClock.now - start
        if output == .json { StandardOutput.write(Array(json.withLock { $0.end(tally, duration: duration) }.utf8)) }
        if output == .table { StandardOutput.print(table.summary(tally, duration: duration)) }
        if interrupt.wasRaised { throw ExitStatus.interrupted }
        if tally.failed > 0 { throw ExitStatus.failure }
    }

    /// Checks every request before the first one is sent, so that an error sends nothing.
    private static func check(_ jobs: [Job], _ session: Session) throws {
        do throws(ResolveError) {
            try session.check(jobs.map(\.order))
        } catch {
            StandardError.print("ombi: " + SafeText.line(error.description))
            throw ExitStatus.misuse
        }
    }

    /// Says once for each environment that its certificates are not verified.
    private static func tellUnverified(_ jobs: [Job]) {
        var told: Set<String> = []
        for job in jobs {
            guard let environment = job.order.environment.flatMap(job.order.collection.environment(named:)),
                !environment.verifyTLS, !environment.host.hasPrefix("http://"),
                told.insert(job.order.file + "\n" + environment.name).inserted
            else { continue }
            StandardError.print(
                "ombi: certificates are not verified: verifyTLS is false in the environment "
                    + SafeText.line(environment.name))
        }
    }

    private static var isColored: Bool {
        StandardOutput.isTerminal && getenv("NO_COLOR").map { $0[0] == 0 } ?? true
    }

    private static func refuseProtected(_ jobs: [Job], _ session: Session) throws {
        for job in jobs {
            let environment = job.order.environment.flatMap(job.order.collection.environment(named:))
            guard environment?.protected ?? false else { continue }
            // A request that is sent first changes something there, too.
            let first = ((try? session.plan(job.order)) ?? []).map { ($0.request.name, $0.request.method) }
            let refused = ([(job.name, job.request.method)] + first).first { !$0.1.isSafe }
            guard let (name, method) = refused else { continue }
            StandardError.print(
                "ombi: \(SafeText.line(name)) is a \(method.rawValue) to a protected environment; "
                    + "--allow-protected sends it")
            throw ExitStatus.misuse
        }
    }

    /// Says what was sent first, once for all that waited for it.
    private static func tell(_ dependencies: [DependencyResult], _ job: Job) {
        for dependency in dependencies where !dependency.isShared {
            let outcome = dependency.statusCode.map(StatusCode.words) ?? "no response"
            let time = dependency.duration.map { ", \(TimeText.duration($0))" } ?? ""
            StandardError.print(
                SafeText.line(
                    "sent \(dependency.request) first, for {{\(dependency.variable)}} of \(job.name): \(outcome)\(time)"
                ))
        }
    }

    /// Raw into a file or a pipe; without control characters on a terminal.
    private static func print(bodyOf job: Job, _ result: SessionResult) {
        if !result.passed {
            StandardError.print(
                "\(SafeText.line(job.name)): \(SafeText.line(result.failures.joined(separator: "; ")))")
        }
        guard let bytes = result.response?.body.map(Array.init) else { return }
        guard StandardOutput.isTerminal else { return StandardOutput.write(bytes) }
        StandardOutput.print(SafeText.lines(String(decoding: bytes, as: UTF8.self)))
    }
}
