import Dispatch
import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Secrets that a program writes or a person types.
@Suite struct SecretSourceTests {
    private static func order(_ source: Secret.Source, id: Int = 1, environment: String = "local") -> RunOrder {
        let environments = ["local", "other"].map {
            Environment(name: $0, host: "http://api.test", secrets: [Secret("token", source)])
        }
        let request = SavedRequest(name: "list", path: "/", headers: [Field("X-Token", "{{token}}")])
        return RunOrder(
            id: id, request: request, collection: Collection(name: "shop", environments: environments),
            environment: environment, file: "/shop/shop.json")
    }

    private static func session(
        sent: Lock<[String]> = Lock([]), steps: SessionSteps = SessionSteps()
    ) -> Session {
        Session(
            transport: StubTransport { request in
                sent.withLock { $0.append(request.headers["X-Token"]?.text ?? "") }
                return .response(statusCode: 200)
            }, steps: steps)
    }

    private static func shell(_ script: String) -> Secret.Source { .command(["/bin/sh", "-c", script]) }

    private static func run(_ session: Session, _ order: RunOrder) async -> SessionResult? {
        for case .ended(let result) in await session.events(of: order) { return result }
        return nil
    }

    #if os(Linux)
    @Test func `a program is started with no signal blocked, whatever the thread blocks`() async throws {
        let text = await withCheckedContinuation { continuation in
            // A thread of a pool, as sessions use.
            DispatchQueue(label: "test").async {
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_SETMASK, &all, nil)
                let command = SecretCommand(words: ["grep", "SigBlk", "/proc/self/status"], folder: "/")
                continuation.resume(returning: try? command.value())
            }
        }
        #expect(text == "SigBlk:\t0000000000000000")
    }
    #endif

    // MARK: The file

    @Test(arguments: [
        (#"{ "command": ["pass", "show", "api/prod"] }"#, Secret.Source.command(["pass", "show", "api/prod"])),
        (
            #"{ "command": ["gcloud", "auth", "print-access-token"], "maximumAge": "50m" }"#,
            .command(["gcloud", "auth", "print-access-token"], maximumAge: .seconds(3000))
        ),
        (#"{ "prompt": "API token" }"#, .prompt("API token")),
        (#"{ "prompt": "" }"#, .prompt("")),
        (#"{ "keyring": { "service": "shop", "account": "me" } }"#, .keyring(service: "shop", account: "me")),
        (#"{ "keyring": { "service": "shop" } }"#, .keyring(service: "shop", account: nil)),
    ])
    func `a source is read from the file, and written as it was`(_ text: String, _ source: Secret.Source) throws {
        let (collection, problems) = Self.read(text)
        #expect(problems == [])
        #expect(collection?.environments.first?.secrets == [Secret("token", source)])
        let again = try #require(collection?.environments.first?.secrets.first?.valueJSON.compact)
        #expect(again.filter { $0 != " " } == text.filter { $0 != " " })
        #expect(try Secret.Source(source.text) == source)
    }

    @Test(arguments: [
        (
            #"{ "command": "pass show 'my key'" }"#,
            "1:114 \"command\": expected an array of words, found a string; no shell reads it, write "
                + "[\"pass\", \"show\", \"my key\"]"
        ),
        (
            #"{ "command": [] }"#,
            "1:114 \"command\": the first word is the program to run; write [\"pass\", \"show\", \"NAME\"]"
        ),
        (#"{ "command": ["pass", 1] }"#, "1:123 \"command\": expected a string, found a number"),
        (#"{ "keyring": {} }"#, "1:114 missing key \"service\""),
        (
            #"{ "keyring": { "service": "s", "acount": "me" } }"#,
            "1:132 unknown key \"acount\"; did you mean \"account\"?"
        ),
    ])
    func `an error has a place and a remedy`(_ text: String, _ expected: String) {
        let problems = Self.read(text).problems
        #expect(problems.map { "1:\($0.position?.column ?? 0) \($0.message)" } == [expected])
    }

    private static func read(_ source: String) -> (collection: Collection?, problems: [Problem]) {
        let text =
            "{\"version\":1,\"name\":\"shop\",\"items\":[],\"environments\":[{\"name\":\"local\",\"host\":\"h\","
            + "\"secrets\":{\"token\":\(source)}}]}"
        return CollectionFile.read(Array(text.utf8), file: "shop.json")
    }

    @Test(arguments: ["command", "command ", "command 'a", "keyring", "keyring a b c", "env", "file ", "vault x", ""])
    func `a text that names no source is refused`(_ text: String) {
        #expect(throws: FieldError.self) { try Secret.Source(text) }
    }

    @Test(arguments: [["a"], ["a b", "c'd", "\"", "\\", ""], ["pass", "show", "ü 😀"]])
    func `words survive the way through a line of text`(_ words: [String]) {
        #expect(CommandWords.words(of: CommandWords.text(words)) == words)
    }

    // MARK: Commands

    @Test func `the first line of a command is the value, and it runs once for each environment`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let source = Self.shell("echo x >> '\(folder)/count'; echo s3cret; echo second line; echo noise >&2")
        let sent = Lock<[String]>([])
        let session = Self.session(sent: sent)
        async let first = Self.run(session, Self.order(source, id: 1))
        async let second = Self.run(session, Self.order(source, id: 2))
        #expect(await first?.passed == true)
        #expect(await second?.passed == true)
        #expect(await Self.run(session, Self.order(source, id: 3))?.passed == true)
        #expect(sent.withLock { $0 } == ["s3cret", "s3cret", "s3cret"])
        #expect(try String(contentsOfFile: folder + "/count", encoding: .utf8) == "x\n")
        let other = await Self.run(session, Self.order(source, id: 4, environment: "other"))
        #expect(other?.passed == true)
        #expect(other?.prepared?.headers.first { $0.name == "X-Token" }?.value == Redactor.mask)
        #expect(try String(contentsOfFile: folder + "/count", encoding: .utf8) == "x\nx\n")
    }

    @Test(arguments: [
        ("exit 3", "/bin/sh failed with status 3"),
        ("printf 'no \\033[31mkey\\n' >&2; exit 1", #"/bin/sh failed with status 1: no \u{1B}[31mkey"#),
        ("echo s3cret-value; echo got s3cret-value >&2; exit 1", "/bin/sh failed with status 1: got ••••••"),
        ("true", "/bin/sh wrote nothing on the first line"),
        ("printf '\\377'", "/bin/sh did not write UTF-8 text"),
        ("kill -9 $$", "/bin/sh was ended by signal 9"),
    ])
    func `a command that fails sends nothing, and says why`(_ script: String, _ reason: String) async {
        let sent = Lock<[String]>([])
        let result = await Self.run(Self.session(sent: sent), Self.order(Self.shell(script)))
        #expect(result?.ending == .failure("list: header \"X-Token\": the secret \"token\": \(reason)"))
        #expect(sent.withLock { $0 } == [])
    }

    @Test func `a program that is not there is named`() async {
        let result = await Self.run(Self.session(), Self.order(.command(["no-such-program-of-ombi", "x"])))
        #expect(
            result?.ending
                == .failure(
                    "list: header \"X-Token\": the secret \"token\": cannot run no-such-program-of-ombi: "
                        + "No such file or directory"))
    }

    @Test(arguments: [
        (
            SecretCommand.Failure(reason: "secret-tool failed with status 1: no bus"),
            "secret-tool failed with status 1: no bus"
        ),
        (
            SecretCommand.Failure(reason: "secret-tool failed with status 1", silentStatus: 1),
            "the keyring has no entry for it; `secret-tool store --label='my shop' service 'my shop' account me` adds one"
        ),
        (
            SecretCommand.Failure(reason: "secret-tool failed with status 2", silentStatus: 2),
            "secret-tool failed with status 2"
        ),
    ])
    func `an entry that the keyring lacks is said, with the command that adds it`(
        _ failure: SecretCommand.Failure, _ expected: String
    ) {
        #expect(Secret.Source.keyring(service: "my shop", account: "me").explain(failure) == expected)
        #expect(Secret.Source.command(["x"]).explain(failure) == failure.reason)
    }

    @Test func `no shell reads the words`() async {
        let sent = Lock<[String]>([])
        let source = Secret.Source.command(["printf", "%s", "$HOME; `id` | *"])
        #expect(await Self.run(Self.session(sent: sent), Self.order(source))?.passed == true)
        #expect(sent.withLock { $0 } == ["$HOME; `id` | *"])
    }

    @Test func `the byte order mark of a command's output is no part of the secret`() throws {
        let command = SecretCommand(words: ["printf", "\\357\\273\\277s3cret\\n"], folder: "")
        #expect(try command.value() == "s3cret")
        let empty = SecretCommand(words: ["printf", "\\357\\273\\277\\n"], folder: "")
        #expect(throws: SecretCommand.Failure.self) { try empty.value() }
    }

    @Test func `a command has a time limit, and its children end with it`() throws {
        let command = SecretCommand(
            words: ["/bin/sh", "-c", "sleep 1000 & sleep 1000"], folder: "", limit: .milliseconds(50))
        #expect(throws: SecretCommand.Failure.self) { try command.value() }
    }

    @Test func `a run that is cancelled does not wait for its command`() async {
        let session = Self.session()
        let queue = DispatchQueue(label: "test")
        let ended = await withCheckedContinuation { continuation in
            let run = session.send(Self.order(Self.shell("sleep 5; echo late")), on: queue) { event in
                if case .ended(let result) = event { continuation.resume(returning: result) }
            }
            run.cancel()
        }
        #expect(ended.ending == .cancelled)
    }

    // MARK: Answers

    @Test func `one answer serves all runs that wait for it, and later ones`() async {
        let asked = Lock<[SecretQuestion]>([])
        let sent = Lock<[String]>([])
        var steps = SessionSteps()
        steps.askForSecret = { _, question in
            asked.withLock { $0.append(question) }
            return "typed"
        }
        let session = Self.session(sent: sent, steps: steps)
        #expect(await Self.run(session, Self.order(.prompt("API token"), id: 1))?.passed == true)
        #expect(await Self.run(session, Self.order(.prompt("API token"), id: 2))?.passed == true)
        #expect(sent.withLock { $0 } == ["typed", "typed"])
        #expect(
            asked.withLock { $0 } == [
                SecretQuestion(
                    name: "token", words: "API token", request: "list", environment: "local", file: "shop.json",
                    destinations: ["http://api.test"])
            ])
    }

    @Test func `without an answer nothing is sent, and the next run asks again`() async {
        let count = Lock(0)
        var steps = SessionSteps()
        steps.askForSecret = { _, _ in
            count.withLock { $0 += 1 }
            return nil
        }
        let session = Self.session(steps: steps)
        let result = await Self.run(session, Self.order(.prompt("")))
        #expect(
            result?.ending
                == .failure(
                    "list: header \"X-Token\": the secret \"token\" is typed when it is needed, and was not; "
                        + "--set token=… gives it"))
        _ = await Self.run(session, Self.order(.prompt("")))
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a variable that is not set is typed where a person waits for one request, but not for each of many`()
        async
    {
        let (asked, sent) = (Lock<[SecretQuestion]>([]), Lock<[String]>([]))
        var steps = SessionSteps()
        steps.asksForVariables = true
        steps.askForSecret = { _, question in
            asked.withLock { $0.append(question) }
            return "typed"
        }
        let session = Self.session(sent: sent, steps: steps)
        let source = Secret.Source.environment("OMBI_TEST_NOT_SET")
        var many = Self.order(source, id: 1)
        many.group = RunGroup([many.request.id])
        #expect(await Self.run(session, many)?.passed == false)
        #expect(await Self.run(session, Self.order(source, id: 2))?.passed == true)
        #expect(await Self.run(session, Self.order(source, id: 3))?.passed == true)
        #expect(sent.withLock { $0 } == ["typed", "typed"])
        #expect(asked.withLock { $0.map(\.variable) } == ["OMBI_TEST_NOT_SET"])
        #expect(asked.withLock { $0.map(\.destinations) } == [["http://api.test"]])
    }

    @Test(arguments: [true, false])
    func `without a value a variable that is not set is named`(isAsked: Bool) async {
        var steps = SessionSteps()
        steps.asksForVariables = isAsked
        let result = await Self.run(Self.session(steps: steps), Self.order(.environment("OMBI_TEST_NOT_SET")))
        let reason = "list: header \"X-Token\": {{token}} reads OMBI_TEST_NOT_SET, which is not set; export it"
        #expect(result?.failures.first?.hasPrefix(reason) == true, "\(String(describing: result?.failures))")
    }

    @Test func `a run of which nothing left the machine is not recorded`() async {
        let recorded = Lock(0)
        var steps = SessionSteps(record: { _, _ in recorded.withLock { $0 += 1 } })
        steps.askForSecret = { _, _ in nil }
        _ = await Self.run(Self.session(steps: steps), Self.order(.prompt("")))
        #expect(recorded.withLock { $0 } == 0)
        steps.askForSecret = { _, _ in "typed" }
        _ = await Self.run(Self.session(steps: steps), Self.order(.prompt("")))
        #expect(recorded.withLock { $0 } == 1)
    }

    @Test func `looking at a request asks for nothing`() throws {
        var steps = SessionSteps()
        steps.askForSecret = { _, _ in
            Issue.record("asked")
            return nil
        }
        let order = Self.order(.prompt(""))
        try Self.session(steps: steps).check([order])
        let shown = Resolver.candidates(in: order.collection, environment: order.collection.environments[0])
        #expect(shown.first { $0.name == "token" }?.note == "secret")
    }

    // MARK: Grants

    @Test(arguments: [GateAnswer.allowed, .allowedNow, .refused])
    func `a command runs and its output is sent after a yes`(_ answer: GateAnswer) async {
        let (asked, sent) = (Lock<[GateQuestion]>([]), Lock<[String]>([]))
        var steps = SessionSteps()
        steps.gate = OmbiWorkspace.Gate(store: nil)
        steps.askForGrants = { _, question in
            asked.withLock { $0.append(question) }
            return answer
        }
        let session = Self.session(sent: sent, steps: steps)
        for _ in 0..<2 { _ = await Self.run(session, Self.order(Self.shell("echo s3cret"))) }
        let lines = ["runs /bin/sh -c \"echo s3cret\"", "sends to http://api.test:"]
        #expect(
            asked.withLock { $0.map { Array($0.lines.prefix(2)) } } == (answer == .refused ? [lines, lines] : [lines]))
        #expect(sent.withLock { $0 } == (answer == .refused ? [] : ["s3cret", "s3cret"]))
    }

    @Test func `the command that would allow it names the file as it was named`() {
        let flow = Flow(.environment("HOME"), to: Destination(text: "http://api.test"))
        let refusal = GateQuestion(file: "my collections/shop.json", flows: [flow]).refusal
        #expect(refusal.hasPrefix("shop.json may not send $HOME"))
        #expect(refusal.contains("`ombi trust 'my collections/shop.json'` shows"), "\(refusal)")
    }

    @Test func `what is refused is not sent, and the reason says what would allow it`() async {
        var steps = SessionSteps()
        steps.gate = OmbiWorkspace.Gate(store: nil)
        let result = await Self.run(Self.session(steps: steps), Self.order(.environment("HOME")))
        #expect(
            result?.failures == [
                "list: trust: shop.json may not send $HOME to http://api.test; `ombi trust /shop/shop.json` shows what "
                    + "the file sends where and allows it, --grant HOME=http://api.test or --trust allows it for one run"
            ])
    }
}
