import OmbiCore
import OmbiDocument

/// The snapshots of a run: compares each response with its file, writes what is missing, and accepts what is new
/// where that is asked for. It needs no history.
package final class SnapshotRun: Sendable {
    /// The treatment of responses that have no snapshot, or another one.
    package enum Mode: Sendable {
        /// Missing ones are written.
        case write
        /// Nothing is written, and a missing one is a failure: in CI nobody would commit it.
        case check
        /// All are written.
        case update
    }

    /// An error before anything is sent.
    package enum Failure: Error {
        case file(FileError)
        /// The name of two collections, whose snapshots would have the same files.
        case ambiguous(String)
    }

    /// The counts of a run, and the files to name.
    package struct Summary: Equatable, Sendable {
        /// The new files.
        package var written: [String] = []
        /// The files with another content than before.
        package var updated: [String] = []
        package var same = 0
        package var differing = 0
        package var missing = 0
        /// The files that no request of the collections has any more.
        package var obsolete: [String] = []
        /// True where a file could not be read or written.
        package var hasError = false
    }

    private struct State {
        var summary = Summary()
        /// The files that this run has written or accepted.
        var accepted: Set<String> = []
    }

    /// The header that is always kept.
    private static let standardHeaders = ["Content-Type"]

    private let folder: SnapshotFolder
    private let mode: Mode
    private let headers: [String]
    /// By the path of the collection file.
    private let names: [String: SnapshotNames]
    private let state = Lock(State())

    /// - Parameters:
    ///   - headers: those to keep besides `Content-Type`.
    ///   - collections: those of the run, by the paths of their files.
    package init(
        _ path: String, mode: Mode, headers: [String] = [], of collections: [String: Collection]
    ) throws(Failure) {
        do throws(FileError) { folder = try SnapshotFolder(path) } catch { throw .file(error) }
        self.mode = mode
        var all = Self.standardHeaders
        for header in headers where !all.contains(where: { $0.lowercased() == header.lowercased() }) {
            all.append(header)
        }
        self.headers = all
        names = collections.mapValues(SnapshotNames.init)
        var owners: Set<String> = []
        for file in collections.keys.sorted() {
            guard let names = names[file], !owners.insert(names.folder).inserted else { continue }
            throw .ambiguous(collections[file]?.name ?? names.folder)
        }
    }

    /// Returns what is wrong with a result, a sentence each; none for one that is as its snapshot, or has become it.
    ///
    /// Only a result that passed becomes a snapshot. Several may be judged at the same time.
    package func failures(of result: SessionResult, _ order: RunOrder) -> [String] {
        let paths = order.request.ignoredPaths.compactMap { try? JSONPath($0) }
        guard let file = names[order.file]?.file(of: order.request.id, row: order.row?.number),
            let new = ResponseSnapshot(result, headers: headers, ignoring: paths)
        else { return [] }
        do throws(FileError) {
            if mode == .update {
                if !result.passed { return [] }
                if try accept(new, file) { return [] }
            }
            var known = try folder.read(file)
            if known == nil, mode == .write, result.passed {
                if try accept(new, file) { return [] }
                // Another run of the request has written it meanwhile.
                known = try folder.read(file)
            }
            return known.map { compare(new, $0, file, paths) } ?? missing(file, result)
        } catch {
            state.withLock { $0.summary.hasError = true }
            return ["its snapshot cannot be used: \(error.description)"]
        }
    }

    /// Makes a response the snapshot, unless another run of the request has become it.
    /// - Returns: false for such a one, which is compared.
    private func accept(_ new: ResponseSnapshot, _ file: String) throws(FileError) -> Bool {
        let text = new.text
        return try state.withLock { (state: inout State) throws(FileError) -> Bool in
            guard state.accepted.insert(file).inserted else { return false }
            let known = try folder.read(file)
            guard known != Array(text.utf8) else {
                state.summary.same += 1
                return true
            }
            try folder.write(text, to: file)
            if known == nil { state.summary.written.append(file) } else { state.summary.updated.append(file) }
            return true
        }
    }

    private func missing(_ file: String, _ result: SessionResult) -> [String] {
        // A response that failed is no model for others.
        guard result.passed else { return [] }
        state.withLock { $0.summary.missing += 1 }
        return ["there is no snapshot \(file); --update-snapshots writes it"]
    }

    private func compare(
        _ new: ResponseSnapshot, _ known: [UInt8], _ file: String, _ paths: [JSONPath]
    ) -> [String] {
        guard let old = ResponseSnapshot(known) else {
            state.withLock { $0.summary.differing += 1 }
            return ["\(file) is no snapshot; --update-snapshots writes it again"]
        }
        let differences = new.differences(from: old, headers: headers, ignoring: paths)
        state.withLock { state in
            if differences.isEmpty { state.summary.same += 1 } else { state.summary.differing += 1 }
        }
        guard let first = differences.first else { return [] }
        return ["differs from its snapshot \(file): \(first)"] + differences.dropFirst()
    }

    /// Returns the counts, and looks for files of the collections that no request has any more.
    package func summary() -> Summary {
        var summary = state.withLock { $0.summary }
        for names in names.values { summary.obsolete += names.obsolete(folder.files(in: names.folder)) }
        summary.obsolete.sort()
        summary.written.sort()
        summary.updated.sort()
        return summary
    }
}

extension SnapshotRun.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .ambiguous(let name):
            "two collections are named \(name), and their snapshots would have the same names; run them one by one, "
                + "each with a folder of its own"
        }
    }
}
