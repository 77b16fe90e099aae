import ArgumentParser
import OmbiTerminal
import OmbiWorkspace

/// The options of `ombi run` that compare responses with files of the repository.
struct SnapshotOptions: ParsableArguments {
    @Option(
        name: .customLong("snapshot"),
        help:
            "Compare each response with its file in this folder, and write files that are missing; where CI is set, a missing one fails.",
        completion: .directory)
    var folder: String?

    @Option(
        name: .customLong("snapshot-header"),
        help: "Keep this header in the snapshots, too, next to Content-Type. Repeatable.")
    var headers: [String] = []

    @Flag(help: "Accept the responses that pass as the new snapshots.")
    var updateSnapshots = false

    func validate() throws {
        guard folder != nil || !updateSnapshots && headers.isEmpty else {
            throw ValidationError("--update-snapshots and --snapshot-header are for a --snapshot; add its folder.")
        }
        guard folder?.isEmpty != true else { throw ValidationError("--snapshot takes a folder.") }
        for header in headers {
            do throws(FieldError) { try Field.checkHeaderName(header) } catch {
                throw ValidationError("--snapshot-header \(header): \(error.message).")
            }
        }
    }

    /// Nil where responses are not compared.
    func run(_ jobs: JobList) throws -> SnapshotRun? {
        guard let folder else { return nil }
        var collections: [String: Collection] = [:]
        for job in jobs.selected where collections[job.order.file] == nil {
            collections[job.order.file] = job.order.collection
        }
        do throws(SnapshotRun.Failure) {
            return try SnapshotRun(folder, mode: mode, headers: headers, of: collections)
        } catch {
            StandardError.print("ombi: " + SafeText.line(error.description))
            switch error {
            case .file: throw ExitStatus.inputOutput
            case .ambiguous: throw ExitStatus.misuse
            }
        }
    }

    private var mode: SnapshotRun.Mode {
        if updateSnapshots { return .update }
        let isCI = !["", "0", "false"].contains(Screen.environment("CI") ?? "")
        return isCI ? .check : .write
    }
}

extension SnapshotRun {
    /// The maximum number of files that are named.
    private static let maximumNamed = 10

    /// Prints what came of the snapshots. Returns false where a file could not be read or written.
    func printSummary() -> Bool {
        let summary = summary()
        Self.name(summary.written, "wrote the snapshot")
        Self.name(summary.updated, "updated the snapshot")
        Self.name(summary.obsolete, "no request has this snapshot any more, so remove it:")
        let counts = [
            (summary.same, "the same"), (summary.differing, "differing"), (summary.missing, "missing"),
            (summary.written.count, "written"), (summary.updated.count, "updated"),
            (summary.obsolete.count, "obsolete"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        StandardError.print("snapshots: " + (counts.isEmpty ? "none" : counts.joined(separator: ", ")))
        return !summary.hasError
    }

    private static func name(_ files: [String], _ words: String) {
        for file in files.prefix(maximumNamed) { StandardError.print(SafeText.line("\(words) \(file)")) }
        if files.count > maximumNamed { StandardError.print("… and \(files.count - maximumNamed) more") }
    }
}
