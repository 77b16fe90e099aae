import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Variables and requests that refer to each other so often, or through so many levels, that nobody can follow them.
@Suite struct ReferenceLimitTests {
    private static func problems(_ variables: [(String, String)], path: String = "/{{a0}}", _ rest: String = "")
        -> [String]
    {
        let members = variables.map { "\"\($0.0)\": \(JSONValue.quoted($0.1))" }.joined(separator: ", ")
        let text = """
            {"version": 1, "name": "c", "variables": {\(members)}, "environments": [{"name": "e", "host": "http://h"}],
            "items": [{"request": "r", "path": "\(path)"\(rest)}]}
            """
        return CollectionCheck.problems(in: Array(text.utf8), file: "f").map(\.description)
    }

    private static func chain(_ count: Int, _ text: (String) -> String) -> [(String, String)] {
        (0..<count).map { ("a\($0)", text("{{a\($0 + 1)}}")) } + [("a\(count)", "x")]
    }

    private static let tooLarge = "the text grows too large; its variables refer to others too often"

    @Test(
        arguments: [
            (chain(60) { $0 + $0 }, "/{{a0}}"), (chain(90) { $0 + "-" + $0 + $0 }, "/x/{{a3}}"),
            (chain(40) { "{{$sha256(\(String($0.dropFirst(2).dropLast(2))))}}" + $0 }, "/{{$base64(a0)}}"),
            ([("a0", String(repeating: "{{a1}}", count: 6000)), ("a1", "{{a2}}{{a2}}"), ("a2", "x")], "/{{a0}}"),
            (
                [("a0", String(repeating: "{{a1}}", count: 9)), ("a1", String(repeating: "x", count: 2 << 20))],
                "/{{a0}}"
            ),
            ([("a0", "{{a1}}"), ("a1", "x")], "/" + String(repeating: "{{a0}}", count: 5001)),
        ] as [([(String, String)], String)])
    func `a text that no run fills in is an error, and soon`(variables: [(String, String)], path: String) {
        let found = Self.problems(variables, path: path)
        #expect(found.count == 1 && found[0].contains(Self.tooLarge), "\(found.prefix(2))")
    }

    @Test(
        arguments: [
            chain(9) { $0 + $0 }, chain(60) { $0 }, [("a0", String(repeating: "{{a1}}", count: 4000)), ("a1", "x")],
            chain(99) { "{{$base64('a')}}" + $0 },
        ] as [[(String, String)]])
    func `one within the limits is none`(variables: [(String, String)]) {
        #expect(Self.problems(variables).allSatisfy { !$0.contains("too large") && !$0.contains("levels") })
    }

    @Test func `levels beyond those of a run are an error`() {
        #expect(Self.problems(Self.chain(100) { $0 }).isEmpty == false)
        let found = Self.problems(Self.chain(1500) { $0 })
        #expect(found.count == 1)
        #expect(
            found.first?.contains("\"a0\" refers to others through more than 100 levels: a0 → a1 → a2 → … → a98")
                == true)
    }

    @Test(arguments: [1, 2, 60, 100, 1200, 2000]) func `a circle of variables is named`(count: Int) {
        let variables = (0..<count).map { ("a\($0)", "{{a\(($0 + 1) % count)}}{{a\(($0 + 1) % count)}}") }
        let found = Self.problems(variables, path: "/")
        #expect(found.allSatisfy { $0.contains("refers to itself") && $0.utf8.count < 200 }, "\(found.first ?? "")")
        // Each in both of its templates.
        #expect(found.count == (count > 100 ? 2 : 2 * count))
    }

    // MARK: Requests

    /// - Parameter needs: the numbers of the requests whose values each needs.
    private static func collection(_ needs: [[Int]]) -> String {
        let items = needs.enumerated().map { number, others in
            let path = others.map { "/{{v\($0)}}" }.joined()
            return "{\"request\": \"r\(number)\", \"path\": \"\(path.isEmpty ? "/" : path)\", "
                + "\"capture\": {\"v\(number)\": {\"status\": true}}}"
        }
        return """
            {"version": 1, "name": "c", "environments": [{"name": "e", "host": "http://h"}],
            "items": [\(items.joined(separator: ",\n"))]}
            """
    }

    private static func requestProblems(_ needs: [[Int]]) -> [String] {
        CollectionCheck.problems(in: Array(collection(needs).utf8), file: "f").map(\.description)
    }

    @Test(arguments: [11, 100, 300, 600, 2000]) func `a circle of requests is told in few words`(count: Int) {
        let found = Self.requestProblems((0..<count).map { [($0 + 1) % count] })
        #expect((1...count / 100 + 1).contains(found.count), "\(found.count)")
        #expect(found.allSatisfy { $0.contains("the requests need each other") && $0.utf8.count < 250 }, "\(found)")
    }

    @Test func `a circle through requests, their folders and variables is told in few words`() {
        let count = 300
        let variables = (0..<count).map { "\"a\($0)\": \"{{v\(($0 + 1) % count)}}\"" }
        let items = (0..<count).map {
            "{\"folder\": \"f\($0)\", \"variables\": {\"own\": \"{{a\($0)}}\"}, \"items\": [{\"request\": \"r\($0)\", "
                + "\"path\": \"/{{own}}\", \"capture\": {\"v\($0)\": {\"status\": true}}}]}"
        }
        let text = """
            {"version": 1, "name": "c", "variables": {\(variables.joined(separator: ", "))},
            "environments": [{"name": "e", "host": "http://h"}], "items": [\(items.joined(separator: ",\n"))]}
            """
        let found = CollectionCheck.problems(in: Array(text.utf8), file: "f").map(\.description)
        #expect((1...count / 100 + 1).contains(found.count), "\(found.count)")
        #expect(found.allSatisfy { $0.contains("the requests need each other") }, "\(found.first ?? "")")
    }

    @Test(arguments: [2, 3, 10]) func `each request of a small circle is told`(count: Int) {
        #expect(Self.requestProblems((0..<count).map { [($0 + 1) % count] }).count == count)
    }

    @Test(arguments: [
        (101, false), (102, true), (300, true), (600, true),
    ]) func `a chain of requests has a limit`(count: Int, isError: Bool) {
        let found = Self.requestProblems((0..<count).map { $0 + 1 < count ? [$0 + 1] : [] })
        #expect(found.isEmpty != isError, "\(found)")
        #expect(found.allSatisfy { $0.contains("through more than 100 levels: \"r") && $0.utf8.count < 250 })
    }

    @Test(
        arguments: [
            (0..<200).map { $0 == 0 ? Array(1..<200) : [] },
            (0..<60).map { Array(($0 + 1)..<60) },
            (0..<40).map { number in number < 39 ? [number + 1, min(39, number + 2)] : [] },
            (0..<300).map { $0 < 299 ? [299] : [] },
            (0..<300).map { $0 < 298 ? [298, 299] : [] },
        ] as [[[Int]]]) func `requests that many need are found once`(needs: [[Int]]) throws
    {
        #expect(Self.requestProblems(needs) == [])
        let collection = try #require(CollectionFile.read(Array(Self.collection(needs).utf8), file: "f").collection)
        let first = try #require(collection.requests.first)
        let order = RunOrder(id: 1, request: first, collection: collection, environment: "e", file: "/f.json")
        let plan = try Session(transport: StubTransport { _ in .response(statusCode: 200) }).plan(order)
        #expect(Set(plan.map(\.request.id)).count == plan.count && plan.count >= needs[0].count)
    }

    @Test func `a run sends nothing of a chain that is too long, and all of a long one`() async throws {
        let sent = Lock(0)
        let transport = StubTransport { _ in
            sent.withLock { $0 += 1 }
            return .response(statusCode: 200)
        }
        func result(_ count: Int) async throws -> SessionResult? {
            let text = Self.collection((0..<count).map { $0 + 1 < count ? [$0 + 1] : [] })
            let collection = try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
            let first = try #require(collection.requests.first)
            let order = RunOrder(id: 1, request: first, collection: collection, environment: "e", file: "/f.json")
            let session = Session(transport: transport)
            if count > 101 { #expect(throws: ResolveError.self) { try session.check([order]) } }
            guard case .ended(let result)? = await session.events(of: order).last else { return nil }
            return result
        }
        let long = try await result(101)
        #expect(long?.passed == true && long?.dependencies.count == 100, "\(long?.failures ?? [])")
        #expect(sent.withLock { $0 } == 101)
        let longer = try await result(600)
        #expect(longer?.failures.joined().contains("through more than 100 levels") == true)
        #expect(sent.withLock { $0 } == 101)
    }

    @Test func `environments inherit through a hundred levels`() {
        func problems(_ count: Int) -> [String] {
            let environments = (0..<count).map { number in
                "{\"name\": \"e\(number)\", "
                    + (number + 1 < count ? "\"inherits\": \"e\(number + 1)\"}" : "\"host\": \"http://h\"}")
            }
            let text =
                "{\"version\": 1, \"name\": \"c\", \"items\": [], \"environments\": [\(environments.joined(separator: ","))]}"
            return CollectionFile.read(Array(text.utf8), file: "f").problems.map(\.description)
        }
        #expect(problems(101) == [])
        #expect(problems(300).first?.contains("inherits through more than 100 levels: e0 → e1 → e2 → … → ") == true)
    }
}
