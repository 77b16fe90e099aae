import Foundation
import OmbiAuthentication
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Random collection files, with local files, inherited environments, captures, tokens and redirects, sent to servers at
/// 127.0.0.1, against a model of sources and destinations: a server gets no byte of a source without a grant, and all that is
/// granted.
///
/// `OMBI_MODEL_RUNS` sets their number.
@Suite struct GateServerModelTests {
    private static let runs = ProcessInfo.processInfo.environment["OMBI_MODEL_RUNS"].flatMap { Int($0) } ?? 200

    /// A source by its letter: two variables of the process, a secret and a variable of the local file, a file outside the
    /// workspace, a captured value, and the token of an authorization server.
    private enum Letter {
        static let templates = ["A", "B", "L", "V"]
        static let all = templates + ["F", "T", "K"]
    }

    private static func value(_ letter: String) -> String {
        letter == "K" ? "t0ken/of+K=x" : "v4lue/of+\(letter)\"=\(letter)x"
    }

    private struct World {
        var seed: Int
        var file = Data()
        var start = 0
        /// The server and the sources of the request that captures; nil without one.
        var login: (server: Int, sources: Set<String>)?
        var capturesSecret = true
        /// The server and the sources of the client's credentials; nil without one.
        var token: (server: Int, sources: Set<String>, redirect: Int?)?
        var redirects: [Int: (status: Int, to: Int)] = [:]
        var isPost = false
        var url: Set<String> = []
        var body: Set<String> = []
        var headers: [String: Set<String>] = [:]
        /// The fields that stay in the origin of the request.
        var bound: Set<String> = ["authorization"]
        /// The header of the environment, which the capturing request has, too.
        var inherited: Set<String>?
        var grants: Set<String> = []

        init(_ seed: Int, _ hosts: [String], outside: String) {
            self.seed = seed
            var dice = Dice(random: SeededRandom(seed: UInt64(seed)), hasCapture: false)
            start = dice.number(0...2)
            let home = dice.chance(50) ? start : dice.number(0...2)
            if dice.chance(40) { login = (dice.number(0...2), []) }
            capturesSecret = dice.chance(70)
            dice.hasCapture = login != nil
            for server in 0..<3 where dice.chance(45) {
                redirects[server] = (dice.pick([301, 302, 303, 307, 308]), dice.number(0...2))
            }
            for letter in Letter.all {
                for server in 0..<3 where dice.chance(65) { grants.insert("\(letter) \(server)") }
            }
            var content: [String: Any] = ["version": 1, "name": "c"]
            content["environments"] = environments(hosts, home, &dice)
            content["items"] = items(hosts, home, outside, &dice)
            content["variables"] = dice.variables
            file = (try? JSONSerialization.data(withJSONObject: content, options: .sortedKeys)) ?? Data()
        }

        private mutating func environments(_ hosts: [String], _ home: Int, _ dice: inout Dice) -> [[String: Any]] {
            var base: [String: Any] = [
                "name": "base", "abstract": true, "secrets": ["A": ["env": "A"], "B": ["env": "B"]],
            ]
            if dice.chance(40) {
                let (text, sources) = dice.template(withCapture: false)
                base["additionalHeaders"] = ["X-E": text]
                (inherited, headers["x-e"]) = (sources, sources)
                bound.insert("x-e")
            }
            return [base, ["name": "e", "inherits": "base", "host": hosts[home]]]
        }

        private mutating func items(
            _ hosts: [String], _ home: Int, _ outside: String, _ dice: inout Dice
        ) -> [[String: Any]] {
            var request: [String: Any] = ["request": "r", "path": start == home ? "/r" : hosts[start] + "/r"]
            // Fields of the environment go to its own host alone.
            if start != home { headers["x-e"] = nil }
            isPost = dice.chance(50)
            request["method"] = isPost ? "POST" : "GET"
            var fields: [[String: String]] = []
            for index in 0..<dice.number(0...2) {
                let (text, sources) = dice.template()
                fields.append(["name": "X-\(index)", "value": text])
                headers["x-\(index)"] = sources
            }
            request["headers"] = fields
            if dice.chance(25) {
                let (text, sources) = dice.template()
                request["query"] = [["name": "q", "value": text]]
                url = sources
            }
            if isPost {
                let (text, sources) = dice.template()
                (request["body"], body) = dice.chance(25) ? (["file": outside], ["F"]) : (["text": text], sources)
            }
            authenticate(&request, hosts, &dice)
            guard let server = login?.server else { return [request] }
            let (text, sources) = dice.template(withCapture: false)
            login?.sources = sources.union(server == home ? inherited ?? [] : [])
            return [
                [
                    "request": "login", "path": hosts[server] + "/login",
                    "headers": [["name": "X-L", "value": text]],
                    "capture": ["T": ["path": "$.t", "secret": capturesSecret]],
                ], request,
            ]
        }

        private mutating func authenticate(_ request: inout [String: Any], _ hosts: [String], _ dice: inout Dice) {
            let (text, sources) = dice.template()
            switch dice.number(0...3) {
            case 0:
                request["authentication"] = ["bearer": text]
                headers["authorization"] = sources
            case 1:
                request["authentication"] = ["basic": ["username": "u", "password": text]]
                headers["authorization"] = sources
            case 2:
                let server = dice.number(0...2)
                token = (server, sources, dice.chance(15) ? dice.number(0...2) : nil)
                request["authentication"] = [
                    "oauth2": [
                        "grant": "clientCredentials", "tokenURL": hosts[server] + "/token", "clientID": "i",
                        "clientSecret": text, "secretIn": dice.pick(["body", "header"]),
                    ]
                ]
                headers["authorization"] = sources.isEmpty ? [] : ["K"]
            default: break
            }
        }

        // MARK: The model

        func lacks(_ sources: Set<String>, _ server: Int) -> Bool {
            sources.contains { letter in
                let home = letter == "T" ? login?.server : letter == "K" ? token?.server : nil
                if letter == "T", !capturesSecret || home == nil { return false }
                // A token that nobody's secret brought belongs to whoever wrote the file.
                let brought = token?.sources.filter { $0 != "T" || capturesSecret } ?? []
                if letter == "K", brought.isEmpty { return false }
                return home != server && !grants.contains("\(letter) \(server)")
            }
        }

        /// What the servers get, in order: number of the server, path, and the fields among those of the world.
        var expected: [String] {
            var got: [String] = []
            let sent = headers.values.reduce(url.union(body)) { $0.union($1) }
            let uses = sent.union(token?.sources ?? [])
            if let login, uses.contains("T") {
                if lacks(login.sources, login.server) { return got }
                got.append("\(login.server) /login")
            }
            if lacks(sent, start) { return got }
            if let token {
                if lacks(token.sources, token.server) { return got }
                got.append("\(token.server) /token")
                if let redirect = token.redirect {
                    guard redirect == token.server else { return got }
                    got.append("\(redirect) /moved")
                }
            }
            var (server, kept, isPost) = (start, headers, isPost)
            while true {
                let fields = kept.keys.sorted() + (isPost ? ["body"] : [])
                got.append("\(server) /r " + fields.joined(separator: " "))
                guard let (status, target) = redirects[server], got.filter({ $0.contains("/r") }).count < 4 else {
                    break
                }
                if status == 303 || isPost && (status == 301 || status == 302) { isPost = false }
                if isPost, lacks(body, target) { break }
                kept = kept.filter { (target == server || !bound.contains($0.key)) && !lacks($0.value, target) }
                server = target
            }
            return got
        }
    }

    private struct Dice {
        var random: SeededRandom
        var hasCapture: Bool
        var variables: [String: String] = [:]

        init(random: SeededRandom, hasCapture: Bool) { (self.random, self.hasCapture) = (random, hasCapture) }

        mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
        mutating func pick<Value>(_ list: [Value]) -> Value { list[number(0...list.count - 1)] }

        /// A template whose value is made of some sources.
        mutating func template(withCapture: Bool = true) -> (text: String, sources: Set<String>) {
            let letters = Letter.templates + (withCapture && hasCapture ? ["T", "T"] : [])
            let (one, other, variable) = (pick(letters), pick(letters), "v\(variables.count)")
            switch number(0...7) {
            case 0, 1: return ("plain", [])
            case 2: return ("{{\(one)}}", [one])
            case 3: return ("a{{\(one)}}b{{\(other)}}", [one, other])
            case 4: return ("{{$base64('u:', \(one))}}", [one])
            case 5: return ("{{$sha256(\(one))}}", [one])
            default:
                variables[variable] = "x{{\(one)}}"
                return ("{{$base64(\(variable))}}{{\(other)}}", [one, other])
            }
        }
    }

    /// Three servers that answer as the world of the moment says.
    private final class Servers: Sendable {
        let world: Lock<World?>
        let got: Lock<[(server: Int, request: LoopbackRequest)]>
        let servers: [LoopbackServer]

        init() throws {
            let (world, got, hosts) = (
                Lock<World?>(nil), Lock<[(server: Int, request: LoopbackRequest)]>([]), Lock<[String]>([])
            )
            servers = try (0..<3).map { number in
                try LoopbackServer { request in
                    got.withLock { $0.append((number, request)) }
                    guard let world = world.withLock({ $0 }) else { return .ok("") }
                    let hosts = hosts.withLock { $0 }
                    let path = request.target.prefix { $0 != "?" }
                    let text = value("T").replacing("\"", with: "\\\"")
                    switch path {
                    case "/login": return .ok("{\"t\":\"\(text)\"}")
                    case "/token":
                        if let to = world.token?.redirect { return .redirect(307, to: hosts[to] + "/moved") }
                        return .ok("{\"access_token\":\"\(value("K"))\",\"token_type\":\"Bearer\"}")
                    case "/moved": return .ok("{\"access_token\":\"\(value("K"))\",\"token_type\":\"Bearer\"}")
                    default:
                        let count = got.withLock { $0.count { $0.request.target.hasPrefix("/r") } }
                        guard let (status, to) = world.redirects[number], count < 4 else { return .ok("{}") }
                        return .redirect(status, to: hosts[to] + "/r")
                    }
                }
            }
            hosts.withLock { [servers] in $0 = servers.map(\.host) }
            (self.world, self.got) = (world, got)
        }

        var hosts: [String] { servers.map(\.host) }

        func begin(_ world: World) {
            self.world.withLock { $0 = world }
            got.withLock { $0 = [] }
        }
    }

    /// The texts in which a value may be found.
    private static func forms(_ letter: String) -> [String] {
        let value = value(letter)
        let coded = (0..<3).map { shift -> String in
            let text = (Data(repeating: 0, count: shift) + Data(value.utf8)).base64EncodedString()
            return String(text.dropFirst(shift == 0 ? 0 : 4).prefix(value.utf8.count))
        }
        return [
            value, PercentEncoding.escapeParameter(value), PercentEncoding.escapeForm(value),
            value.replacing("\"", with: "\\\""), value.replacing("/", with: "\\/"),
            HashFunction.sha256.hex(Data(value.utf8)),
        ] + coded
    }

    @Test func `a server gets what was granted to it, and no byte more`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "model-" + UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (file, outside) = (folder + "/shop/c.json", folder + "/outside")
        try FileManager.default.createDirectory(atPath: folder + "/shop/.git", withIntermediateDirectories: true)
        try Self.value("F").write(toFile: outside, atomically: true, encoding: .utf8)
        let local: [String: Any] = [
            "secrets": ["L": ["value": Self.value("L")]], "variables": ["V": Self.value("V")],
        ]
        try JSONSerialization.data(withJSONObject: local).write(to: URL(filePath: folder + "/shop/c.local.json"))
        let servers = try Servers()
        defer { servers.servers.forEach { $0.stop() } }
        let (transport, forms) = (CurlTransport(), Dictionary(Letter.all.map { ($0, Self.forms($0)) }) { $1 })
        var arrived = 0
        for seed in 0..<Self.runs {
            let world = World(seed, servers.hosts, outside: outside)
            try world.file.write(to: URL(filePath: file))
            let got = try await Self.send(world, file, outside, servers, transport)
            arrived += got.count
            for (server, request) in got {
                let all = "\(request.method) \(request.target) \(request.headers.map { $0.value }) \(request.text)"
                for letter in Letter.all where world.lacks([letter], server) {
                    let leaks = forms[letter, default: []].filter(all.contains)
                    #expect(leaks == [], "\(seed): \(letter) reached \(server): \(all)")
                }
            }
            let shown = got.map { server, request in
                let path = request.target.prefix { $0 != "?" }
                if path != "/r" { return "\(server) \(path)" }
                let fields = world.headers.keys.sorted().filter { request.headers[$0] != nil }
                return "\(server) /r " + (fields + (request.body.isEmpty ? [] : ["body"])).joined(separator: " ")
            }
            #expect(
                shown == world.expected,
                "\(seed): \(world.grants.sorted()) \(String(decoding: world.file, as: UTF8.self))")
        }
        #expect(arrived > Self.runs / 2, "most of the worlds send something")
    }

    private static func send(
        _ world: World, _ file: String, _ outside: String, _ servers: Servers, _ transport: CurlTransport
    ) async throws -> [(server: Int, request: LoopbackRequest)] {
        let loaded = CollectionFile.load(file)
        let collection = try #require(loaded.collection, "\(world.seed): \(loaded.problems)")
        let request = try #require(collection.requests.last)
        var steps = SessionSteps()
        steps.gate = OmbiWorkspace.Gate(store: nil)
        let places = servers.hosts.map(Destination.init(text:))
        let sources: [String: Source] = [
            "A": .environment("A"), "B": .environment("B"), "L": .local("L", isSecret: true),
            "V": .local("V", isSecret: false), "F": .file(Workspace.real(outside) ?? outside),
            "T": .captured("T", from: world.login.map { places[$0.server] }),
            "K": .token(places[world.token?.server ?? 0]),
        ]
        let flows = world.grants.compactMap { grant -> Flow? in
            let parts = grant.split(separator: " ").map(String.init)
            guard let source = sources[parts[0]], let server = Int(parts[1]) else { return nil }
            return Flow(source, to: places[server])
        }
        try steps.gate.grant(GateQuestion(file: file, flows: flows), .allowedNow)
        servers.begin(world)
        let session = Session(
            transport: transport,
            secrets: { folder in
                var reader = SecretReader.system(folder: folder)
                reader.environment = { $0 == "A" || $0 == "B" ? value($0) : nil }
                return reader
            }, steps: steps)
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: file)
        _ = await session.events(of: order)
        return servers.got.withLock { $0 }
    }
}
