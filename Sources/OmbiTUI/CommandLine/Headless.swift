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

    static func run(
        _ jobs: [Job], overrides: Overrides, concurrency: Int, output: Output, allowsProtected: Bool
    ) throws {
        if !allowsProtected { try refuseProtected(jobs) }
        let run: HeadlessRun
        do throws(ResolveError) {
            run = try HeadlessRun(jobs, overrides: overrides, concurrency: concurrency)
        } catch {
            StandardError.print("ombi: " + SafeText.line(error.description))
            throw ExitStatus.misuse
        }
        let interrupt = Interrupt { run.cancel() }
        let table = RunTable(jobs, isColored: Self.isColored)
        let start = ContinuousClock.now
        let results = run.run { result in
            switch output {
            case .table: StandardOutput.print(table.row(result))
            case .bodies: print(body: result)
            case .json: break
            }
        }
        let duration = ContinuousClock.now - start
        if output == .json { StandardOutput.write(Array(RunJSON.text(results, duration: duration).utf8)) }
        if output == .table { StandardOutput.print(table.summary(results, duration: duration)) }
        if interrupt.wasRaised { throw ExitStatus.interrupted }
        if results.contains(where: { !$0.passed }) { throw ExitStatus.failure }
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
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            StandardOutput.print(SafeText.line(String(line)))
        }
    }
}
