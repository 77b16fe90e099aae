import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

@Suite struct CollectionFileTests {
    private func problems(_ text: String) -> [String] {
        CollectionFile.read(Array(text.utf8), file: "f.json").problems.map(\.description)
    }

    private func wrapped(_ request: String) -> String {
        "{\"version\": 1, \"name\": \"n\", \"items\": [\n{\"request\": \"r\", \"path\": \"/\", \(request)}\n]}"
    }

    @Test(arguments: [
        ("{\"info\": {\"name\": \"n\"}, \"item\": []}", "a Postman collection"),
        ("{\"openapi\": \"3.1.0\", \"paths\": {}}", "an OpenAPI document"),
        ("{\"swagger\": \"2.0\"}", "an OpenAPI document"),
        ("{\"log\": {\"version\": \"1.2\", \"entries\": []}}", "a HAR recording"),
        ("{\"_type\": \"export\", \"resources\": []}", "an Insomnia export"),
    ])
    func `the file of another tool is called by its name`(text: String, name: String) {
        let problems = problems(text)
        #expect(
            problems.count == 1
                && problems[0].hasPrefix("f.json:1:1: error: this is \(name): `ombi f.json` opens it, "), "\(problems)")
    }

    @Test(arguments: ["openapi: 3.1.0\ninfo:\n", "# Shop\r\n---\r\nswagger: '2.0'\r\n", "info: {}\nopenapi: 3.0.3\n"])
    func `an OpenAPI document in YAML is called by its name`(text: String) {
        let found = problems(text)
        #expect(found.count == 1 && found[0].hasPrefix("f.json: error: this is an OpenAPI document: "), "\(found)")
        #expect(problems("{ \"name\":\n  openapi: 3 }")[0].contains("OpenAPI") == false)
    }

    @Test(arguments: [
        ("x.http", "a .http file"), ("x.REST", "a .http file"), ("x.hurl", "a file of Hurl"),
        ("x.bru", "a request of Bruno"),
    ])
    func `a text of another tool is called by the name that its file has`(file: String, name: String) {
        let found = CollectionFile.read(Array("GET http://a.test/\n".utf8), file: file).problems.map(\.description)
        #expect(found.count == 1 && found[0].hasPrefix("\(file): error: this is \(name): `ombi \(file)`"), "\(found)")
    }

    @Test func `a picture is called one`() {
        let problems = CollectionFile.read([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], file: "f.png").problems
        #expect(
            problems.map(\.description) == [
                "f.png: error: this is a PNG image and no collection; ombi view shows it"
            ])
    }

    /// Large enough for several threads to read parts of it, in one folder or without any.
    @Test(arguments: [true, false]) func `a large file is read in its order, and so are its problems`(inFolder: Bool)
        throws
    {
        let padding = String(repeating: "x", count: 1000)
        let requests = (0..<4000).map { number in
            let key = number % 1000 == 999 ? "methud" : "method"
            return "{\"request\": \"r\(number)\", \"path\": \"/\(padding)\", \"\(key)\": \"GET\"}"
        }
        let items = requests.joined(separator: ",\n")
        let text =
            inFolder
            ? "{\"version\": 1, \"name\": \"n\", \"items\": [{\"folder\": \"f\", \"items\": [\n\(items)\n]}]}"
            : "{\"version\": 1, \"name\": \"n\", \"items\": [\n\(items)\n]}"
        let (collection, problems) = CollectionFile.read(Array(text.utf8), file: "f.json")
        let all = try #require(collection).items
        #expect((inFolder ? all[0].items : all).map(\.name) == (0..<4000).map { "r\($0)" })
        #expect(problems.compactMap { $0.position?.line } == [1001, 2001, 3001, 4001])
    }

    @Test func `a canonical file is written back byte for byte`() throws {
        let (collection, problems) = CollectionFile.read(Array(everything.utf8), file: "f.json")
        #expect(problems == [])
        #expect(try #require(collection).text == everything)
    }

    @Test func `the values of a file are read`() throws {
        let collection = try #require(CollectionFile.read(Array(everything.utf8), file: "f.json").collection)
        let environment = try #require(collection.environment(named: "local"))
        #expect(environment.protected && !environment.verifyTLS)
        #expect(environment.additionalHeaders == [Field("Via", "a"), Field("Via", "b")])
        #expect(environment.secrets == [Secret("token", .environment("TOKEN")), Secret("key", .file("~/key"))])
        #expect(collection.variables == [Field("userId", "42"), Field("debug", "1", enabled: false)])
        let request = try #require(collection.requests.first)
        #expect(request.pathParameters == [Field("id", "{{userId}}")])
        #expect(request.query == [Field("expand", "orders", enabled: false)])
        #expect(request.policy?.sla == .seconds(2))
        #expect(
            request.policy?.backoff
                == .init(first: .milliseconds(250), factor: 1.5, jitter: 0.2, ceiling: .milliseconds(1500)))
        #expect(request.policy?.retryOn == [.connection, .timeout, .status(.hundreds(5)), .status(.code(429))])
        #expect(
            request.expect
                == Expectation(
                    status: [.hundreds(2), .code(404)], within: .milliseconds(500),
                    firstAttemptWithin: .milliseconds(200), size: NumberComparison(.less, 100_000), certificateDays: 14,
                    headers: [
                        HeaderExpectation("Content-Type", [.equals(.string("application/json"))]),
                        HeaderExpectation("ETag", [.matches("^W/")]),
                    ],
                    body: [
                        BodyExpectation("$.id", [.type([.integer]), .greater(.number(0))]),
                        BodyExpectation("$.items", [.count(NumberComparison(.equal, 3))]),
                        BodyExpectation("$.boss"), BodyExpectation(nil, [.contains(.string("Ada"))]),
                    ]))
        #expect(collection.requests.map(\.name) == ["user by id", "json", "text", "form"])
    }

    @Test(
        arguments: [
            ("[]", ["f.json:1:1: error: expected an object, found an array"]),
            ("{", ["f.json:1:2: error: expected a key in double quotes or '}', found the end of the file"]),
            (
                "{}",
                ["version", "name", "items"].map { "f.json:1:1: error: missing key \"\($0)\"" }
            ),
            (
                "{\"version\": 2, \"name\": \"\", \"items\": 1}",
                [
                    "f.json:1:13: error: \"version\": version 2 is unknown; this Ombi reads version 1",
                    "f.json:1:24: error: \"name\": the name is empty",
                    "f.json:1:37: error: \"items\": expected an array, found a number",
                ]
            ),
            (
                "{\"version\": \"1\", \"name\": 7, \"items\": [1, {}, {\"request\": \"a\", \"folder\": \"b\"}]}",
                [
                    "f.json:1:13: error: \"version\": expected a number, found a string",
                    "f.json:1:26: error: \"name\": expected a string, found a number; write \"7\"",
                    "f.json:1:39: error: \"items\": expected objects, found a number; write { \"request\": …, \"path\": … }",
                    "f.json:1:42: error: missing key \"request\" or \"folder\", which gives an item its name",
                    "f.json:1:46: error: an item is a \"request\" or a \"folder\", not both",
                ]
            ),
            (
                "{\"version\": 1, \"name\": \"n\", \"name\": \"m\", \"items\": []}",
                ["f.json:1:29: error: the key \"name\" is given twice in this object, first on line 1"]
            ),
            (
                "{\"version\": 1, \"name\": \"n\", \"items\": [], \"variables\": {\"a\": 1, \"b\": null, \"c\": {}}}",
                [
                    "f.json:1:61: error: \"a\": expected a string, found a number; write \"1\"",
                    "f.json:1:69: error: \"b\": expected a string, found null",
                    "f.json:1:80: error: missing key \"value\"",
                ]
            ),
            (
                "{\"version\": 1, \"name\": \"n\", \"items\": [], \"environments\": [{\"name\": \"a\", \"host\": 80}]}",
                [
                    "f.json:1:81: error: \"host\": expected a string, found a number; \"80\" is not a URL; write for example https://api.example.com"
                ]
            ),
            (
                "{\"version\": 1, \"name\": \"n\", \"items\": [], \"environments\": [{\"name\": \"a\", \"host\": \"h\", \"inherits\": \"\"}]}",
                ["f.json:1:98: error: \"inherits\": the name is empty"]
            ),
            (
                "{\"version\": 1, \"name\": \"n\", \"items\": [], \"environments\": [{\"name\": \"a\", \"host\": \"h\", \"inherits\": \"b\"}]}",
                ["f.json:1:98: error: \"inherits\": there is no environment \"b\""]
            ),
            (
                "{\"version\": 1, \"name\": \"n\", \"items\": [], \"environments\": [{\"name\": \"a\", \"host\": \"h\"}, {\"name\": \"a\"}]}",
                [
                    "f.json:1:87: error: missing key \"host\"",
                    "f.json:1:87: error: there are two environments named \"a\"",
                ]
            ),
            (
                "{\"version\": 1, \"name\": \"n\", \"items\": [], \"environments\": [\n{\"name\": \"a\", \"host\": \"h\", \"secrets\": {\"s\": {\"vaultin\": []}, \"t\": \"x\"}, \"protected\": 1}]}",
                [
                    "f.json:2:45: error: the secret \"s\" has one source: write { \"env\": \"NAME\" }, { \"file\": \"PATH\" }, { \"command\": [\"pass\", \"show\", \"NAME\"] }, { \"prompt\": \"TEXT\" } or { \"keyring\": { \"service\": \"NAME\" } }",
                    "f.json:2:46: warning: unknown key \"vaultin\"; it has no effect",
                    "f.json:2:67: error: \"t\": expected an object, found a string; write { \"env\": \"NAME\" }, or in NAME.local.json { \"value\": \"…\" }",
                    "f.json:2:86: error: \"protected\": expected true or false, found a number",
                ]
            ),
        ] as [(String, [String])])
    func `every mistake of a file is told`(text: String, expected: [String]) {
        #expect(problems(text) == expected)
        #expect(CollectionFile.read(Array(text.utf8), file: "f.json").collection == nil)
    }

    @Test(arguments: [
        (
            "\"method\": \"get\"",
            "2:41: error: \"method\": \"get\" is not a method; write GET"
        ),
        (
            "\"method\": \"A B\"",
            "2:41: error: \"method\": \"A B\" is not a method; it is made of capital letters, digits and !#$%&'*+-.^_`|~"
        ),
        (
            "\"method\": 7",
            "2:41: error: \"method\": expected one of \"GET\", \"POST\", \"PUT\", \"PATCH\", \"DELETE\", \"HEAD\", \"OPTIONS\", \"CONNECT\", \"TRACE\", found a number"
        ),
        (
            "\"policy\": {\"timeout\": 5}",
            "2:53: error: \"timeout\": expected a duration, found a number; write \"5s\" or \"5ms\""
        ),
        (
            "\"policy\": {\"sla\": true}",
            "2:49: error: \"sla\": expected a duration, found true; write for example \"250ms\", \"1.5s\", \"2m\" or \"1h\", at most 24h"
        ),
        (
            "\"body\": {}",
            "2:39: error: a body has one of \"json\", \"text\", \"form\", \"multipart\", \"file\" and \"graphql\", found none of them"
        ),
        (
            "\"body\": {\"json\": 1, \"text\": \"\"}",
            "2:39: error: a body has one of \"json\", \"text\", \"form\", \"multipart\", \"file\" and \"graphql\", found \"json\" and \"text\""
        ),
        (
            "\"body\": {\"json\": 1, \"contentType\": \"x\"}",
            "2:66: error: \"contentType\": goes with \"text\" and \"file\" only; set a Content-Type header instead"
        ),
        (
            "\"authentication\": \"basic\"",
            "2:49: error: \"authentication\": write \"inherit\", \"none\", { \"bearer\": \"…\" }, "
                + "{ \"basic\": { \"username\": …, \"password\": … } }, { \"apiKey\": { \"name\": …, \"value\": … } }, "
                + "{ \"digest\": { \"username\": …, \"password\": … } }, "
                + "{ \"oauth2\": { \"grant\": …, \"tokenURL\": …, \"clientID\": … } }, "
                + "{ \"aws\": { \"accessKeyID\": …, \"secretAccessKey\": …, \"region\": …, \"service\": … } }, "
                + "{ \"ntlm\": { \"username\": …, \"password\": … } }, { \"negotiate\": {} } or { \"netrc\": {} }"
        ),
        ("\"authentication\": {\"basic\": {\"username\": \"u\"}}", "2:59: error: missing key \"password\""),
        ("\"policy\": {\"retries\": -1}", "2:53: error: \"retries\": expected a whole number from 0 to 1000, found -1"),
        (
            "\"policy\": {\"retries\": 1.5}",
            "2:53: error: \"retries\": expected a whole number from 0 to 1000, found 1.5"
        ),
        (
            "\"policy\": {\"sla\": \"2 sec\"}",
            "2:49: error: \"sla\": \"2 sec\" is not a duration; write for example \"250ms\", \"1.5s\", \"2m\" or \"1h\", at most 24h"
        ),
        (
            "\"policy\": {\"timeout\": \"0s\"}",
            "2:53: error: \"timeout\": the duration is zero; write for example \"250ms\", \"1.5s\", \"2m\" or \"1h\", at most 24h"
        ),
        ("\"policy\": {\"backoff\": {}}", "2:53: error: missing key \"first\""),
        (
            "\"policy\": {\"backoff\": {\"first\": \"1s\", \"jitter\": 2}}",
            "2:79: error: \"jitter\": expected a number from 0 to 1, found 2"
        ),
        (
            "\"policy\": {\"retryOn\": [\"6xx\"]}",
            "2:54: error: \"retryOn\": expected \"connection\", \"timeout\", or a status such as \"5xx\" or \"429\""
        ),
        (
            "\"expect\": {\"status\": \"ok\"}",
            "2:52: error: \"status\": expected a status such as \"2xx\" or \"200\", or a list of them"
        ),
        ("\"headers\": {}", "2:42: error: \"headers\": expected an array, found an object"),
        ("\"headers\": [{\"name\": \"\", \"value\": \"x\"}]", "2:52: error: \"name\": the name is empty"),
        (
            "\"fallbackResponse\": {\"history\": 1}",
            "2:63: error: \"history\": expected true or false, found a number"
        ),
        (
            "\"headers\": [\"A: b\"]",
            "2:43: error: \"headers\": expected objects, found a string; write { \"name\": …, \"value\": … }"
        ),
        (
            "\"expect\": {\"body\": [{\"path\": \"$.a\", \"type\": 7}]}",
            "2:75: error: \"type\": expected the name of a type, found a number; known: string, integer, number, boolean, array, object, null"
        ),
        ("\"method\": \"PSOT\"", "2:41: warning: \"method\": unknown method \"PSOT\"; did you mean \"POST\"?"),
        ("\"method\": \"PROPF\"", "2:41: warning: \"method\": unknown method \"PROPF\"; did you mean \"PROPFIND\"?"),
        ("\"header\": []", "2:31: warning: unknown key \"header\"; did you mean \"headers\"?"),
        ("\"desc\": \"\"", "2:31: warning: unknown key \"desc\"; did you mean \"description\"?"),
        ("\"Query\": []", "2:31: warning: unknown key \"Query\"; did you mean \"query\"?"),
    ])
    func `every mistake of a request is told`(member: String, expected: String) {
        #expect(problems(wrapped(member)) == ["f.json:" + expected])
    }

    @Test(arguments: [
        "\"authentication\": {\"basic\": {\"username\": \"u\", \"password\": 4711}}",
        "\"authentication\": {\"bearer\": 4711}",
        "\"authentication\": {\"apiKey\": {\"name\": \"k\", \"value\": 4711}}",
        "\"headers\": [{\"name\": \"X-Key\", \"value\": 4711}]",
    ])
    func `a number that may be a secret is not repeated`(member: String) {
        let found = problems(wrapped(member))
        #expect(found.count == 1 && found[0].hasSuffix(": expected a string, found a number; write it in quotes"))
    }

    @Test(arguments: [
        ("\"zzz\": 1", "zzz"), ("\"labels\": {\"a\": \"$.b\"}", "labels"),
        ("\"connection\": {\"verifiesServer\": false}", "verifiesServer"),
        ("\"expect\": {\"bodyContains\": \"a\"}", "bodyContains"),
        ("\"expect\": {\"body\": [{\"contains\": \"a\", \"zzz\": 1}]}", "zzz"),
        ("\"policy\": {\"retries\": 1, \"zzz\": 1}", "zzz"),
        ("\"query\": [{\"name\": \"a\", \"value\": \"\", \"zzz\": 1}]", "zzz"),
        (
            "\"authentication\": {\"basic\": {\"username\": \"a\", \"password\": \"b\", \"realm\": \"c\"}}", "realm"
        ),
        (
            "\"authentication\": {\"aws\": {\"accessKeyID\": \"a\", \"secretAccessKey\": \"b\", \"region\": \"r\", "
                + "\"service\": \"s\", \"role\": \"p\"}}", "role"
        ),
        (
            "\"authentication\": {\"oauth2\": {\"grant\": \"clientCredentials\", \"tokenURL\": \"/t\", "
                + "\"clientID\": \"c\", \"audience\": \"a\"}}", "audience"
        ),
    ])
    func `a key that has no effect is told with its place, and kept`(member: String, key: String) {
        let text = wrapped(member)
        let line = "{\"request\": \"r\", \"path\": \"/\", \(member)}"
        let column = line.firstRange(of: "\"\(key)\"").map { line[..<$0.lowerBound].utf8.count + 1 } ?? 0
        #expect(problems(text) == ["f.json:2:\(column): warning: unknown key \"\(key)\"; it has no effect"])
        let kept = CollectionFile.read(Array(text.utf8), file: "f.json").collection?.text
        #expect(kept?.contains("\"\(key)\"") == true)
    }

    @Test func `a key of the file itself that has no effect is told, and one of the user is not`() {
        let text = "{\"version\": 1, \"name\": \"n\", \"items\": [], \"zzz\": 1, \"x-zzz\": 2}"
        #expect(problems(text) == ["f.json:1:42: warning: unknown key \"zzz\"; it has no effect"])
        #expect(problems(wrapped("\"x-owner\": \"me\"")) == [])
    }

    @Test func `a warning does not keep a file from being opened`() {
        #expect(CollectionFile.read(Array(wrapped("\"header\": []").utf8), file: "f.json").collection != nil)
    }

    @Test func `folders nested as deep as JSON may be are read, edited and written`() throws {
        let depth = 254
        let opening = String(repeating: "{\"folder\": \"f\", \"items\": [", count: depth)
        let text =
            "{\"version\": 1, \"name\": \"n\", \"items\": [" + opening
            + "{\"request\": \"r\", \"path\": \"/\"}" + String(repeating: "]}", count: depth + 1)
        var collection = try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
        let id = try #require(collection.requests.first?.id)
        collection.rename(id, "renamed")
        #expect(collection.path(to: id).count == depth + 1)
        #expect(CollectionFile.read(Array(collection.text.utf8), file: "f").collection?.text == collection.text)
    }

    /// Without white space, where a change would say little.
    private func compact() throws -> [UInt8] { Array(try JSONValue.parse(everything).compact.utf8) }

    @Test func `a file cut off anywhere gives a problem`() throws {
        let bytes = try compact()
        for length in bytes.indices {
            let (collection, problems) = CollectionFile.read(Array(bytes[..<length]), file: "f")
            #expect(collection == nil && problems.count == 1, "cut to \(length) bytes")
        }
    }

    @Test func `a file with any one byte changed is read or refused`() throws {
        var bytes = try compact()
        for index in bytes.indices {
            let original = bytes[index]
            for replacement in [0x22, 0xFF, original ^ 1] as [UInt8] {
                bytes[index] = replacement
                let (collection, problems) = CollectionFile.read(bytes, file: "f")
                let refused = problems.contains { $0.severity == .error }
                #expect((collection == nil) == refused, "byte \(index) as \(replacement)")
                if let collection {
                    let again = CollectionFile.read(Array(collection.text.utf8), file: "f")
                    #expect(again.collection?.text == collection.text, "byte \(index) as \(replacement)")
                }
            }
            bytes[index] = original
        }
    }

    @Test func `a key twice is kept in the JSON that a request sends, and wrong anywhere else`() throws {
        func read(_ body: String, _ path: String = "/") -> (collection: Collection?, problems: [Problem]) {
            let text = """
                { "version": 1, "name": "n", "items": [
                  { "request": "r", "path": "\(path)", "body": { \(body) } }] }
                """
            return CollectionFile.read(Array(text.utf8), file: "f")
        }
        let kept = read(#""json": { "a": 1, "b": [{ "c": 1, "c": 2 }], "a": 2 }"#)
        #expect(kept.problems.map(\.severity) == [.warning, .warning])
        let collection = try #require(kept.collection)
        let again = CollectionFile.read(Array(collection.text.utf8), file: "f")
        #expect(again.collection?.text == collection.text)
        #expect(again.collection?.requests[0].body == collection.requests[0].body)
        let query = read(#""graphql": "{ a }", "variables": { "a": 1, "a": 2 }"#)
        #expect(query.problems.map(\.severity) == [.warning] && query.collection != nil)
        #expect(read(#""graphql": "{ a }", "variables": {}, "variables": {}"#).collection == nil)
        #expect(read(#""text": "a", "text": "b""#).collection == nil)
        #expect(read(#""json": 1, "json": 2"#).collection == nil)
    }
}
