import OmbiCore
import OmbiWorkspace

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs jobs to their end and prints what came of them.
enum Headless {
    enum Output { case table, json, bodies }

    /// - Parameter times: how often each job is sent.
    static func run(
        _ jobs: [Job], times: Int = 1, overrides: Overrides, concurrency: Int, output: Output, allowsProtected: Bool
    ) throws {
        let run = try prepare(jobs, times, overrides, concurrency)
        if !allowsProtected { try refuseProtected(jobs) }
        let interrupt = Interrupt { run.cancel() }
        let table = RunTable(jobs, isColored: Self.isColored)
        let json = Lock(RunJSON())
        let start = ContinuousClock.now
        let tally = run.run { index, result in
            switch output {
            case .table: StandardOutput.print(table.row(result))
            case .bodies: print(body: result)
            case .json: StandardOutput.write(Array(json.withLock { $0.add(result, at: index) }.utf8))
            }
            // Nobody would see what the rest gives.
            if ResultOutput.standard.isClosed { run.cancel() }
        }
        let duration = ContinuousClock.now - start
        if output == .json { StandardOutput.write(Array(json.withLock { $0.end(tally, duration: duration) }.utf8)) }
        if output == .table { StandardOutput.print(table.summary(tally, duration: duration)) }
        if interrupt.wasRaised { throw ExitStatus.interrupted }
        if tally.failed > 0 { throw ExitStatus.failure }
    }

    /// Resolves all requests, so that their errors are reported before protected environments are refused.
    private static func prepare(
        _ jobs: [Job], _ times: Int, _ overrides: Overrides, _ concurrency: Int
    ) throws -> HeadlessRun {
        do throws(ResolveError) {
            return try HeadlessRun(jobs, times: times, overrides: overrides, concurrency: concurrency)
        } catch {
            StandardError.print("ombi: " + SafeText.line(error.description))
            throw ExitStatus.misuse
        }
    }

    private static var isColored: Bool {
        StandardOutput.isTerminal && getenv("NO_COLOR").map { $0[0] == 0 } ?? true
    }

    private static func refuseProtected(_ jobs: [Job]) throws {
        let refused = jobs.first { job in
            let environment = job.order.environment.flatMap(job.order.collection.environment(named:))
            return environment?.protected ?? false && !job.request.method.isSafe
        }
        guard let refused else { return }
        StandardError.print(
            "ombi: \(SafeText.line(refused.name)) is a \(refused.request.method.rawValue) to a protected environment; "
                + "--allow-protected sends it")
        throw ExitStatus.misuse
    }

    /// Raw into a file or a pipe; on a terminal only what it will not obey.
    private static func print(body result: JobResult) {
        if !result.passed {
            StandardError.print(
                "\(SafeText.line(result.job.name)): \(SafeText.line(result.failures.joined(separator: "; ")))")
        }
        guard let bytes = result.response?.body.map(Array.init) else { return }
        guard StandardOutput.isTerminal else { return StandardOutput.write(bytes) }
        StandardOutput.print(SafeText.lines(String(decoding: bytes, as: UTF8.self)))
    }
}
