import OmbiCore
import OmbiDocument
import TestSupport

@testable import OmbiWorkspace

/// Collections with everything that a file can hold, by chance. Names are unique, so that items can be told apart.
struct RandomCollection {
    private var random: SeededRandom
    private var number = 0

    init(seed: Int) { random = SeededRandom(seed: seed) }

    mutating func collection() -> Collection {
        var collection = Collection(name: name(), items: items(0))
        collection.schema = maybe { _ in "./ombi.schema.json" }
        collection.settings = settings()
        collection.environments = (0..<Int.random(in: 0...2, using: &random)).map { _ in environment() }
        return collection
    }

    // MARK: Chance

    private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }

    private mutating func one<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private mutating func list<Value>(_ value: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&self) }
    }

    private mutating func name() -> String {
        number += 1
        return "n\(number)"
    }

    private mutating func text() -> String {
        one([
            "", "a", "{{x}}", "\"q\" \\ /", "é e\u{301} 🧪", "two\nlines\t", " spaces ", "{\"a\": 1}", "\u{7F}\u{0}",
            "null",
        ])
    }

    private mutating func word() -> String { one(["a", "b c", "{{x}}", "Zoë", "./file.json"]) }
    private mutating func duration() -> Duration { .milliseconds(Int.random(in: 1...200_000, using: &random)) }

    private mutating func fields() -> [Field] {
        list { Field($0.name(), $0.text(), enabled: $0.maybe { _ in true } ?? false) }
    }

    private mutating func value(_ depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 3 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .number(one(["0", "-1.50", "1e9", "12345678901234567890"]))
        case 3, 4: .string(text())
        case 5: .array(list { $0.value(depth + 1) })
        default: .object(list { .init($0.name(), $0.value(depth + 1)) })
        }
    }

    // MARK: Items

    private mutating func items(_ depth: Int) -> [CollectionItem] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            if depth < 2, Int.random(in: 0..<3, using: &random) == 0 {
                return .folder(Folder(name: name(), settings: settings(), items: items(depth + 1)))
            }
            return .request(request())
        }
    }

    private mutating func settings() -> SharedSettings {
        var settings = SharedSettings(
            description: text(), variables: fields(), headers: fields(), authentication: maybe { $0.authentication() },
            policy: maybe { $0.policy() }, connection: maybe { $0.connection() })
        settings.tags = list { $0.name() }
        return settings
    }

    private static let methods = RequestMethod.allCases + ["PURGE", "M-SEARCH"]

    private mutating func request() -> SavedRequest {
        var request = SavedRequest(
            name: name(), description: text(), method: one(Self.methods), path: word(),
            pathParameters: fields(), query: fields(), headers: fields(),
            authentication: maybe { $0.authentication() }, body: maybe { $0.body() }, policy: maybe { $0.policy() },
            connection: maybe { $0.connection() }, expect: maybe { $0.expectation() })
        request.tags = list { $0.name() }
        request.captures = list { $0.capture() }
        request.isRecorded = Bool.random(using: &random)
        if request.body?.namesFiles != true { request.compression = maybe { $0.one(RequestCompression.allCases) } }
        request.isDisabled = Bool.random(using: &random)
        request.pages = maybe { $0.pages() }
        request.fallback = maybe {
            SavedFallback($0.one([.history(maximumAge: nil), .history(maximumAge: .seconds(90)), .file("./a.json")]))
        }
        request.webSocket = maybe { random in
            SavedWebSocket(
                subprotocols: random.list { $0.name() },
                messages: random.list { SavedMessage(name: $0.name(), text: $0.text()) })
        }
        return request
    }

    private mutating func environment() -> Environment {
        var environment = Environment(
            name: name(), host: one(["http://a.test", "{{host}}"]), protected: Bool.random(using: &random),
            verifyTLS: Bool.random(using: &random), additionalHeaders: fields(), variables: fields(),
            secrets: list { $0.secret() }, authentication: maybe { $0.authentication() },
            policy: maybe { $0.policy() }, connection: maybe { $0.connection() },
            isAbstract: Bool.random(using: &random))
        environment.isRecorded = Bool.random(using: &random)
        environment.envFile = maybe { _ in "./.env" }
        return environment
    }

    private mutating func secret() -> Secret {
        Secret(
            name(),
            one([
                .environment("A"), .file("~/token"),
                .command(["pass", "show", "x y"], maximumAge: maybe { $0.duration() }),
                .prompt(text()), .keyring(service: "s", account: maybe { _ in "a" }),
            ]))
    }

    // MARK: Parts

    private mutating func authentication() -> SavedAuthentication {
        switch Int.random(in: 0..<11, using: &random) {
        case 5: return .ntlm(NTLMAuthentication(username: text(), password: text(), domain: text()))
        case 6: return .negotiate(NegotiateAuthentication())
        case 7: return .netrc(NetrcAuthentication(file: text()))
        case 8:
            return .aws(
                AWSAuthentication(
                    accessKeyID: "", secretAccessKey: "", region: text(), service: "s3", profile: "p" + text()))
        case 0: return .noAuthentication
        case 1: return .bearer(BearerAuthentication(token: text()))
        case 2: return .basic(BasicAuthentication(username: text(), password: text()))
        case 3: return .digest(DigestAuthentication(username: text(), password: text()))
        case 4: return .apiKey(APIKeyAuthentication(name: "X-Key", value: text(), location: one([.header, .query])))
        default:
            guard case .oauth2(var oauth2) = SavedAuthentication(.oauth2) else { return .noAuthentication }
            (oauth2.tokenURL, oauth2.clientID, oauth2.scope) = ("/token", "id", "a b")
            oauth2.sendsSecretInBody = Bool.random(using: &random)
            return .oauth2(oauth2)
        }
    }

    private mutating func body() -> SavedBody {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .json(JSONContent(value()))
        case 1: .text(TextContent(text(), contentType: maybe { _ in "text/csv" }))
        case 2: .form(FormContent(fields()))
        case 3:
            .multipart(
                MultipartContent(
                    list { random in
                        MultipartPart(
                            random.name(), random.one([.text(random.text()), .file("./a.png")]),
                            contentType: random.maybe { _ in "image/png" },
                            enabled: Bool.random(using: &random.random))
                    }))
        case 4: .file(FileContent("./a.bin", contentType: maybe { _ in "a/b" }))
        default:
            .graphql(
                GraphQLContent(
                    text(), variables: maybe { random in .object(random.list { .init($0.name(), $0.value()) }) },
                    operationName: maybe { _ in "Q" }, schema: maybe { _ in "./s.graphql" }))
        }
    }

    private mutating func policy() -> RequestPolicy {
        RequestPolicy(
            retries: maybe { Int.random(in: 0...1000, using: &$0.random) }, sla: maybe { $0.duration() },
            timeout: maybe { $0.duration() },
            backoff: maybe { random in
                Backoff(
                    first: random.duration(), factor: random.one([1, 2, 2.5]), jitter: random.one([0, 0.25, 1]),
                    ceiling: random.maybe { $0.duration() })
            },
            retryOn: maybe { $0.list { $0.one([.connection, .timeout, .status(.code(429)), .status(.hundreds(5))]) } },
            retryBudget: maybe { RetryBudget(share: $0.one([0.2, 0.025, 1])) },
            breaker: maybe { random in
                CircuitBreaker(
                    failures: Int.random(in: 1...1000, using: &random.random), within: random.duration(),
                    pause: random.duration())
            })
    }

    private mutating func connection() -> SavedConnection {
        var connection = SavedConnection()
        connection.connectTimeout = maybe { $0.duration() }
        connection.caFile = maybe { $0.one(["./ca.pem", "none"]) }
        connection.clientCertificate = maybe { random in
            if Bool.random(using: &random.random) { return .off }
            return SavedCertificate(
                file: "./me.pem", key: random.maybe { _ in "./key.pem" }, password: random.maybe { _ in "{{p}}" })
        }
        connection.minimumTLS = maybe { $0.one(Connection.TLS.Version.allCases) }
        connection.httpVersion = maybe { $0.one(Connection.HTTPVersion.allCases) }
        connection.maximumRedirects = maybe { _ in 3 }
        switch Int.random(in: 0...2, using: &random) {
        case 0: connection.proxy = "http://proxy.test:3128"
        case 1: connection.via = "ssh://me@bastion.test:2222"
        default: connection.unixSocket = "./s"
        }
        connection.resolve = maybe { $0.one([[], ["a.test:443:127.0.0.1"]]) }
        connection.addressFamily = maybe { $0.one(Connection.AddressFamily.allCases) }
        connection.interface = maybe { $0.one(["eth0", "127.0.0.1", "none"]) }
        connection.cookies = maybe { Bool.random(using: &$0.random) }
        connection.maximumReceiveRate = maybe { _ in 1000 }
        connection.maximumSendRate = maybe { _ in 1 }
        return connection
    }

    private mutating func capture() -> Capture {
        Capture(
            name(), one([.path("$.a['b c']"), .header("ETag"), .cookie("sid"), .status, .regex("a(b)+")]),
            isSecret: Bool.random(using: &random), maximumAge: maybe { $0.duration() },
            enabled: Bool.random(using: &random))
    }

    private mutating func pages() -> SavedPages {
        SavedPages(
            one([
                .link("next"), .url(path: "$.next"), .token(path: "$.c", parameter: "after"),
                .count(parameter: "page", start: one([0, 1, 5]), step: one([1, 20])),
            ]), items: "$.items", total: maybe { _ in "$.total" }, maximum: maybe { _ in 7 })
    }

    private mutating func expectation() -> Expectation {
        var expectation = Expectation(
            status: list { $0.one([.code(200), .hundreds(4)]) }, within: maybe { $0.duration() },
            size: maybe { $0.one([NumberComparison(.less, 10), NumberComparison(.equal, 3)]) },
            certificateDays: maybe { _ in 14 },
            headers: list { HeaderExpectation($0.name(), [.equals(.string($0.text()))]) },
            body: list { BodyExpectation("$.\($0.name())", [$0.condition()]) })
        expectation.schema = maybe { $0.one([.file("./a.json"), .inline(.bool(true)), .inline(.object([]))]) }
        return expectation
    }

    private mutating func condition() -> ValueCondition {
        one([
            .equals(value()), .contains(.string("a")), .matches("^a+$"), .type([.string, .null]), .exists(false),
            .count(NumberComparison(.greater, 0)), .less(.number("1.5")), .atLeast(.string("a")),
        ])
    }
}
