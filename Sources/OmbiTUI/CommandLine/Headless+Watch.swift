import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
            StandardError.print("ombi: " + SafeText.line($0))
        }
        defer { command?.finish() }
        let run = Task {
            await session.watch(
                Array(jobs.orders), plan, every: watch.interval, until: watch.end, now: { ContinuousClock.now - start },
                sleep: { try await Task.sleep(for: $0) }
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

    /// Returns the line of the whole watch.
    static func lastLine(_ summary: WatchSummary, duration: Duration) -> String {
        line(
            "summary",
            [
                "rounds": .number(summary.rounds), "changes": .number(summary.changes),
                "reached": .bool(summary.isReached), "durationMs": .milliseconds(duration),
            ])
    }
}
