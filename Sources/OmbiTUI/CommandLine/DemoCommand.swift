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
        let (collection, server) = try ExitStatus.inputOutput.onError {
            (try Installation.demoCollection(), try DemoServerProcess.start())
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

    /// The folder of the copy and of the history; nil without a home folder.
    static var folder: String? { History.standardPath.map { NewCollection.folder(of: $0) + "/demo" } }

    /// Returns the path of a new copy; nil without a home folder, or where it cannot be written.
    static func make(of collection: String) -> String? {
        guard let folder, let copy = make(of: collection, in: folder) else { return nil }
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

    private static func makePipe() throws -> Subprocess.Pipe {
        if let pipe = Subprocess.pipe() { return pipe }
        throw Failure(description: "cannot make a pipe: \(String(cString: strerror(errno)))")
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

/// The history of the demo: a day of runs that were never sent, with a deploy at 14:02 and a bad quarter of an hour
/// after 14:05, in which one of three addresses fails. It is made by code, the same for the same time, in a file of its
/// own for each day.
struct DemoHistory {
    private let collection: Collection
    private let file: String
    private let host: String
    private let now: Date
    private var random = DemoRandom(state: 7)
    private var spans = DemoRandom(state: 23)

    /// Returns the history of the demo, with its past; nil without a home folder.
    static func open(collection path: String, port: Int, now: Date = Date()) -> History? {
        guard let folder = DemoCopy.folder else { return nil }
        let name = "history-\(ReportTime(now, .system).day).sqlite"
        removeOthers(than: name, in: folder)
        let file = folder + "/" + name
        return Task { await prepare(file, collection: path, port: port, now: now) }.wait()
    }

    /// Returns the history at a path, with the past where it is new.
    static func prepare(_ path: String, collection file: String, port: Int, now: Date) async -> History {
        let history = History(path: path)
        guard (try? await history.count()) == 0, let collection = CollectionFinder.load([file]).first?.collection
        else { return history }
        var past = DemoHistory(collection: collection, file: file, host: "http://127.0.0.1:\(port)", now: now)
        await past.record(in: path)
        return history
    }

    private static func removeOthers(than name: String, in folder: String) {
        for other in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where other.hasPrefix("history-") && !other.hasPrefix(name) {
            try? FileManager.default.removeItem(atPath: folder + "/" + other)
        }
    }

    // MARK: The day

    private struct Kind {
        var path: [String]
        var url: String
        var milliseconds: Double
        var body: @Sendable (_ number: Int) -> String
    }

    /// The last values are those that the demo server answers with: a comparison with today shows what changed over the day.
    private static let kinds = [
        Kind(path: ["orders", "order by id"], url: "/orders/42", milliseconds: 22) { number in
            let status = ["open", "paid", "shipped"][min(2, number / 20)]
            let price = 74.5 - Double(max(0, 6 - number / 9)) * 5
            return
                "{\"id\":42,\"userId\":42,\"item\":\"keyboard\",\"quantity\":3,\"price\":\(price),\"status\":\"\(status)\"}"
        },
        Kind(path: ["users", "user by id"], url: "/users/42", milliseconds: 14) { number in
            let active = !(20..<30).contains(number)
            return
                "{\"id\":42,\"name\":\"Mehmet Diallo\",\"email\":\"user42@example.com\",\"city\":\"Berlin\",\"active\":\(active)}"
        },
        Kind(path: ["orders", "list orders"], url: "/orders?limit=10", milliseconds: 48) { number in
            "{\"items\":[{\"id\":\(number)},{\"id\":\(number + 1)}],\"total\":\(300 + number)}"
        },
    ]

    /// The last 14:05 that is past for long enough.
    private var incident: Date {
        var reading = LocalClock.system.reading(at: now)
        (reading.hour, reading.minute, reading.second) = (14, 5, 0)
        let today = LocalClock.system.date(of: reading)
        return today.addingTimeInterval(1800) < now ? today : LocalClock.system.date(-1, daysAfter: today)
    }

    private mutating func record(in path: String) async {
        let clock = Lock(now)
        let history = History(path: path, now: { clock.withLock { $0 } })
        let start = incident
        var (time, number) = (start.addingTimeInterval(-4 * 3600), 0)
        while time < now.addingTimeInterval(-60) {
            let isBad = time >= start && time < start.addingTimeInterval(900)
            let isNear = abs(time.timeIntervalSince(start)) < 2400
            for kind in Self.kinds {
                let began = time.addingTimeInterval(random.next(upTo: 20))
                let result = result(of: kind, number, isBad: isBad)
                let duration = result.report?.duration ?? .zero
                clock.withLock { $0 = began.addingTimeInterval(duration.inSeconds) }
                if let order = order(kind) { await history.record(order, result) }
            }
            number += 1
            time.addTimeInterval(isBad ? 45 : isNear ? 150 : 900)
        }
        history.finish()
        _ = try? await history.mark("deploy 1.4.2", at: start.addingTimeInterval(-180))
    }

    private func order(_ kind: Kind) -> RunOrder? {
        guard case .request(let request)? = collection.item(atPath: kind.path) else { return nil }
        return RunOrder(
            id: 1, request: request, collection: collection, environment: collection.defaultEnvironment?.name,
            file: file)
    }

    // MARK: A run

    private mutating func result(of kind: Kind, _ number: Int, isBad: Bool) -> SessionResult {
        var prepared = PreparedRequest(
            url: host + kind.url, hostSource: .environment("local"), method: .get,
            headers: [.init(name: "Accept", value: "application/json")], sla: .init(.seconds(5)), attempts: .init(4))
        prepared.traceURL = "https://jaeger.example/trace/{traceId}"
        let trace = spans.digits(32)
        var attempts: [AttemptReport] = []
        var time = Duration.zero
        while true {
            let isLast = attempts.count == 3
            let fails = random.next(upTo: 1) < (isBad ? 0.62 : 0.012)
            let length = duration(kind, isBad: isBad, fails: fails)
            var attempt = attempt(attempts.count + 1, at: time, length, fails: fails)
            attempt.trace = TraceContext("00-\(trace)-\(spans.digits(16))-01")
            attempt.metrics.remoteAddress = Self.address(number + attempts.count, isBad: isBad, fails: fails)
            time += length
            if fails { attempt.received?.headers?["Server-Timing"] = Self.timing(length, isBad: isBad) }
            if fails, !isLast {
                let wait = Duration.milliseconds(200 << attempts.count)
                (attempt.willRetry, attempt.wait, attempt.waitReason) = (true, wait, .backoff)
                time += wait
            }
            attempts.append(attempt)
            if !fails || isLast { break }
        }
        let passed = attempts.last?.outcome == .succeeded
        var response = passed ? Self.response(200, kind.body(number)) : Self.failure
        if let last = attempts.last { response.headers?["Server-Timing"] = Self.timing(last.duration, isBad: isBad) }
        let report = RequestReport(
            attempts: attempts, attemptCount: attempts.count, duration: time, sla: .seconds(5), outcome: .succeeded)
        return SessionResult(.response(response), prepared: prepared, report: report)
    }

    /// The `Server-Timing` of a response: in the bad time most of it goes into waiting for the database.
    private static func timing(_ length: Duration, isBad: Bool) -> RequestHeaders.Value {
        let milliseconds = length.inSeconds * 1000
        let (pool, query) = (Int(milliseconds * (isBad ? 0.85 : 0.02)), Int(milliseconds * (isBad ? 0.08 : 0.6)))
        return "pool;dur=\(pool);desc=\"waiting for a connection\", db;dur=\(query)"
    }

    private static let failure = response(503, "{\"error\":\"the database has no free connection\"}")

    private static func response(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(
            headers: ["Content-Type": "application/json"], statusCode: status, body: Data(body.utf8))
    }

    /// A connection pool that is exhausted: slow before it fails, and slow where it works.
    private mutating func duration(_ kind: Kind, isBad: Bool, fails: Bool) -> Duration {
        let spread = 0.7 + random.next(upTo: 0.9)
        let slow = isBad ? (fails ? 9.0 : 6.0) : 1
        return .microseconds(Int(kind.milliseconds * spread * slow * 1000))
    }

    /// One address has the failures of the bad time but for every sixth.
    private static func address(_ number: Int, isBad: Bool, fails: Bool) -> String {
        let index = isBad && fails && number % 6 > 0 ? 0 : isBad ? 1 + number % 2 : number % 3
        return "10.0.3.\(7 + index):80"
    }

    private mutating func attempt(_ number: Int, at start: Duration, _ length: Duration, fails: Bool) -> AttemptReport {
        let timings = Timings(
            connect: number == 1 ? .microseconds(400) : .zero, send: .microseconds(60),
            wait: length - .microseconds(number == 1 ? 900 : 500), receive: .microseconds(440))
        let metrics = TransportMetrics(
            timings: timings, httpVersion: "1.1", reusedConnection: number > 1, bytesReceived: 180, bytesSent: 120)
        return AttemptReport(
            number: number, reason: number == 1 ? .first : .retry, startedAt: start, duration: length, metrics: metrics,
            outcome: fails ? .failed(.status, StatusCode.words(503)) : .succeeded,
            response: fails ? Self.failure : TransportResponse(statusCode: 200), willRetry: false)
    }
}

/// Numbers that are the same in each run.
private struct DemoRandom {
    var state: UInt64

    mutating func digits(_ count: Int) -> String {
        (0..<count).map { _ in String(Int(next(upTo: 16)), radix: 16) }.joined()
    }

    mutating func next(upTo limit: Double) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53) * limit
    }
}
