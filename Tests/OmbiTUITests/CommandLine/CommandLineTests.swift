import ArgumentParser
import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// What headless runs print.
@Suite struct RunOutputTests {
    private static func job(_ name: String, method: RequestMethod = .get) -> Job {
        let request = SavedRequest(name: name, method: method, path: "/")
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "demo", items: [.request(request)]),
            environment: nil, file: "demo.json")
        return Job(name: "demo/" + name, order: order)
    }

    private typealias Row = (job: Job, result: SessionResult)

    private static let passed: Row = (
        job("user by id"),
        SessionResult(.response(SampleRun.answer), prepared: SampleRun.sent, report: SampleRun.report)
    )
    private static let refused: Row = (
        job("new", method: .delete), SessionResult(.failure(SampleRun.refusal), report: SampleRun.refused)
    )
    private static let cancelled: Row = (job("x\u{1B}[2Jy\nz"), SessionResult(.cancelled))
    private static let results = [passed, refused, cancelled]

    private static func tally(_ results: [Row]) -> Tally {
        let passed = results.filter { $0.result.passed }.count
        return Tally(passed: passed, failed: results.count - passed)
    }

    /// - Parameter order: the order in which the results come.
    private static func json(_ results: [Row], order: [Int]? = nil, duration: Duration = .zero) -> String {
        var json = RunJSON()
        let text = (order ?? Array(results.indices)).map { json.add(results[$0].job, results[$0].result, at: $0) }
            .joined()
        return text + json.end(tally(results), duration: duration)
    }

    // MARK: Table

    @Test func `the rows of the table line up`() {
        let table = RunTable(Self.results.map(\.job), isColored: false)
        #expect(
            Self.results.map { table.row($0.job, $0.result) } == [
                "✓ GET   demo/user by id  200   705 ms     65 B  2 attempts",
                "✗ DEL   demo/new         –     0.5 ms        –  could not connect to 127.0.0.1:1 (connection refused)",
                "✗ GET   demo/x␛[2Jy␊z    –          –        –  cancelled",
            ])
    }

    @Test(arguments: [
        (false, 3, "this machine does not keep up"),
        (false, 8, "as many requests are in flight as --concurrency allows (8)"),
        (true, 3, "a server allows few more requests"), (true, 8, "a server allows few more requests"),
    ])
    func `a late start has the cause that it waits for`(isHeldBack: Bool, running: Int, cause: String) {
        #expect(RunReport.delayCause(isHeldBack: isHeldBack, running: running, of: 8) == cause)
    }

    @Test func `colours are for terminals`() {
        let row = RunTable([Self.passed.job], isColored: true).row(Self.passed.job, Self.passed.result)
        #expect(row.hasPrefix("\u{1B}[32m✓\u{1B}[m GET"))
        #expect(
            RunTable([], isColored: true).row(Self.refused.job, Self.refused.result).contains(
                "\u{1B}[31mcould not connect"))
    }

    @Test func `a long name pushes its row, not the table`() {
        let long = Self.job(String(repeating: "n", count: 100))
        #expect(RunTable([long, Self.passed.job], isColored: false).nameColumns == 56)
    }

    @Test(arguments: [
        (0, "0 requests, all passed, 1.5 s"), (1, "1 request, all passed, 1.5 s"), (3, "3 requests, 2 failed, 1.5 s"),
    ])
    func `the last line counts`(count: Int, text: String) {
        let table = RunTable([], isColored: false)
        #expect(table.summary(Self.tally(Array(Self.results[..<count])), duration: .milliseconds(1500)) == text)
    }

    // MARK: JSON

    @Test func `the JSON tells every run with every attempt`() throws {
        let text = Self.json(Self.results, duration: .milliseconds(1500))
        let value = try JSONValue.parse(text)
        #expect(text.hasSuffix("}\n"))
        #expect(value["passed"] == .number("1"))
        #expect(value["failed"] == .number("2"))
        #expect(value["durationMs"] == .number("1500"))
        guard case .array(let requests)? = value["requests"], requests.count == 3 else {
            Issue.record("the requests are \(String(describing: value["requests"]))")
            return
        }
        let names = [
            "name", "method", "url", "outcome", "status", "failure", "durationMs", "attemptCount", "bytes", "failures",
            "expectations", "attempts",
        ]
        for request in requests { #expect(Self.names(request) == names) }
        #expect(requests[0]["url"] == .string(SampleRun.sent.url))
        #expect(requests[0]["status"] == .number("200"))
        #expect(requests[0]["bytes"] == .number("65"))
        let outcomes = requests.compactMap { $0["outcome"] }
        #expect(outcomes == [JSONValue.string("passed"), JSONValue.string("error"), JSONValue.string("cancelled")])
        #expect(requests.compactMap { $0["attemptCount"]?.compact } == ["2", "1", "0"])
        #expect(requests[1]["failures"] == .array([.string(SampleRun.refusal)]))
        #expect(requests[1]["failure"] == .string(SampleRun.refusal))
        #expect(requests[2]["name"] == .string("demo/x\u{1B}[2Jy\nz"), "programs get the name as it is")
        for name in ["url", "status", "bytes", "durationMs"] { #expect(requests[2][name] == .null) }
        #expect(requests[2]["attempts"] == .array([]))
    }

    @Test func `results are written in the order of the requests, as soon as that is known`() throws {
        var json = RunJSON()
        #expect(
            json.add(Self.refused.job, Self.refused.result, at: 1) == ""
                && json.add(Self.cancelled.job, Self.cancelled.result, at: 2) == "")
        let text = json.add(Self.passed.job, Self.passed.result, at: 0)
        #expect(text.contains("demo/user by id") && text.contains("demo/new"))
        let inOrder = Self.json(Self.results)
        #expect(Self.json(Self.results, order: [2, 0, 1]) == inOrder)
        #expect(try inOrder == JSONValue.parse(inOrder).text, "laid out as everything else")
        #expect(Self.json([]) == "{\n  \"requests\": [],\n  \"passed\": 0,\n  \"failed\": 0,\n  \"durationMs\": 0\n}\n")
        var interrupted = RunJSON()
        _ = interrupted.add(Self.refused.job, Self.refused.result, at: 3)
        #expect(try JSONValue.parse(interrupted.end(Tally(failed: 1), duration: .zero))["failed"] == .number("1"))
    }

    @Test func `JSON holds nothing that a terminal obeys`() throws {
        let name = "\u{9B}31m\u{202E}x\u{2028}\u{7F}日本\u{E0001}"
        let text = Self.json([(Self.job(name), SessionResult(.cancelled))])
        #expect(text.contains("demo/\\u009b31m\\u202ex\\u2028\\u007f日本\\udb40\\udc01\""))
        guard case .array(let requests)? = try JSONValue.parse(text)["requests"] else {
            Issue.record("no requests")
            return
        }
        #expect(requests[0]["name"] == .string("demo/" + name))
    }

    @Test func `an attempt tells its times in milliseconds`() throws {
        let value = try JSONValue.parse(Self.json([Self.passed]))
        guard case .array(let requests)? = value["requests"], case .array(let attempts)? = requests[0]["attempts"]
        else {
            Issue.record("no attempts")
            return
        }
        #expect(
            attempts.map(Self.names)
                == Array(
                    repeating: [
                        "number", "reason", "startedAtMs", "durationMs", "outcome", "status", "failure", "failureKind",
                        "phasesMs", "waitMs", "waitReason", "notRetried", "address", "reusedConnection",
                    ],
                    count: 2))
        #expect(attempts[0]["outcome"] == .string("failed") && attempts[0]["failureKind"] == .string("status"))
        #expect(attempts[0]["failure"] == .string("503 Service Unavailable"))
        #expect(attempts[0]["waitMs"] == .number("250"))
        #expect(attempts[0]["phasesMs"]?["wait"] == .number("310"))
        #expect(attempts[1]["startedAtMs"] == .number("562"))
        #expect(attempts[1]["status"] == .number("200"))
        #expect(attempts[1]["waitMs"] == .null)
    }

    private static func names(_ value: JSONValue) -> [String] {
        if case .object(let members) = value { members.map(\.key) } else { [] }
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\nb\tc", "a␊b c"), ("\u{1B}]0;title\u{07}", "␛]0;title␇"), ("e\u{301}日本", "e\u{301}日本"),
        ("\u{202E}x\u{9B}31m", "\u{FFFD}x\u{FFFD}31m"), ("", ""),
    ])
    func `a terminal obeys nothing of a text`(text: String, safe: String) {
        #expect(SafeText.line(text) == safe)
    }

    @Test(arguments: [
        ("plain\nof two lines\n", "plain\nof two lines\n"), ("a\tb\r\nc\rd", "a\tb\r\nc␍d"), ("", ""),
        ("\u{1B}]52;c;SE9T\u{07}", "␛]52;c;SE9T␇"), ("\u{1B}[2J\u{1B}[?1049l\u{1B}c", "␛[2J␛[?1049l␛c"),
        ("\u{9B}2J\u{202E}x\u{7F}\u{AD}", "\u{FFFD}2J\u{FFFD}x␡\u{FFFD}"), ("e\u{301}日本👩‍👩‍👧", "e\u{301}日本👩‍👩‍👧"),
        (Paint.red.text("✗") + " a", "\u{1B}[31m✗\u{1B}[m a"), ("\u{1B}[31;5m\u{1B}[8m\u{1B}", "␛[31;5m␛[8m␛"),
    ])
    func `a terminal gets lines, tabs and the colours of rows, and no other control`(text: String, safe: String) {
        #expect(SafeText.terminal(text) == safe)
        #expect(SafeText.terminal(safe) == safe)
    }

    @Test func `code keeps its tabs`() {
        #expect(SafeText.code("a\tb\r\n\t\u{301}\u{1B}[31m\n") == "a\tb␍\n\t\(SafeText.line("\u{301}"))␛[31m\n")
    }

    /// Copying the text for each character takes hours.
    @Test(.timeLimit(.minutes(2))) func `a text of megabytes is made safe in one pass`() {
        let text = "é\u{301}\n" + String(repeating: "x\n", count: 1_000_000)
        #expect(SafeText.line(text).utf8.count == text.utf8.count + 2 * 1_000_001)
        #expect(SafeText.terminal(text).utf8.count == text.utf8.count)
    }

    @Test(arguments: [
        ("chek", "; did you mean \"check\"?"), ("histroy", "; did you mean \"history\"?"), ("shop.json", nil),
        ("/chek", ""), ("frobnicate", "; ombi help lists the commands"), ("nowhere/", ""), ("shop.yml", ""),
    ])
    func `only a collection file is opened that does not exist`(word: String, hint: String?) throws {
        var message: String?
        do { _ = try Ombi.parseAsRoot([word]) } catch { message = Ombi.message(for: error) }
        #expect(message == hint.map { "there is no file or folder \"\(word)\"" + $0 })
    }

    @Test func `a command after other words is told where it goes`() {
        let error = #expect(throws: (any Error).self) { try Ombi.parseAsRoot(["-e", "local", "run"]) }
        let message = error.map { Ombi.message(for: $0) }
        #expect(message == "there is no file or folder \"run\"; a command comes first: ombi run")
    }

    /// Half of the start of a command went into the names of types.
    @Test func `no command takes its name from its type`() {
        var commands: [any ParsableCommand.Type] = [Ombi.self]
        var count = 0
        while let command = commands.popLast() {
            #expect(command.configuration.commandName != nil, "\(command)")
            commands += command.configuration.subcommands
            count += 1
        }
        #expect(count > 20)
    }

    @Test(arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files")]) func `nouns are counted`(count: Int, text: String)
    {
        #expect(Count.of(count, "file") == text)
    }
}

/// `COLLECTION[/FOLDER[/REQUEST]]` against files in a folder.
@Suite struct SelectionTests {
    /// A folder of its own with `shop.json` (the collection "demo"), a broken file and one that is no collection.
    private struct Folder: ~Copyable {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try write("shop.json", Story.file)
            try write("other.json", "{}")
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
        }
    }

    @Test(arguments: [
        ("", ["demo/users/list users", "demo/users/user by id", "demo/users/create user"]),
        ("/shop.json", ["demo/users/list users", "demo/users/user by id", "demo/users/create user"]),
        ("/shop.json/users/user by id", ["demo/users/user by id"]),
        ("/shop.json/users", ["demo/users/list users", "demo/users/user by id", "demo/users/create user"]),
        ("/shop.json/", ["demo/users/list users", "demo/users/user by id", "demo/users/create user"]),
        ("/shop.json/users/", ["demo/users/list users", "demo/users/user by id", "demo/users/create user"]),
    ])
    func `a path selects a folder of files, a file, or a part of it`(selection: String, names: [String]) throws {
        let folder = try Folder()
        let jobs = try Selection.jobs([folder.path + selection], environment: nil)
        #expect(jobs.map(\.name) == names)
        #expect(jobs.map(\.order.id) == Array(1...names.count))
        #expect(jobs.allSatisfy { $0.order.environment == "local" && $0.order.file.hasPrefix(folder.path + "/") })
    }

    @Test func `the file of another tool gives its requests`() throws {
        let folder = try Folder()
        try folder.write(
            "postman.json",
            """
            { "info": { "name": "Shop" }, "item": [{ "name": "folder", "item": [
              { "name": "one", "request": "https://a.test/x" }] }] }
            """)
        for selection in ["/postman.json", "/postman.json/folder", "/postman.json/folder/one"] {
            let jobs = try Selection.jobs([folder.path + selection], environment: nil)
            #expect(jobs.map(\.name) == ["Shop/folder/one"])
        }
    }

    @Test func `several selections keep their order, and repeat what is named twice`() throws {
        let folder = try Folder()
        let file = folder.path + "/shop.json"
        let jobs = try Selection.jobs([file + "/users/create user", file + "/users/create user"], environment: "live")
        #expect(jobs.map(\.name) == ["demo/users/create user", "demo/users/create user"])
        #expect(jobs.map(\.order.id) == [1, 2])
        #expect(jobs[0].order.environment == "live")
    }

    @Test func `selections of one file share its requests, however they name it`() throws {
        let folder = try Folder()
        let selections = ["/shop.json/users/create user", "/../shop.json", "/shop.json/users", ""]
        let name = folder.path.split(separator: "/").last ?? ""
        let jobs = try Selection.jobs(
            selections.map { folder.path + $0.replacing("/../", with: "/../\(name)/") }, environment: nil
        ).filter { $0.request.name == "create user" }
        #expect(jobs.count == 4)
        #expect(Set(jobs.map(\.request.id)).count == 1)
        #expect(Set(jobs.map(\.order.file)).count == 1)
    }

    @Test func `where one request is needed, the help and the errors say so`() throws {
        let folder = try Folder()
        let users = folder.path + "/shop.json/users"
        let one = try HistoryRequestSelection.parse([users + "/list users"]).filter()
        #expect(one.item == ItemPath(file: folder.path + "/shop.json", path: ["users", "list users"]))
        let error = #expect(throws: ValidationError.self) {
            try HistoryRequestSelection.parse([folder.path + "/shop.json"]).filter()
        }
        #expect(error?.message.hasPrefix("Name one request: COLLECTION/FOLDER/REQUEST.") == true)
        for names in [[users + "/list users", users + "/user by id"], []] {
            #expect(throws: (any Error).self) { try HistoryRequestSelection.parse(names) }
        }
        let (simulate, values) = (HistoryCommand.Simulate.self, HistoryCommand.Values.self)
        for help in [simulate.helpMessage(columns: 200), values.helpMessage(columns: 200)] {
            #expect(help.contains("The request: COLLECTION/FOLDER/REQUEST.") && !help.contains("default: all"))
        }
        #expect(FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func `a name with a slash in it is found`() throws {
        let folder = try Folder()
        try folder.write(
            "slash.json", "{ \"version\": 1, \"name\": \"s\", \"items\": [{ \"request\": \"a/b\", \"path\": \"/\" }] }")
        let jobs = try Selection.jobs([folder.path + "/slash.json/a/b"], environment: nil)
        #expect(jobs.map(\.request.name) == ["a/b"])
    }

    /// Two requests, a folder and what is in it, as `ombi list` prints them.
    @Test(arguments: [
        ("users", ["n/users", "n/users/by id", "n/users"]), ("users/by id", ["n/users/by id"]),
        ("a/b", ["n/a/b", "n/a/b"]), ("a", ["n/a/b"]), ("users/", ["n/users/by id"]), ("a/", ["n/a/b"]),
    ])
    func `what has one name is selected together, and a folder behind a request of its name is found`(
        selection: String, names: [String]
    ) throws {
        let folder = try Folder()
        try folder.write(
            "names.json",
            """
            { "version": 1, "name": "n", "items": [
                { "request": "users", "path": "/" },
                { "folder": "users", "items": [{ "request": "by id", "path": "/" }] },
                { "request": "users", "method": "POST", "path": "/" },
                { "request": "a/b", "path": "/" },
                { "folder": "a", "items": [{ "request": "b", "path": "/" }] }] }
            """)
        let jobs = try Selection.jobs([folder.path + "/names.json/" + selection], environment: nil)
        #expect(jobs.map(\.name) == names)
    }

    @Test func `an imported request whose name is taken gets a number`() throws {
        let folder = try Folder()
        let file = folder.path + "/new.json"
        let requests = ["count", "count", "count 2"].map { SavedRequest(name: $0, path: "/") }
        try ImportTarget(file).add([SavedRequest(name: "users", path: "/")])
        try ImportTarget(file + "/counts").add(requests)
        try ImportTarget(file).add(requests)
        #expect(throws: ExitStatus.misuse) { try ImportTarget(file + "/count").add(requests) }
        #expect(
            try Selection.jobs([file], environment: nil).map(\.name) == [
                "new/users", "new/counts/count", "new/counts/count 2", "new/counts/count 2 2", "new/count",
                "new/count 2", "new/count 2 2",
            ])
    }

    @Test(arguments: ["/shop.json/nobody", "/shop.json/users/nobody", "/shop.json/users/create user/"])
    func `what is not there is misuse`(selection: String) throws {
        let folder = try Folder()
        #expect(throws: ExitStatus.misuse) { try Selection.jobs([folder.path + selection], environment: nil) }
    }

    @Test(arguments: [
        ("", ["b/Team A/Display Name", "b/ping"]), ("/users", ["b/Team A/Display Name"]),
        ("/users/", ["b/Team A/Display Name"]), ("/users/Display Name", ["b/Team A/Display Name"]),
        ("/users/one.bru", ["b/Team A/Display Name"]), ("/Team A/Display Name", ["b/Team A/Display Name"]),
        ("/ping.bru", ["b/ping"]),
    ])
    func `a file or a folder of Bruno is a part of the collection around it`(path: String, names: [String]) throws {
        let folder = try Folder()
        let users = folder.path + "/bruno/users"
        try FileManager.default.createDirectory(atPath: users, withIntermediateDirectories: true)
        try folder.write("bruno/bruno.json", #"{ "version": "1", "name": "b", "type": "collection" }"#)
        try folder.write("bruno/collection.bru", "vars:pre-request {\n  base: http://127.0.0.1\n}\n")
        try folder.write("bruno/ping.bru", "meta {\n  name: ping\n  seq: 9\n}\n\nget {\n  url: {{base}}/ping\n}\n")
        try folder.write("bruno/users/folder.bru", "meta {\n  name: Team A\n}\n\nheaders {\n  X-Team: a\n}\n")
        try folder.write("bruno/users/one.bru", "meta {\n  name: Display Name\n}\n\nget {\n  url: {{base}}/x\n}\n")
        let jobs = try Selection.jobs([folder.path + "/bruno" + path], environment: nil)
        #expect(jobs.map(\.name) == names)
        #expect(jobs.allSatisfy { $0.order.file == folder.path + "/bruno/bruno.json" })
        let opened = OpenedFile.read([users])
        #expect(opened.map(\.path) == [folder.path + "/bruno/bruno.json"] && opened.first?.collection?.name == "b")
    }

    @Test func `a folder of OpenCollection is a part of the collection around it, and other YAML next to it is not`()
        throws
    {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/api/users", withIntermediateDirectories: true)
        try folder.write("api/opencollection.yml", "opencollection: 1.0.0\ninfo:\n  name: Shop\n")
        try folder.write(
            "api/users/one.yml", "info:\n  name: One\n  type: http\nhttp:\n  method: GET\n  url: http://127.0.0.1/x\n")
        let document = "openapi: 3.1.0\ninfo:\n  title: A\n  version: '1'\npaths:\n  /x:\n    get: {}\n"
        try folder.write("api/users/openapi.yaml", document)
        for path in ["/api/users", "/api/users/one.yml", "/api/users/One"] {
            #expect(try Selection.jobs([folder.path + path], environment: nil).map(\.name) == ["Shop/users/One"])
        }
        #expect(Importer.part(at: folder.path + "/api/users/openapi.yaml") == nil)
    }

    @Test(arguments: ["", "/users", "/users/One user", "/users/One.request.yaml"])
    func `a folder or a request of Postman 3 is a part of its collection`(path: String) throws {
        let folder = try Folder()
        let shop = "postman/collections/Shop"
        let parts = folder.path + "/" + shop + "/users/.resources"
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        let own = folder.path + "/" + shop + "/.resources"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let variables = "variables:\n  - key: base\n    value: http://127.0.0.1\n"
        try folder.write(shop + "/.resources/definition.yaml", "$kind: collection\n" + variables)
        try folder.write(shop + "/users/.resources/definition.yaml", "$kind: collection\nname: People\n")
        try folder.write(
            shop + "/users/One.request.yaml",
            "$kind: http-request\nname: One user\nurl: '{{base}}/x'\nmethod: GET\n")
        let jobs = try Selection.jobs([folder.path + "/" + shop + path], environment: nil)
        #expect(jobs.map(\.name) == ["Shop/People/One user"])
    }

    @Test(arguments: ["/missing.json", "/missing.json/users", "/missing", "/missing/users"])
    func `a file that is not there is one that cannot be read`(selection: String) throws {
        let folder = try Folder()
        #expect(throws: ExitStatus.inputOutput) { try Selection.jobs([folder.path + selection], environment: nil) }
    }

    @Test func `an environment that is not there is misuse`() throws {
        let folder = try Folder()
        #expect(throws: ExitStatus.misuse) { try Selection.jobs([folder.path], environment: "moon") }
    }

    @Test func `a folder without collections is misuse`() throws {
        let folder = try Folder()
        try FileManager.default.removeItem(atPath: folder.path + "/shop.json")
        #expect(throws: ExitStatus.misuse) { try Selection.jobs([folder.path], environment: nil) }
    }

    @Test func `nothing is selected from a folder with a broken collection`() throws {
        let folder = try Folder()
        try folder.write("broken.json", "{ \"version\": 1, \"items\": [ }")
        #expect(throws: ExitStatus.misuse) { try Selection.jobs([folder.path], environment: nil) }
        #expect(try Selection.jobs([folder.path + "/shop.json"], environment: nil).count == 3)
    }
}
