import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The verdict on a response: which expectations are met, and what is said of the others.
@Suite struct ExpectationVerdictTests {
    private static func expectation(_ text: String) throws -> OmbiWorkspace.Expectation {
        let file = "{\"version\":1,\"name\":\"n\",\"items\":[{\"request\":\"r\",\"path\":\"/\",\"expect\":\(text)}]}"
        let read = CollectionFile.read(Array(file.utf8), file: "f")
        #expect(read.problems.isEmpty, "\(read.problems)")
        return try #require(read.collection?.requests.first?.expect)
    }

    private static let body = """
        {"id": 7, "name": "Ada", "tags": ["a", "b"], "price": 1.0, "big": 9007199254740993, "boss": null,
         "items": [{"id": 1}, {"id": 2}, {"id": "x"}], "text": "grüße", "day": "2026-05-01"}
        """

    private static func unmet(_ expectation: String, _ body: String = body) throws -> [String] {
        let observation = Observation(
            status: 200, headers: ["Content-Type": "application/json; charset=utf-8", "ETag": "W/\"1\""],
            body: Data(body.utf8))
        return try Self.expectation(expectation).results(observation).filter { !$0.isMet }.map(\.sentence)
    }

    @Test(arguments: [
        "{\"path\":\"$.id\",\"equals\":7.0}", "{\"path\":\"$.id\",\"type\":\"integer\"}",
        "{\"path\":\"$.price\",\"type\":\"integer\"}",
        "{\"path\":\"$.big\",\"greater\":9007199254740992}",
        "{\"path\":\"$.name\",\"contains\":\"d\",\"matches\":\"^A.a$\"}",
        "{\"path\":\"$.tags\",\"count\":2,\"contains\":\"b\"}", "{\"path\":\"$.boss\",\"type\":[\"string\",\"null\"]}",
        "{\"path\":\"$.boss\"}", "{\"path\":\"$.none\",\"exists\":false}",
        "{\"path\":\"$.items[*]\",\"count\":\">=3\"}",
        "{\"path\":\"$.items[0]\",\"equals\":{\"id\":1}}", "{\"path\":\"$.tags\",\"equals\":[\"a\",\"b\"]}",
        "{\"path\":\"$.day\",\"less\":\"2026-06\",\"atLeast\":\"2026\"}", "{\"path\":\"$.text\",\"count\":5}",
        "{\"path\":\"$.id\",\"notEquals\":8}", "{\"path\":\"$.tags\",\"notContains\":\"c\"}",
        "{\"path\":\"$.name\",\"notMatches\":\"^d\"}", "{\"notContains\":\"Eva\",\"notMatches\":\"^x\"}",
        "{\"contains\":\"grüße\"}", "{\"matches\":\"\\\"id\\\": [0-9]\"}", "{\"path\":\"$.items[?@.id==2]\"}",
    ])
    func `a condition that holds`(condition: String) throws {
        #expect(try Self.unmet("{\"body\":[\(condition)]}") == [])
    }

    @Test(
        arguments: [
            ("{\"path\":\"$.id\",\"equals\":8}", "expected $.id = 8, got 7"),
            ("{\"path\":\"$.id\",\"type\":\"string\"}", "expected $.id of type string, got 7"),
            ("{\"path\":\"$.none\",\"type\":\"string\"}", "expected $.none of type string, got nothing"),
            ("{\"path\":\"$.none\"}", "expected $.none to exist, got nothing"),
            ("{\"path\":\"$.none\",\"notEquals\":1}", "expected $.none != 1, got nothing"),
            ("{\"path\":\"$.id\",\"notEquals\":7.0}", "expected $.id != 7.0, got 7"),
            ("{\"path\":\"$.tags\",\"notContains\":\"a\"}", "expected $.tags not containing \"a\", got [\"a\", \"b\"]"),
            ("{\"path\":\"$.name\",\"notMatches\":\"^A\"}", "expected $.name not matching ^A, got \"Ada\""),
            ("{\"path\":\"$.boss\",\"exists\":false}", "expected no $.boss, got null"),
            ("{\"path\":\"$.tags\",\"count\":\">2\"}", "expected count of $.tags > 2, got 2"),
            ("{\"path\":\"$.id\",\"count\":1}", "expected count of $.id = 1, got 7"),
            (
                "{\"path\":\"$.items[*].id\",\"type\":\"integer\"}",
                "expected $.items[*].id of type integer, got \"x\" at $.items[2].id"
            ),
            ("{\"path\":\"$.items[*].none\",\"count\":1}", "expected count of $.items[*].none = 1, got 0"),
            ("{\"path\":\"$.name\",\"greater\":5}", "expected $.name > 5, got \"Ada\""),
            ("{\"path\":\"$.name\",\"matches\":\"^d\"}", "expected $.name matching ^d, got \"Ada\""),
            (
                "{\"path\":\"$.items\",\"equals\":[]}",
                "expected $.items = [], got [{\"id\": 1}, {\"id\": 2}, {\"id\": \"x\"}]"
            ),
        ])
    func `a condition that does not hold says what was expected and what came`(condition: String, sentence: String)
        throws
    {
        #expect(try Self.unmet("{\"body\":[\(condition)]}") == [sentence])
    }

    @Test(arguments: [
        (0, 1, "1 expectation"), (0, 3, "3 expectations"), (1, 1, "1 failed expectation of 1"),
        (1, 3, "1 failed expectation of 3"), (3, 3, "3 failed expectations of 3"),
    ])
    func `a count of expectations says that it counts failures`(failed: Int, of count: Int, words: String) {
        let results = (0..<count).map {
            ExpectationResult(.status, "status", expected: "status 200", found: "201", isMet: $0 >= failed)
        }
        #expect(results.words == words)
    }

    @Test func `headers, times, size and certificate`() throws {
        #expect(
            try Self.unmet(
                #"{"headers":{"content-type":"application/json","ETag":{"matches":"^W/","notContains":"2"}},"size":">9"}"#
            )
                == [])
        #expect(
            try Self.unmet("{\"headers\":{\"ETag\":{\"notMatches\":\"^W/\"},\"Via\":{\"notEquals\":\"a\"}}}") == [
                "expected header ETag not matching ^W/, got \"W/\\\"1\\\"\"", "expected header Via != \"a\", got none",
            ])
        #expect(
            try Self.unmet(
                "{\"headers\":{\"Content-Type\":\"text/html\",\"Via\":{},\"ETag\":{\"exists\":false}},\"size\":0,\"certificateDays\":14,\"firstAttemptWithin\":\"1s\"}",
                "ab") == [
                    "expected the first attempt within 1s, took no time", "expected a size = 0 bytes, got 2",
                    "expected a certificate that is valid for 14 days, got no certificate",
                    "expected header Content-Type = \"text/html\", got \"application/json; charset=utf-8\"",
                    "expected header Via to exist, got none", "expected no header ETag, got \"W/\\\"1\\\"\"",
                ])
    }

    @Test(arguments: [(13.9, false), (14.1, true), (-1, false)])
    func `a certificate has to stay valid`(days: Double, isMet: Bool) throws {
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        let observation = Observation(certificateEnd: now.addingTimeInterval(days * 86_400), now: now)
        #expect(try Self.expectation("{\"certificateDays\":14}").results(observation).map(\.isMet) == [isMet])
    }

    @Test(arguments: [
        ("", "an empty body"), ("<p>", "a body that is not JSON (1:1: expected a value, found '<')"),
        ("{\"id\": 7, \"na", "a body that is not JSON (1:14: unexpected end of the body in a string)"),
    ])
    func `a body that is no JSON fails each path, also one that is expected to be absent`(body: String, found: String)
        throws
    {
        let unmet = try Self.unmet("{\"body\":[{\"path\":\"$.id\"},{\"path\":\"$.x\",\"exists\":false}]}", body)
        #expect(unmet.count == 2)
        #expect(unmet[0].hasPrefix("expected $.id to exist, got \(found.prefix(20))"), "\(unmet)")
    }

    @Test func `a text in another encoding is decoded`() throws {
        let observation = Observation(
            headers: ["Content-Type": "application/json; charset=iso-8859-1"], body: Data([0x22, 0xFC, 0x22]))
        let results = try Self.expectation("{\"body\":[{\"path\":\"$\",\"equals\":\"ü\"},{\"contains\":\"ü\"}]}")
            .results(observation)
        #expect(results.map(\.isMet) == [true, true])
    }

    @Test func `a secret is masked before what is found is cut`() throws {
        let secret = String(repeating: "s3cr3t", count: 30)
        let redactor = Redactor([secret])
        let observation = Observation(
            headers: ["X-Key": .init(secret)], body: Data("{\"a\": \"\(secret)\"}".utf8), mask: { redactor.redact($0) })
        let results = try Self.expectation(
            "{\"headers\":{\"X-Key\":\"x\"},\"body\":[{\"path\":\"$.a\",\"equals\":\"x\"},{\"contains\":\"y\"}]}"
        ).results(observation)
        #expect(results.count == 3 && results.allSatisfy { !$0.isMet && !$0.sentence.contains("s3cr") }, "\(results)")
    }

    @Test func `the place of a value is its first byte`() throws {
        let results = try Self.expectation("{\"body\":[{\"path\":\"$.name\",\"equals\":\"x\"},{\"path\":\"$.z\"}]}")
            .results(Observation(body: Data(Self.body.utf8)))
        #expect(results.map(\.place) == [.body(offset: 18), .body(offset: nil)])
    }

    // MARK: Any body

    private static let everyCondition = """
        {"status":"2xx","size":">1","headers":{"A":{"contains":"x"}},"body":[
        {"path":"$","equals":{"a":[1,{"b":null}]}},{"path":"$..*","type":"string","count":">3"},
        {"path":"$.a[3000].b","matches":"a+$","contains":"x"},{"path":"$.a[-1]","less":5,"greater":"x"},
        {"path":"$..a[?@.b>1]"},{"equals":"x","contains":"a","matches":"(a|b)*c"},{"path":"$['\\u00e9']","exists":false}]}
        """

    @Test func `no body is too odd, cut off or deep to be judged`() throws {
        let expectation = try Self.expectation(Self.everyCondition.replacing("\n", with: ""))
        let whole = Array(Self.body.utf8)
        var bodies = whole.indices.map { Array(whole[..<$0]) }
        bodies += whole.indices.map { index in
            var damaged = whole
            damaged[index] = UInt8(truncatingIfNeeded: index &* 37)
            return damaged
        }
        for opener in ["[", "{\"a\":", "[{\"a\":[", "]", "\u{FEFF}", "\\", "\""] {
            bodies.append(Array(String(repeating: opener, count: 10_000).utf8))
        }
        bodies.append(Array((String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)).utf8))
        bodies.append(
            Array((String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)).utf8))
        bodies += [
            [0xFF, 0xFE, 0x5B, 0x00], [0xEF, 0xBB, 0xBF], [0x1F, 0x8B, 0x08], Array(repeating: 0, count: 100),
        ]
        let count = expectation.count
        for body in bodies {
            for type in ["application/json", "text/plain; charset=utf-16", "nonsense"] {
                let results = expectation.results(
                    Observation(status: 200, headers: ["Content-Type": .init(type)], body: Data(body)))
                #expect(results.count == count)
            }
        }
    }
}
