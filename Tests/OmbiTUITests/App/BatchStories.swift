import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// A folder or a collection is run, watched in its table, stepped into, and looked through.
@Suite struct BatchStories {
    // MARK: Running

    @Test func `s on a folder asks how many at a time, and begins with the first`() {
        var story = Story()
        story.choose("users")
        #expect(story.row(33).contains("s run"))
        story.press("s")
        #expect(story.screen.contains("Run users"))
        #expect(story.screen.contains("3 requests to local"))
        #expect(story.takeOrders().isEmpty)
        story.press("Enter")
        #expect(story.takeOrders().map(\.request.name) == ["list users"])
        #expect(story.state.scopes == [.batch, .lists])
        #expect(story.screen.contains("Run of demo › users"))
        #expect(story.screen.contains("↻ 1"), "the header counts it as any other run")
    }

    @Test func `s on the collection runs all of it, some at a time`() {
        var story = Story()
        story.run("demo", atOnce: 2)
        let orders = story.takeOrders()
        #expect(orders.map(\.request.name) == ["list users", "user by id"])
        #expect(orders.map(\.environment) == ["local", "local"])
        story.pass(orders[1].id)
        #expect(story.takeOrders().map(\.request.name) == ["create user"])
        #expect(story.screen.contains("1 of 3 done"))
    }

    @Test func `the number typed takes the place of the one that stands there`() {
        var story = Story()
        story.choose("users")
        story.press("s")
        story.type("3")
        story.press("Enter")
        #expect(story.takeOrders().count == 3)
    }

    @Test(arguments: ["0", "1001", "many", "-1"]) func `a number that cannot be is refused`(number: String) {
        var story = Story()
        story.choose("users")
        story.press("s")
        story.replace(with: number)
        story.press("Enter")
        #expect(story.takeOrders().isEmpty)
        #expect(story.screen.contains("✗ A number from 1 to 1000"))
        story.press("Esc")
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `a run that has all its results says so, in its table or where that is closed`() {
        var story = Story()
        story.run("users", atOnce: 3)
        let orders = story.takeOrders()
        story.pass(orders[0].id)
        story.press("Esc")
        #expect(story.screen.contains("↻ 2"), "they go on")
        story.pass(orders[1].id)
        #expect(story.state.notice == nil, "and single ends are not told")
        story.time = .seconds(2)
        story.end(orders[2].id, .failure("no route to host"))
        #expect(story.state.notice == Notice(.warning, "users: 3 requests, 1 failed, 2 s; T shows them"))
        story.press("T")
        #expect(story.screen.contains("3 of 3 done · 1 failed · 2 s"))
        #expect(story.lines.contains { $0.contains("✗ POST  create user") && $0.contains("no route to host") })
    }

    @Test func `the next run of a folder proposes the number of the last`() {
        var story = Story()
        story.run("users", atOnce: 2)
        story.press("Ctrl+X")
        for order in story.takeOrders() { story.end(order.id, .cancelled) }
        story.press("s", "Enter")
        #expect(story.takeOrders().count == 2, "s in the table runs all of it again")
        #expect(story.screen.contains("0 of 3 done · 2 running"))
    }

    @Test func `what is sent is the draft, as it was when the run began`() {
        var story = Story()
        story.edit("create user", path: "/draft")
        story.run("users")
        let first = story.takeOrders()[0]
        story.press("Esc")
        story.edit("user by id", path: "/later")
        story.pass(first.id)
        story.pass(story.takeOrders()[0].id)
        let last = story.takeOrders()[0]
        #expect(last.request.path == "/draft")
        #expect(last.collection.requests.map(\.path) == ["/users", "/users/:id", "/draft"])
    }

    @Test func `an environment switched meanwhile does not change where the rest goes`() {
        var story = Story()
        story.run("users")
        let first = story.takeOrders()[0]
        story.press("Esc")
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.pass(first.id)
        #expect(story.takeOrders().map(\.environment) == ["local"])
        story.press("T")
        #expect(story.screen.contains("Run of demo › users ─ local"))
    }

    @Test func `a protected environment asks once for the whole run`() {
        var story = Story()
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.run("users", atOnce: 3)
        #expect(!story.screen.contains("protected environment"), "secrets and trust come first")
        guard case .check(let orders, _)? = story.effects.first else { return #expect(Bool(false)) }
        #expect(orders.map(\.request.name) == ["list users", "user by id", "create user"])
        story.endCheck()
        #expect(story.takeOrders().isEmpty)
        #expect(story.screen.contains("users: 1 request may change something"))
        #expect(story.screen.contains("in the protected environment live."))
        story.press("Esc")
        #expect(story.state.runs.batch == nil)
        story.run("users", atOnce: 3)
        story.endCheck()
        story.type("local")
        story.press("Enter")
        #expect(story.screen.contains("✗ That is not its name"))
        story.replace(with: "live")
        story.press("Enter")
        #expect(story.takeOrders().map(\.request.name) == ["list users", "user by id", "create user"])
        #expect(story.screen.contains("live protected"))
    }

    @Test func `an environment chosen while secrets are asked for is the one that the run is for`() {
        var story = Story()
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.run("users", atOnce: 3)
        story.perform(.files(.switchEnvironment("local", path: "demo.json")))
        story.endCheck()
        #expect(Set(story.takeOrders().map(\.environment)) == ["local"])
    }

    @Test func `reading from a protected environment needs no question`() {
        var story = Story()
        story.choose("create user")
        story.press("d")
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.run("users")
        #expect(story.takeOrders().map(\.environment) == ["live"])
    }

    @Test func `a folder without requests, and a file with a problem, have nothing to run`() throws {
        var story = Story(file: #"{"version": 1, "name": "n", "items": [{"folder": "empty", "items": []}]}"#)
        story.choose("empty")
        story.press("s")
        #expect(story.state.notice == Notice(.info, "empty has no requests; a adds one"))
        var broken = Story(file: "{")
        broken.press("1", "s")
        let text = try #require(broken.state.notice?.text)
        #expect(text.hasPrefix("Could not read demo.json:1:") && text.hasSuffix("; Enter opens it"), "\(text)")
    }

    @Test func `one folder runs at a time`() {
        var story = Story()
        story.run("users")
        story.press("Esc")
        story.choose("demo")
        story.press("s")
        #expect(story.state.overlays.isEmpty)
        #expect(story.state.notice?.text == "users is still running; T shows it, and Ctrl+X there cancels it")
    }

    @Test func `a request that is sent by itself is waited for`() {
        var story = Story()
        story.choose("user by id")
        story.press("s")
        let alone = story.takeOrders()[0].id
        story.run("users", atOnce: 3)
        #expect(story.takeOrders().map(\.request.name) == ["list users"])
        story.end(alone, .cancelled)
        #expect(story.takeOrders().map(\.request.name) == ["user by id", "create user"])
    }

    @Test func `a request that is waited for holds nothing up once it is cancelled`() {
        var story = Story()
        story.choose("list users")
        story.press("s")
        #expect(story.takeOrders().count == 1)
        story.run("users", atOnce: 1)
        #expect(story.takeOrders().isEmpty)
        story.press("x")
        #expect(story.takeOrders().map(\.request.name) == ["user by id"])
    }

    // MARK: Stepping in

    @Test func `one is cancelled, where it waits or runs, and the others go on`() {
        var story = Story()
        story.run("users")
        let first = story.takeOrders()[0]
        story.press("G", "x")
        #expect(story.effects.isEmpty)
        #expect(story.lines.contains { $0.contains("create user") && $0.contains("cancelled") })
        story.press("g", "x")
        #expect(story.takeEffects() == [.cancel(first.id)])
        story.end(first.id, .cancelled)
        #expect(story.takeOrders().map(\.request.name) == ["user by id"])
        story.press("x")
        #expect(story.state.notice?.text == "list users is not running")
    }

    @Test func `all are cancelled: those that wait at once, those that run when they have ended`() {
        var story = Story()
        story.run("users", atOnce: 2)
        let orders = story.takeOrders()
        story.press("Ctrl+X")
        #expect(story.takeEffects() == orders.map { .cancel($0.id) })
        #expect(story.screen.contains("1 of 3 done · 1 cancelled · 2 running"))
        for order in orders { story.end(order.id, .cancelled) }
        #expect(story.takeOrders().isEmpty)
        #expect(story.screen.contains("3 of 3 done · 3 cancelled"))
        story.press("Ctrl+X")
        #expect(story.state.notice?.text == "Nothing is running")
    }

    @Test func `a run in the table is retried at once, or has one more attempt`() {
        var story = Story()
        story.run("users")
        let id = story.takeOrders()[0].id
        story.press("r", "+")
        #expect(story.takeEffects() == [.retryNow(id), .addAttempts(id, 1)])
        story.press("Down", "r")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "user by id is not running")
    }

    @Test func `what failed is run again with its draft, and nothing else`() {
        var story = Story()
        story.run("users", atOnce: 3)
        let orders = story.takeOrders()
        story.press("f")
        #expect(story.state.notice?.text == "users is still running; Ctrl+X cancels the rest")
        story.pass(orders[0].id)
        story.end(orders[1].id, .failure("unknown variable \"x\""))
        story.end(orders[2].id, .cancelled)
        story.press("Esc")
        story.edit("user by id", path: "/mended")
        story.press("T", "f")
        let again = story.takeOrders()
        #expect(again.map(\.request.path) == ["/mended", "/users"])
        for order in again { story.pass(order.id) }
        #expect(story.screen.contains("3 of 3 done · all passed"))
        story.press("f")
        #expect(story.state.notice?.text == "Nothing failed that could be run again")
    }

    @Test func `running again what failed in a protected environment asks again`() {
        var story = Story()
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.run("users", atOnce: 3)
        story.endCheck()
        story.type("live")
        story.press("Enter")
        for order in story.takeOrders() { story.end(order.id, .failure("no route")) }
        story.press("f")
        story.endCheck()
        #expect(story.screen.contains("in the protected environment live."))
        #expect(story.takeOrders().isEmpty)
        story.type("live")
        story.press("Enter")
        #expect(story.takeOrders().count == 3)
    }

    @Test func `an environment that is gone is not run in again`() {
        var story = Story()
        story.run("users")
        story.end(story.takeOrders()[0].id, .failure("no route"))
        story.press("Ctrl+X")
        for order in story.takeOrders() { story.end(order.id, .cancelled) }
        story.press("Esc")
        story.perform(.environments(.open))
        story.perform(.environments(.deleteNamed("local")))
        story.perform(.environments(.close))
        story.press("T", "f")
        #expect(story.takeOrders().isEmpty)
        #expect(story.state.notice?.text == "There is no environment local any more; s runs the folder again")
    }

    // MARK: Looking through

    @Test func `Enter goes to the request with its response, and T back to its row`() throws {
        var story = Story()
        story.run("users", atOnce: 3)
        let orders = story.takeOrders()
        story.receive(.run(orders[1].id, .prepared(SampleRun.sent)))
        story.finish(orders[1].id)
        #expect(!story.effects.contains { if case .view = $0 { true } else { false } }, "nobody looks at it yet")
        story.press("g", "Down", "Enter")
        #expect(story.request?.name == "user by id")
        #expect(story.state.focus == .response)
        let viewer = try #require(story.state.run?.viewer?.id)
        let body = try #require(SampleRun.answer.body)
        #expect(story.takeEffects().contains(.view(viewer, .read(.data(body), contentType: "application/json"))))
        story.readBody()
        #expect(story.screen.contains("\"name\": \"Ada\""))
        story.press("T")
        #expect(story.state.batchPane.current == 1)
    }

    @Test func `a body that grows is read from where it is stored, also when it is looked at later`() throws {
        var story = Story()
        story.run("users", atOnce: 3)
        let orders = story.takeOrders()
        let store = ResponseStore()
        story.receive(
            [
                .attemptStarted(number: 1, attempts: 1, at: .zero),
                .bodyStarted(attempt: 1, store, at: .zero),
            ], of: orders[0].id)
        story.end(orders[0].id, .failure("connection lost"))
        story.press("g", "Enter")
        let viewer = try #require(story.state.run?.viewer)
        #expect(viewer.interruption == "connection lost; only this part arrived")
        #expect(
            story.takeEffects().filter { if case .view = $0 { true } else { false } } == [
                .view(viewer.id, .read(.store(store), contentType: nil)), .view(viewer.id, .readMore(isComplete: true)),
            ])
    }

    @Test func `a request that could not be prepared says why, and Enter goes to it`() {
        var story = Story()
        story.run("users", atOnce: 3)
        let id = story.takeOrders()[0].id
        story.receive(.run(id, .ended(SessionResult(.failure("list users: path: no variable is named \"x\"")))))
        story.press("g")
        #expect(story.lines.contains { $0.contains("✗ GET   list users") && $0.contains("path: no variable is") })
        #expect(story.lines.contains { $0.contains("✗ list users: path: no variable is named \"x\"") })
        story.press("Enter")
        #expect(story.state.focus == .request)
        #expect(story.request?.name == "list users")
    }

    @Test func `a request that was deleted keeps its row, and cannot be gone to`() {
        var story = Story()
        story.run("users", atOnce: 3)
        story.press("Esc")
        story.choose("list users")
        story.press("d", "T", "g", "Enter")
        #expect(story.state.notice?.text == "list users is no longer in the collection")
        #expect(story.screen.contains("GET   list users"))
    }

    @Test func `a filter keeps what matches, also by what came of it, and follows the run`() {
        var story = Story(file: Story.file(requests: 20))
        story.run("many", atOnce: 1000)
        let orders = story.takeOrders()
        story.press("/")
        story.type("failed")
        #expect(story.screen.contains("0 match"))
        #expect(story.screen.contains("No match") == false, "while it is typed, the line is the field")
        story.end(orders[7].id, .failure("no route"))
        story.end(orders[3].id, .failure("no route"))
        story.press("Enter")
        #expect(story.screen.contains("2 match"))
        #expect(story.screen.contains("r3") && story.screen.contains("r7") && !story.screen.contains("r5"))
        story.press("G", "Esc")
        #expect(story.state.batchPane.current == 7, "the cursor stays on its row")
        #expect(story.screen.contains("r5"))
        story.press("Esc")
        #expect(!story.state.batchPane.isOpen)
    }

    @Test func `a word for a result is not found in names`() {
        let file = """
            { "version": 1, "name": "demo", "environments": [{ "name": "local", "host": "http://h" }],
              "items": [{ "request": "fails a lot, then ended", "path": "/failed" }, { "request": "r503", "path": "/" }] }
            """
        var story = Story(file: file)
        story.run("demo", atOnce: 10)
        for order in story.takeOrders() { story.pass(order.id) }
        story.press("/")
        story.type("failed")
        #expect(story.screen.contains("0 match"), "\(story.screen)")
        story.replace(with: "503")
        #expect(story.screen.contains("0 match"), "\(story.screen)")
        story.replace(with: "passed 200")
        #expect(story.screen.contains("2 match"), "\(story.screen)")
        story.replace(with: "fails")
        #expect(story.screen.contains("1 match"), "\(story.screen)")
        // What has ended has no keys of a run, and nothing failed.
        story.press("Esc")
        #expect(!story.screen.contains("x cancel") && !story.screen.contains("run failed"), "\(story.screen)")
    }

    @Test(arguments: [40, 60, 80, 120])
    func `while it goes on, the keys that step in come first, and those that begin again wait`(columns: Int) {
        var story = Story(columns: columns, rows: 18)
        story.run("demo", atOnce: 10)
        let keys = " x cancel  Ctrl+X all  r retry now" + (columns > 40 ? "  + attempt" : "")
        #expect(story.row(17).hasPrefix(keys) && !story.row(17).contains("run again"), "\(story.row(17))")
        for order in story.takeOrders() { story.end(order.id, .cancelled) }
        #expect(story.row(17).hasPrefix(" s run again  Enter open"), "\(story.row(17))")
    }

    @Test func `the cursor goes along with what runs until it is moved`() {
        var story = Story(columns: 80, rows: 24, file: Story.file(requests: 100))
        story.run("many")
        for _ in 0..<50 { story.pass(story.takeOrders()[0].id) }
        #expect(story.state.batchPane.current == 50)
        #expect(story.lines.contains { $0.contains("↻ GET   r50") })
        story.press("Up")
        story.pass(story.takeOrders()[0].id)
        #expect(story.state.batchPane.current == 49)
    }

    @Test func `without a run there is no table`() {
        var story = Story()
        #expect(!story.row(33).contains("T table"))
        story.press("T")
        #expect(story.state.notice?.text == "No folder was run so far; s on a folder runs it")
    }

    // MARK: The mouse

    @Test func `a click selects a row, a click on the selected one opens it, and the wheel scrolls`() {
        var story = Story(columns: 80, rows: 24, file: Story.file(requests: 100))
        story.run("many")
        story.click(on: "GET   r4")
        #expect(story.state.batchPane.current == 4)
        story.perform(.mouse(.wheel(Point(column: 20, row: 10), 3)))
        #expect(story.screen.contains("r3 ") && !story.screen.contains("r2 "))
        story.click(on: "GET   r5")
        #expect(story.state.batchPane.isOpen)
        story.click(on: "GET   r5")
        #expect(!story.state.batchPane.isOpen)
        #expect(story.request?.name == "r5")
    }

    // MARK: Sizes

    @Test(arguments: [(40, 10), (60, 18), (80, 24), (120, 34), (200, 60)])
    func `the row under the cursor shows at every size`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows, file: Story.file(requests: 100))
        story.run("many")
        for key in ["G", "PageUp", "Ctrl+U", "Up", "Ctrl+D", "g", "PageDown", "Down"] {
            story.press(key)
            let name = "r\(story.state.batchPane.current ?? -1)"
            #expect(story.lines.contains { $0.contains("GET   \(name) ") }, "\(name) after \(key):\n\(story.screen)")
        }
    }

    @Test func `a thousand requests draw no more than their visible rows`() {
        var story = Story(columns: 80, rows: 24, file: Story.file(requests: 1000))
        story.run("many", atOnce: 1000)
        for order in story.takeOrders() { story.pass(order.id) }
        #expect(story.screen.contains("1000 of 1000 done · all passed"))
        #expect(story.state.runs.active.isEmpty)
        let views = story.effects.count { if case .view = $0 { true } else { false } }
        #expect(views == 1, "no viewer was made but that of the selected request")
        story.press("G")
        #expect(story.screen.contains("r999"))
    }
}

extension Story {
    /// Runs the folder or the collection of that name, so many requests at a time.
    mutating func run(_ name: String, atOnce concurrency: Int = 1) {
        choose(name)
        press("s")
        replace(with: "\(concurrency)")
        press("Enter")
    }

    /// The orders of the effects so far, which are forgotten.
    mutating func takeOrders() -> [RunOrder] {
        takeEffects().compactMap { if case .send(let order) = $0 { order } else { nil } }
    }

    /// Ends a run with 200 OK.
    mutating func pass(_ id: RunID) {
        receive(.run(id, .prepared(SampleRun.sent)))
        end(id, .response(SampleRun.response(200, "")))
    }

    /// Changes the path of a request.
    mutating func edit(_ name: String, path: String) {
        choose(name)
        press("2", "Enter")
        replace(with: path)
        press("Enter")
    }
}
