import OmbiPlatform
import OmbiProcess
import Synchronization

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

/// The signals that end a program, while an engine runs: the first one asks it to end, so that there are results, the
/// second one ends it.
private final class LoadSignals {
    private let sources: [any DispatchSourceSignal]
    private let raised = Atomic<Int32>(0)
    /// The time of the first signal, in nanoseconds of `DispatchTime`.
    private let time = Atomic<UInt64>(DispatchTime.now().uptimeNanoseconds)
    /// The processes of the engine; 0 before there are some.
    private let group = Atomic<pid_t>(0)

    init() {
        let signals = EndingSignals.take()
        sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(signals, sources) {
            source.setEventHandler { [self] in
                let isFirst = raised.compareExchange(
                    expected: 0, desired: number, ordering: .sequentiallyConsistent
                ).exchanged
                let now = DispatchTime.now()
                if isFirst { time.store(now.uptimeNanoseconds, ordering: .sequentiallyConsistent) }
                let first = DispatchTime(uptimeNanoseconds: time.load(ordering: .sequentiallyConsistent))
                let engine = group.load(ordering: .sequentiallyConsistent)
                // A terminal that is closed sends it twice.
                if !isFirst, number == SIGHUP || now < first + EndingSignals.repetition { return }
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
    var status: ExitStatus? { ExitStatus(signal: raised.load(ordering: .relaxed)) }

    /// Lets the next signal end the program.
    func end() {
        for source in sources { source.cancel() }
        EndingSignals.release()
    }
}

/// The results of a load, as the script of its engine wrote them.
struct LoadResult: Equatable, Sendable {
    /// The figures of one request, or of all.
    struct Figures: Equatable, Sendable, MeasuredRuns {
        var name: String
        var count = 0
        var failed = 0
        var mean: Duration?
        var maximum: Duration?
        /// By the text of the percent: `95`, `99.9`.
        var percentiles: [String: Duration] = [:]

        var eventual: Double? { count > 0 ? Double(count - failed) / Double(count) : nil }
        /// An engine retries nothing.
        var firstTry: Double? { eventual }
        var flaky: Double? { count > 0 ? 0 : nil }
        func percentile(_ percent: Double) -> Duration? { percentiles[Self.text(of: percent)] }

        static func text(of percent: Double) -> String {
            percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
        }
    }

    var requests: [Figures]
    var total: Figures
    /// The workers that ended before the load did.
    private(set) var lostWorkers = 0

    /// Reads the file of results; nil for anything else.
    /// - Parameter names: of the requests, in their order.
    init?(_ text: String, names: [String]) {
        guard let value = try? JSONValue.parse(text), value["requests"]?.elements?.count == names.count
        else { return nil }
        self.init(value)
        for (index, name) in names.enumerated() { requests[index].name = name }
    }

    /// Reads a load of the history; nil for one that is damaged.
    init?(_ load: HistoryLoad) { self.init(load.result) }

    private init?(_ value: JSONValue) {
        guard let requests = value["requests"]?.elements, let total = value["total"] else { return nil }
        self.requests = requests.map { Self.figures($0["name"]?.stringValue ?? "", $0) }
        self.total = Self.figures("all", total)
        lostWorkers = Int(Self.number(value["lostWorkers"]) ?? 0)
    }

    private static func figures(_ name: String, _ value: JSONValue) -> Figures {
        var figures = Figures(name: name)
        figures.count = Int(number(value["count"]) ?? 0)
        figures.failed = min(figures.count, Int(number(value["failed"]) ?? 0))
        (figures.mean, figures.maximum) = (time(value["meanMs"]), time(value["maxMs"]))
        guard case .object(let members)? = value["percentiles"] ?? value["percentilesMs"] else { return figures }
        for member in members { figures.percentiles[member.key] = time(member.value) }
        return figures
    }

    /// A number from 0 on, which an `Int` can hold.
    private static func number(_ value: JSONValue?) -> Double? {
        guard case .number(let text)? = value, let number = Double(text), (0...1e15).contains(number) else {
            return nil
        }
        return number
    }

    private static func time(_ value: JSONValue?) -> Duration? { number(value).map { .microseconds($0 * 1000) } }

    // MARK: Report

    private static let shown = [50.0, 95, 99]

    /// A row for each request and one for all, with the names of the columns above.
    var table: String {
        let rows = [["request", "sent", "failed", "p50", "p95", "p99", "max"]] + (requests + [total]).map(Self.row)
        let widths = (0..<7).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let numbers = (1..<7).map { row[$0].leftPadded(to: widths[$0]) }
            return ([row[0].padded(to: widths[0])] + numbers).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// A sentence about lost workers; nil for none.
    var lossWords: String? {
        guard lostWorkers > 0 else { return nil }
        return "\(Count.of(lostWorkers, "worker")) ended before the load did: the last requests are not counted"
    }

    private static func row(_ figures: Figures) -> [String] {
        let times = shown.map { figures.percentile($0) } + [figures.maximum]
        return [SafeText.line(figures.name), "\(figures.count)", "\(figures.failed)"]
            + times.map { $0.map(TimeText.duration) ?? "–" }
    }

    /// The conditions of a load.
    struct Conditions: Equatable, Sendable {
        var startedAt: Date
        var environment: String?
        var plan: LoadPlan
        /// The paths of the collections.
        var files: [String]

        fileprivate var json: JSONValue {
            [
                "startedAt": .time(startedAt), "environment": .nullable(environment), "users": .number(plan.users),
                "durationMs": .milliseconds(plan.duration),
                "rate": plan.rate.map { JSONValue.number($0) } ?? JSONValue.null, "files": .strings(files),
            ]
        }
    }

    /// `load` in `schema/run.schema.json`.
    /// - Parameter thresholds: with the reason why each was missed; nil for one that was met.
    func json(
        _ engine: LoadEngine, _ thresholds: [(Threshold, String?)], _ conditions: Conditions
    ) -> JSONValue {
        let results = thresholds.map { RunJSON.threshold($0, $1) }
        let value: JSONValue = ["engine": .string(engine.rawValue)]
        return value.appending(conditions.json).appending([
            "requests": .array(requests.map(Self.json)), "total": Self.json(total),
            "lostWorkers": .number(lostWorkers), "thresholds": .array(results),
        ])
    }

    private static func json(_ figures: Figures) -> JSONValue {
        let percentiles = figures.percentiles.sorted { (Double($0.key) ?? 0) < (Double($1.key) ?? 0) }
        return [
            "name": .string(figures.name), "count": .number(figures.count), "failed": .number(figures.failed),
            "meanMs": .milliseconds(figures.mean), "maxMs": .milliseconds(figures.maximum),
            "percentilesMs": .object(percentiles.map { .init($0.key, .milliseconds($0.value)) }),
        ]
    }
}

/// The figures of a load while it runs.
struct LoadProgress: Equatable, Sendable {
    var elapsed: Duration
    var count: Int
    var running: Int
    /// From the scheduled start, where there is one.
    var p50: Duration?
    var p95: Duration?
    var p99: Duration?
    var failures: [FailureClass: Int] = [:]

    /// `12 s, 49.8/s, 597 done, 3 in flight, 2 expectation, 1 connection, p50 12 ms, p95 40 ms, p99 80 ms`; a narrow
    /// terminal cuts the end off.
    /// - Parameter earlier: the figures between which and these the rate counts; nil for all of the time.
    func line(since earlier: LoadProgress? = nil) -> String {
        let times = [("p50", p50), ("p95", p95), ("p99", p99)].compactMap { name, time in
            time.map { "\(name) \(TimeText.duration($0))" }
        }
        let errors = failures.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.value) \($0.key.rawValue)" }
        let parts = [
            TimeText.running(elapsed), TimeText.decimal(rate(since: earlier), places: 1, trimsZeros: true) + "/s",
            "\(count) done", "\(running) in flight",
        ]
        return (parts + errors + times).joined(separator: ", ")
    }

    /// The results in a second.
    private func rate(since earlier: LoadProgress?) -> Double {
        let time = elapsed - (earlier?.elapsed ?? .zero)
        return time > .zero ? Double(count - (earlier?.count ?? 0)) / (time / .seconds(1)) : 0
    }
}

extension RunStatistics {
    /// `the schedule was not kept: 12 of 40 requests began late, by 1.2 s at most; 3 were not sent`; nil where it was.
    var delayWords: String? {
        let missed = missed ?? 0
        guard late > 0 || missed > 0 else { return nil }
        var parts: [String] = []
        if late > 0 {
            let longest = TimeText.duration(maximumLateness)
            parts.append("\(late) of \(Count.of(count, "request")) began late, by \(longest) at most")
        }
        if missed > 0 { parts.append("\(missed) \(missed == 1 ? "was" : "were") not sent") }
        return "the schedule was not kept: " + parts.joined(separator: "; ")
    }
}

/// A line at the end of what a terminal shows, which each text takes the place of.
///
/// It needs no sequence of the terminal: a carriage return, and spaces over what was there.
final class LiveLine: Sendable {
    private let descriptor: Int32
    /// The columns of the text that is shown.
    private let shown = Lock(0)

    init(on descriptor: Int32 = 2) { self.descriptor = descriptor }

    func show(_ text: String) {
        let columns = max(1, TerminalOutput.size(of: descriptor).columns - 1)
        var line = StandardError.glyphs.text(SafeText.line(text))
        while TextWidth.of(line) > columns { line.removeLast() }
        let width = TextWidth.of(line)
        shown.withLock { shown in
            let rest = String(repeating: " ", count: max(0, shown - width))
            shown = width
            TerminalOutput.write(Array(("\r" + line + rest).utf8), to: descriptor)
        }
    }

    /// Takes the text away, so that another one can be printed.
    func clear() {
        shown.withLock { shown in
            guard shown > 0 else { return }
            let spaces = String(repeating: " ", count: shown)
            shown = 0
            TerminalOutput.write(Array("\r\(spaces)\r".utf8), to: descriptor)
        }
    }
}
