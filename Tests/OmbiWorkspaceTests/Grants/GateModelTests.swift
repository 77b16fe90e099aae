import Dispatch
import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Random collections against a slow and simple model: no byte of a source reaches a destination without a grant, and nothing
/// that is granted is withheld.
///
/// `OMBI_MODEL_RUNS` sets their number.
@Suite struct GateModelTests {
    private static let runs = ProcessInfo.processInfo.environment["OMBI_MODEL_RUNS"].flatMap { Int($0) } ?? 3000
    private static let names = ["A", "B", "C"]
    private static let hosts = ["one", "two", "three"]
    private static let file = "/nowhere/c.json"

    /// A value that appears nowhere by chance.
    private static func value(_ name: String) -> String { "v4lue/of+\(name)\"=\(name)x" }

    private struct Dice {
        var random: SeededRandom

        mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
        mutating func pick<Value>(_ list: [Value]) -> Value { list[number(0...list.count - 1)] }

        /// A template whose value is made of some sources, through functions and other variables.
        mutating func template(_ variables: inout [Variable]) -> (text: String, sources: Set<String>) {
            let (name, other, count) = (pick(names), pick(names), variables.count)
            switch number(0...7) {
            case 0: return ("plain", [])
            case 1: return ("{{\(name)}}", [name])
            case 2: return ("a{{\(name)}}b{{\(other)}}", [name, other])
            case 3: return ("{{$base64(\(name))}}", [name])
            case 4: return ("{{$base64('u:', \(name))}}", [name])
            case 5:
                variables.append(Field("v\(count)", "x{{\(name)}}"))
                return ("{{v\(count)}}", [name])
            case 6:
                variables.append(Field("v\(count)", "{{\(name)}}"))
                variables.append(Field("v\(count + 1)", "{{v\(count)}}{{\(other)}}"))
                return ("{{$base64(v\(count + 1))}}", [name, other])
            default: return ("{{$uuid}}", [])
            }
        }
    }

    /// One random world.
    private struct World {
        var collection: OmbiWorkspace.Collection
        /// The sources of each header of the request, of its URL and of its body.
        var headers: [String: Set<String>] = [:]
        var url: Set<String> = []
        var body: Set<String> = []
        var proxy: String?
        var start: String
        var redirects: [String: (status: Int, to: String)] = [:]
        /// `A one`: the name of a source and of a host.
        var grants: Set<String> = []

        private init(start: String, collection: OmbiWorkspace.Collection) {
            (self.start, self.collection) = (start, collection)
        }

        static func random(_ dice: inout Dice) -> World {
            let (host, other) = (dice.pick(hosts), dice.pick(hosts))
            var request = SavedRequest(name: "r", method: dice.chance(50) ? .post : .get, path: "/x")
            var variables = [Field("h", "http://\(host).test")]
            var start = host
            if dice.chance(30) {
                start = other
                request.path = dice.chance(50) ? "http://\(other).test/y" : "{{address}}"
                variables += [Field("address", "ht{{rest}}"), Field("rest", "tp://\(other).test/y")]
            }
            var environment = Environment(
                name: "e", host: dice.chance(30) ? "{{h}}" : "http://\(host).test",
                secrets: names.map { Secret($0, .environment($0)) })
            let proxy = dice.chance(30) ? dice.pick(["p", "q"]) : nil
            if let proxy { environment.connection = SavedConnection { $0.proxy = "http://\(proxy).test:3128" } }
            var world = World(start: start, collection: Collection(name: "c", environments: [environment]))
            world.proxy = proxy
            world.fill(&request, &variables, &dice)
            // The request may have some of them itself.
            let own = Set(variables.map(\.name).filter { $0.hasPrefix("v") && dice.chance(40) })
            request.variables = variables.filter { own.contains($0.name) }
            world.collection.variables = variables.filter { !own.contains($0.name) }
            world.collection.items = [.request(request)]
            for host in hosts {
                if dice.chance(50) {
                    world.redirects[host] = (dice.pick([301, 302, 303, 307, 308]), dice.pick(hosts))
                }
                for name in names where dice.chance(60) { world.grants.insert("\(name) \(host)") }
            }
            return world
        }

        private mutating func fill(_ request: inout SavedRequest, _ variables: inout [Variable], _ dice: inout Dice) {
            for index in 0..<dice.number(0...3) {
                let (text, sources) = dice.template(&variables)
                request.headers.append(Field("X-\(index)", text))
                headers["X-\(index)"] = sources
            }
            if dice.chance(25) {
                let (text, sources) = dice.template(&variables)
                request.query.append(Field("q", text))
                url = sources
            }
            if request.method == .post, dice.chance(60) {
                let (text, sources) = dice.template(&variables)
                request.body = .text(TextContent(text))
                body = sources
            }
        }

        /// The destination of a host, written without the program's help.
        func destination(_ host: String) -> String {
            "http://\(host).test" + (proxy.map { ", through the proxy http://\($0).test:3128" } ?? "")
        }

        func lacks(_ sources: Set<String>, _ host: String) -> Bool {
            sources.contains { !grants.contains("\($0) \(host)") }
        }

        /// The hosts that get the request, in order, each with the headers that it gets.
        var expected: [(host: String, headers: Set<String>, hasBody: Bool)] {
            let all = headers.values.reduce(url.union(body)) { $0.union($1) }
            if lacks(all, start) { return [] }
            var (host, kept, hasBody) = (start, Set(headers.keys), !body.isEmpty)
            var isPost = collection.requests[0].method == .post
            var hops = [(host, kept, hasBody)]
            while let (status, target) = redirects[host], hops.count < 5 {
                if status == 303 || isPost && (status == 301 || status == 302) { (isPost, hasBody) = (false, false) }
                host = target
                if hasBody, lacks(body, host) { break }
                kept = kept.filter { !lacks(headers[$0] ?? [], host) }
                hops.append((host, kept, hasBody))
            }
            return hops
        }
    }

    /// What a server got.
    private struct Delivery {
        var host: String
        var headers: RequestHeaders
        var text: String
    }

    /// A network without wires, which follows redirects as every transport does.
    private struct Network: Transport {
        let world: World
        let log: Lock<[Delivery]>

        private struct Done: TransportTask { func cancel() {} }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            var hop = Hop(request)
            do throws(TransportError) {
                for count in 1... {
                    let name = String((hop.url.host() ?? "").prefix { $0 != "." })
                    let fields = hop.headers.fields.map { "\($0.key.name): \($0.value.text)" }.joined(separator: "\n")
                    let body = String(decoding: hop.body ?? Data(), as: UTF8.self)
                    log.withLock {
                        $0.append(Delivery(host: name, headers: hop.headers, text: "\(hop.url) \(fields)\n\(body)"))
                    }
                    guard let (status, to) = world.redirects[name], count < 5,
                        let url = URL(string: "http://\(to).test/z")
                    else { break }
                    _ = try hop.follow(to: url, statusCode: status)
                }
                onEvent(.finished(TransportResponse(url: hop.url, headers: [:], statusCode: 200), TransportMetrics()))
            } catch {
                onEvent(.failed(error, TransportMetrics()))
            }
            return Done()
        }
    }

    private static func forms(_ value: String) -> [String] {
        let plain = [
            value, PercentEncoding.escapeParameter(value), PercentEncoding.escapeForm(value),
            value.replacing("\"", with: "\\\""),
        ]
        // Base64 at each of the three places in a group, without what its neighbours decide.
        let coded = (0..<3).map { shift -> String in
            let text = (Data(repeating: 0, count: shift) + Data(value.utf8)).base64EncodedString()
            return String(text.dropFirst(shift == 0 ? 0 : 4).prefix(value.utf8.count))
        }
        return plain + coded
    }

    @Test func `no source reaches a destination without a grant, and nothing granted is withheld`() async throws {
        var dice = Dice(random: SeededRandom(seed: 42))
        var sent = 0
        for number in 0..<Self.runs {
            let world = World.random(&dice)
            let log = Lock<[Delivery]>([])
            var steps = SessionSteps()
            steps.gate = OmbiWorkspace.Gate(store: nil)
            let flows = Self.hosts.flatMap { host in
                Self.names.filter { world.grants.contains("\($0) \(host)") }
                    .map { Flow(.environment($0), to: Destination(text: world.destination(host))) }
            }
            try steps.gate.grant(GateQuestion(file: Self.file, flows: flows), .allowedNow)
            let session = Session(
                transport: Network(world: world, log: log),
                secrets: { _ in SecretReader(environment: { Self.value($0) }, file: { _ in [] }) }, steps: steps)
            let order = RunOrder(
                id: 1, request: world.collection.requests[0], collection: world.collection, environment: "e",
                file: Self.file)
            _ = await session.events(of: order)
            let deliveries = log.withLock { $0 }
            sent += deliveries.count
            for delivery in deliveries {
                for name in Self.names where !world.grants.contains("\(name) \(delivery.host)") {
                    let leaks = Self.forms(Self.value(name)).filter { delivery.text.contains($0) }
                    #expect(leaks == [], "\(number): \(name) reached \(delivery.host): \(delivery.text)")
                }
            }
            let expected = world.expected
            let got = deliveries.map { delivery in
                (delivery.host, Set(world.headers.keys.filter { delivery.headers[.init($0)] != nil }))
            }
            #expect(
                got.map { "\($0.0) \($0.1.sorted())" } == expected.map { "\($0.host) \($0.headers.sorted())" },
                "\(number)")
        }
        #expect(sent > Self.runs / 2, "most of the worlds send something")
    }
}
