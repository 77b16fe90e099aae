import ArgumentParser
import OmbiPlatform
import OmbiProcess

/// `ombi demo`: the explorer on a built-in API; without a terminal the same requests headless.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Explore a built-in demo API that works offline.",
        discussion:
            "It has a history of its own, with a bad afternoon to look at, and a second collection that asks before it sends anything of this machine. Without a terminal, the requests are sent as by ombi run --tag '!person', and the results printed."
    )

    func run() throws {
        let collection: String
        let server: DemoServerProcess
        do {
            collection = try Installation.demoCollection()
            server = try DemoServerProcess.start()
        } catch {
            StandardError.print("ombi: \(error)")
            throw ExitStatus.inputOutput
        }
        defer { server.stop() }
        let overrides = Overrides(variables: [Variable("port", String(server.port))])
        if StandardOutput.isTerminal, StandardInput.isTerminal {
            let own = DemoCopy.make(of: collection) ?? collection
            let history = DemoHistory.open(collection: own, port: server.port)
            MainActor.assumeIsolated {
                Explorer.run(
                    paths: [own, DemoCopy.asking(beside: own)], overrides: overrides, remembers: false, trusted: [own],
                    history: history
                )
            }
        }
        // Nobody signs in here.
        let jobs = JobList(try Selection.jobs([collection], environment: nil, tags: ["!person"]))
        try Headless.run(
            jobs, report: RunReport(jobs, output: .table),
            Headless.Surroundings(
                overrides: overrides, gate: Gate(builtIn: [collection]), allowsProtected: false))
    }
}

/// The copy of the demo collection that `ombi demo` opens and saves: each start is the first, and the installed file
/// stays as it is.
enum DemoCopy {
    /// The collection that asks for things of this machine.
    static let stranger = "stranger.json"

    /// Returns the path of a new copy; nil without a home folder, or where it cannot be written.
    static func make(of collection: String) -> String? {
        guard let state = History.standardPath, let slash = state.lastIndex(of: "/") else { return nil }
        guard let copy = make(of: collection, in: state[..<slash] + "/demo") else { return nil }
        if let drafts = Drafts.standard { discard(drafts, of: copy) }
        _ = try? GrantStore.standard?.revoke(asking(beside: copy))
        return copy
    }

    /// The copy of the collection that asks.
    static func asking(beside copy: String) -> String {
        URL(filePath: copy).deletingLastPathComponent().path() + stranger
    }

    /// - Parameter folder: gets the collection, and what lies beside it.
    static func make(of collection: String, in folder: String) -> String? {
        let files = FileManager.default
        let original = URL(filePath: collection).deletingLastPathComponent().path()
        do {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for name in ["demo.json", stranger, "ombi.schema.json", "certificates"] {
                let (source, copy) = (original + name, folder + "/" + name)
                guard files.fileExists(atPath: source) else { continue }
                if files.fileExists(atPath: copy) { try files.removeItem(atPath: copy) }
                try files.copyItem(atPath: source, toPath: copy)
            }
        } catch { return nil }
        return folder + "/demo.json"
    }

    /// Discards the edits of a demo that was killed.
    static func discard(_ drafts: Drafts, of path: String) {
        guard let loaded = CollectionFinder.load([path]).first else { return }
        while let draft = drafts.draft(of: loaded) { drafts.discard(draft) }
    }
}

/// The demo server next to `ombi`. It runs as long as a pipe to it is open, so it ends with this process in any case.
struct DemoServerProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let port: Int
    private let process: Subprocess
    private let lifeline: Int32

    /// Starts the server on a free port and waits until it responds.
    static func start() throws -> DemoServerProcess {
        let program = try Installation.demoServer()
        let (lifeEnd, lifeline) = try makePipe()
        let (output, outputEnd) = try makePipe()
        defer { close(output) }
        let process = try Subprocess([program, "--until-eof"], files: [0: lifeEnd, 1: outputEnd])
        close(lifeEnd)
        close(outputEnd)
        let line = readLine(from: output)
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw Failure(description: "the demo server \(program) did not start: \(line.isEmpty ? "no output" : line)")
        }
        return DemoServerProcess(port: port, process: process, lifeline: lifeline)
    }

    func stop() {
        close(lifeline)
        _ = process.wait()
    }

    /// Returns a pipe that child processes do not inherit.
    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw Failure(description: "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func readLine(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4096 {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
