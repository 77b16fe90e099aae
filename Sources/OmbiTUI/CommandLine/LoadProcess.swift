import Dispatch
import OmbiProcess
import OmbiTerminal
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A load engine that runs. It is a session of its own, so that all of its processes can be ended.
struct LoadProcess {
    /// The reason why a program could not be run.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// In bytes; a longer line is shown in parts.
    private static let maximumLine = 4096

    /// Returns the absolute path of a program that `PATH` has; nil for none.
    static func find(_ name: String) -> String? {
        for folder in (Screen.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":") {
            let file = "\(folder)/\(name)"
            guard access(file, X_OK) == 0 else { continue }
            return file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
        }
        return nil
    }

    /// Runs a program to its end.
    /// - Parameters:
    ///   - arguments: the path of the program and its arguments.
    ///   - folder: the one that it runs in. Where a collection lies, settings for the engine may lie, too.
    ///   - environment: variables that it has besides ours.
    ///   - onLine: receives each line that it prints, as it is.
    /// - Returns: its exit status, and ours after a signal. The first signal asks it to end, the second one ends it.
    static func run(
        _ arguments: [String], in folder: String, environment: [String: String], onLine: (String) -> Void
    ) throws(Failure) -> (status: Int32, interruption: ExitStatus?) {
        guard let pipe = Subprocess.pipe() else {
            throw Failure(description: "cannot run \(arguments[0]): there are too many open files")
        }
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer {
            close(pipe.read)
            if null >= 0 { close(null) }
        }
        // Before it starts: it may be asked to end at once.
        let signals = LoadSignals()
        let process: Subprocess
        do throws(Subprocess.Failure) {
            process = try Subprocess(
                ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder] + arguments,
                files: [0: null, 1: pipe.write, 2: pipe.write], ownSession: true, environment: environment)
        } catch {
            close(pipe.write)
            signals.end()
            throw Failure(description: error.description)
        }
        close(pipe.write)
        signals.attach(process.pid)
        let early = follow(pipe.read, process, onLine)
        let status = early ?? process.wait()
        signals.end()
        // Workers that their master left behind.
        kill(-process.pid, SIGKILL)
        return (status, signals.status)
    }

    /// Hands on lines until there are no more.
    /// - Returns: the exit status of a program that ended while one of its processes still has the pipe.
    private static func follow(_ descriptor: Int32, _ process: Subprocess, _ onLine: (String) -> Void) -> Int32? {
        var (line, status): ([UInt8], Int32?) = ([], nil)
        var bytes = [UInt8](repeating: 0, count: maximumLine)
        func finish() {
            if !line.isEmpty { onLine(String(decoding: line, as: UTF8.self)) }
            line.removeAll(keepingCapacity: true)
        }
        while true {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let found = poll(&ready, 1, 200)
            if found < 0, errno == EINTR { continue }
            if found == 0 {
                if status != nil { break }
                status = process.status
                continue
            }
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            for byte in bytes[..<count] {
                if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || line.count >= maximumLine { finish() }
                if byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { line.append(byte) }
            }
        }
        finish()
        return status
    }

    // MARK: Files

    /// Creates a folder that only its user may read.
    static func makeFolder(in base: String) throws(Failure) -> String {
        let template = strdup(base + "/ombi-load-XXXXXX")
        defer { free(template) }
        guard let path = template, mkdtemp(path) != nil else {
            throw Failure(description: "cannot make a folder in \(base): \(String(cString: strerror(errno)))")
        }
        return String(cString: path)
    }

    static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }
}

/// Ctrl+C and SIGTERM while an engine runs: the first signal asks it to end, so that there are results, the second one
/// ends it.
private final class LoadSignals {
    private static let signals = [SIGINT, SIGTERM]

    private let sources: [any DispatchSourceSignal]
    private let raised = Atomic<Int32>(0)
    /// The processes of the engine; 0 before there are some.
    private let group = Atomic<pid_t>(0)

    init() {
        for number in Self.signals { signal(number, SIG_IGN) }
        sources = Self.signals.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(Self.signals, sources) {
            source.setEventHandler { [self] in
                let isFirst = raised.compareExchange(
                    expected: 0, desired: number, ordering: .sequentiallyConsistent
                ).exchanged
                let engine = group.load(ordering: .sequentiallyConsistent)
                if engine != 0 { kill(-engine, isFirst ? SIGINT : SIGKILL) }
            }
            source.activate()
        }
    }

    /// Hands on the signals from now on, and one that came before.
    func attach(_ group: pid_t) {
        self.group.store(group, ordering: .sequentiallyConsistent)
        if raised.load(ordering: .sequentiallyConsistent) != 0 { kill(-group, SIGINT) }
    }

    /// The exit status after the signal; nil while there was none.
    var status: ExitStatus? {
        switch raised.load(ordering: .relaxed) {
        case SIGINT: .interrupted
        case SIGTERM: .terminated
        default: nil
        }
    }

    /// Leaves signals to the system again.
    func end() {
        for source in sources { source.cancel() }
        for number in Self.signals { signal(number, SIG_DFL) }
    }
}
