import OmbiPlatform

/// The runs that ended while the terminal was away, on the disk for the next start; masked, and for its user alone.
struct AwayNote {
    /// The folder in which the history is, too.
    let folder: String

    private static let prefix = "away-"
    private static let maximumSize = 1 << 16
    private static let maximumNames = 3

    /// Nil without a home folder.
    static var standard: AwayNote? {
        History.standardPath.flatMap { path in
            path.lastIndex(of: "/").map { AwayNote(folder: String(path[..<$0])) }
        }
    }

    func write(_ runs: [AwayRuns.Entry]) {
        guard !runs.isEmpty else { return }
        let json = JSONValue.array(
            runs.prefix(100).map { run in
                .array([.string(run.name), run.failure.map { .string($0) } ?? .null])
            })
        var rest: [UInt8]? = Array(json.text.utf8)
        // There is nobody to report an error to.
        try? FileReplacement.save(
            to: "\(folder)/\(Self.prefix)\(getpid()).json", newFileMode: 0o600
        ) { () throws(FileError) in
            defer { rest = nil }
            return rest
        }
    }

    /// Returns the message about all that was noted, which is forgotten.
    func take() -> Notice? {
        let files = PosixFileSystem()
        var runs: [AwayRuns.Entry] = []
        for name in ((try? files.names(in: folder)) ?? []).sorted()
        where name.hasPrefix(Self.prefix) && name.hasSuffix(".json") {
            let path = folder + "/" + name
            guard files.size(path) <= Self.maximumSize, let bytes = try? files.read(path) else { continue }
            files.remove(path)
            guard case .array(let entries)? = try? JSONValue.parse(String(decoding: bytes, as: UTF8.self)) else {
                continue
            }
            runs += entries.compactMap { entry in
                guard case .array(let parts) = entry, parts.count == 2, case .string(let name) = parts[0] else {
                    return nil
                }
                if case .string(let failure) = parts[1] { return .init(name: name, failure: failure) }
                return .init(name: name, failure: nil)
            }
        }
        return runs.isEmpty ? nil : Self.message(runs)
    }

    static func message(_ runs: [AwayRuns.Entry]) -> Notice {
        let failed = runs.filter { $0.failure != nil }
        let count = Count.of(runs.count, "run")
        guard !failed.isEmpty else {
            let names = runs.prefix(maximumNames).map(\.name).joined(separator: ", ")
            return Notice(.success, "While the terminal was away, \(count) passed: \(names); H shows them")
        }
        let words = failed.prefix(maximumNames).map { "\($0.name): \($0.failure ?? "")" }.joined(separator: "; ")
        return Notice(
            .warning, "While the terminal was away, \(count) ended, \(failed.count) failed: \(words); H shows them")
    }
}

/// A program whose terminal is gone.
enum Detachment {
    /// Points the standard streams at nothing: a terminal that is gone fails every write, and its number may be given to
    /// another.
    static func leaveTerminal() {
        // A write to a terminal of which another program is in the foreground stops no work in the background.
        _ = signal(SIGTTOU, SIG_IGN)
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        for stream in 0...2 as ClosedRange<Int32> where nothing != stream { _ = dup2(nothing, stream) }
        if nothing > 2 { _ = close(nothing) }
    }
}
