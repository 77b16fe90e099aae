import Foundation
import Testing

@testable import OmbiWorkspace

extension Generators {
    /// 2026-01-31 12:34:56.7 UTC.
    static let fixed = Generators(
        uuid: { "11111111-2222-4333-8444-555555555555" }, now: { 1_769_862_896.7 }, integer: { $0.upperBound })
}

extension SecretReader {
    static let none = SecretReader(
        environment: { _ in nil },
        file: { path throws(FileError) in throw FileError(operation: "read", path: path, code: ENOENT) })
}

@Suite struct TemplateTests {
    private func scope(
        _ variables: [Variable] = [], environment: [Variable] = [], secrets: [Secret] = [], overrides: [Variable] = [],
        reader: SecretReader = .none
    ) -> VariableScope {
        VariableScope(
            collection: variables, environment: environment, secrets: secrets, overrides: overrides, reader: reader,
            generators: .fixed)
    }

    @Test(arguments: [
        ("", ""), ("plain }} text {", "plain }} text {"), ("{{a}}", "A"), ("x{{ a }}y{{b}}", "xAyB"),
        ("{ {a}} {a}", "{ {a}} {a}"), ("{{a}}}}", "A}}"), ("{\"k\":{{a}}}", "{\"k\":A}"),
        ("{{{a}}}", "{A}"), ("{{{{a}}}}", "{{A}}"), ("\\{{{{a}}", "{{A"), ("\\{{{a}}}", "{{{a}}}"),
        ("\\\\{{{a}}}", "\\{A}"), ("\\{{a}}", "{{a}}"), ("\\\\{{a}}", "\\A"), ("\\\\\\{{a}}", "\\{{a}}"),
        ("\\a\\\\", "\\a\\\\"),
        ("\\{a}", "\\{a}"),
        ("{{both}}", "A and B"), ("{{ä.b-c_1}}", "umlaut"), ("{{empty}}|", "|"),
        ("{{$uuid}}", "11111111-2222-4333-8444-555555555555"), ("{{$timestamp}}", "1769862896"),
        ("{{$isoTimestamp}}", "2026-01-31T12:34:56Z"), ("{{$randomInt}}", "999"), ("é{{a}}\n{{b}}", "éA\nB"),
    ])
    func `names are replaced`(text: String, filled: String) throws {
        var scope = scope([
            Field("a", "A"), Field("b", "B"), Field("both", "{{a}} and {{b}}"), Field("ä.b-c_1", "umlaut"),
            Field("empty", ""),
        ])
        #expect(try scope.fill(text) == filled)
    }

    @Test(arguments: [
        ("{{", "the {{ at column 1 is not closed with }}; write \\{{ for the braces themselves"),
        ("é{{a", "the {{ at column 2 is not closed with }}; write \\{{ for the braces themselves"),
        ("{{a\n}}", "the {{ at column 1 is not closed with }}; write \\{{ for the braces themselves"),
        ("{{a {{b}}", "the {{ at column 1 is not closed with }}; write \\{{ for the braces themselves"),
        ("{{}}", "{{}} at column 1 contains no name; write \\{{ for the braces themselves"),
        (
            "{{first name}}",
            "{{first name}} at column 1 contains no name; write {{first_name}}, as names have no spaces, "
                + "or \\{{ for the braces themselves"
        ),
        ("{{a + b}}", "{{a + b}} at column 1 contains no name; write \\{{ for the braces themselves"),
        ("{{$}}", "{{$}} at column 1 contains no name; write \\{{ for the braces themselves"),
        ("abc {{tokn}}", "unknown variable \"tokn\" at column 5; did you mean \"token\"?"),
        ("{{zzz}}", "unknown variable \"zzz\" at column 1; known: indirect, loop, other, self, token, wrong"),
        ("one\r\n {\n  é{{tokn}}", "unknown variable \"tokn\" at line 3, column 4; did you mean \"token\"?"),
        ("one\n{{a", "the {{ at line 2, column 1 is not closed with }}; write \\{{ for the braces themselves"),
        ("{{$uid}}", "unknown function \"$uid\" at column 1; did you mean \"$uuid\"?"),
        (
            "{{$foo}}",
            "unknown function \"$foo\" at column 1; known: $uuid, $timestamp, $isoTimestamp, $date, $now, $randomInt, $randomString, $base64, $sha256, $file"
        ),
        (
            "{{$env.HOME}}",
            "unknown function \"$env.HOME\" at column 1; name the environment variable under \"secrets\" of an environment instead"
        ),
        ("{{self}}", "the variable \"self\" at column 1 refers to itself: self → self"),
        ("{{loop}}", "the variable \"loop\" at column 1 refers to itself: loop → other → loop"),
        ("{{wrong}}", "in the variable \"wrong\": unknown variable \"tokens\" at column 3; did you mean \"token\"?"),
        (
            "{{indirect}}",
            "in the variable \"indirect\": in the variable \"wrong\": unknown variable \"tokens\" at column 3; did you mean \"token\"?"
        ),
    ])
    func `a mistake is told with its place`(text: String, message: String) {
        var scope = scope([
            Field("token", "t"), Field("self", "{{self}}"), Field("loop", "a {{other}}"), Field("other", "b{{loop}}"),
            Field("wrong", "x {{tokens}}"), Field("indirect", "{{wrong}}"), Field("off", "", enabled: false),
        ])
        let error = #expect(throws: TemplateError.self) { try scope.fill(text) }
        #expect(error?.description == message)
    }

    @Test func `the nearest definition counts`() throws {
        let reader = SecretReader(environment: { "env \($0)" }, file: { "file \($0)\n".utf8.map { $0 } })
        var scope = scope(
            ["a", "b", "c", "d"].map { Field($0, "collection") },
            environment: [Field("b", "environment"), Field("c", "e")],
            secrets: [Secret("c", .environment("C")), Secret("d", .file("D")), Secret("e", .file("E"))],
            overrides: [Field("e", "override"), Field("a", "off", enabled: false)], reader: reader)
        #expect(try scope.fill("{{a}}|{{b}}|{{c}}|{{d}}|{{e}}") == "collection|environment|env C|file D|override")
        #expect(scope.revealed == ["env C", "file D", "override"])
    }

    @Test func `a secret is text, not a template`() throws {
        var scope = scope(
            secrets: [Secret("s", .environment("S"))],
            reader: SecretReader(environment: { _ in "{{s}}" }, file: { _ in [] }))
        #expect(try scope.fill("{{s}}") == "{{s}}")
    }

    @Test(arguments: [
        (
            Secret("t", .environment("UNSET")),
            "{{t}} reads UNSET, which is not set; export it and run Ombi again"
        ),
        (
            Secret("t", .environment("EMPTY")),
            "{{t}} reads EMPTY, which is empty; export it and run Ombi again"
        ),
        (Secret("t", .file("none")), "the secret \"t\" is in the file none: cannot read none: no such file or folder"),
        (Secret("t", .file("empty")), "the secret \"t\" is in the file empty, which is empty"),
        (Secret("t", .file("binary")), "the secret \"t\" is in the file binary, which is not UTF-8 text"),
    ])
    func `a secret that cannot be read says what to set`(secret: Secret, message: String) {
        let reader = SecretReader(
            environment: { $0 == "EMPTY" ? "" : nil },
            file: { path throws(FileError) in
                switch path {
                case "empty": return [0x0D, 0x0A]
                case "binary": return [0xFF]
                default: throw FileError(operation: "read", path: path, code: ENOENT)
                }
            })
        var scope = scope(secrets: [secret], reader: reader)
        let error = #expect(throws: TemplateError.self) { try scope.fill("{{t}}") }
        #expect(error?.description == message)
    }

    @Test(
        arguments: [
            ("a/shop.json", nil, "; export it and run Ombi again, or put the value into shop.local.json"),
            (
                "shop.json", "e",
                "; export it and run Ombi again, or put the value into the environment e of shop.local.json"
            ), (".", "e", "; export it and run Ombi again"),
        ] as [(String, String?, String)])
    func `a variable without a value names the local file of the collection, too`(
        file: String, environment: String?, advice: String
    ) {
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: "/"), collection: Collection(schema: nil, name: "c"),
            environment: environment, file: file)
        let reader = Session(secrets: { _ in .none }).reader(for: order)
        var scope = scope(secrets: [Secret("t", .environment("UNSET"))], reader: reader)
        let error = #expect(throws: TemplateError.self) { try scope.fill("{{t}}") }
        #expect(error?.description == "{{t}} reads UNSET, which is not set" + advice)
    }

    @Test func `a secret file is looked for beside the collection`() throws {
        #expect(RelativePath.resolve("a", folder: "/x", home: "/h") == "/x/a")
        #expect(RelativePath.resolve("a", folder: "", home: "/h") == "a")
        #expect(RelativePath.resolve("/a", folder: "/x", home: "/h") == "/a")
        #expect(RelativePath.resolve("~/a", folder: "/x", home: "/h") == "/h/a")
        let folder = try TemporaryFolder()
        _ = try folder.file("token", "s3cret\n")
        #expect(try SecretReader.system(folder: folder.path).value(of: Secret("t", .file("token"))) == "s3cret")
    }

    @Test func `variables that hold each other many times are stopped`() {
        let names = (0...60).map { "v\($0)" }
        let bomb = names.indices.dropLast().map { Field(names[$0], "{{\(names[$0 + 1])}}{{\(names[$0 + 1])}}") }
        for leaf in ["", String(repeating: "x", count: 1 << 20)] {
            var scope = scope(bomb + [Field("v60", leaf)])
            let error = #expect(throws: TemplateError.self) { try scope.fill("{{v0}}") }
            #expect(error?.description == "the text grows too large; its variables refer to others too often")
        }
    }

    @Test func `a chain of variables that is too long is told with its ends`() {
        let chain = (0..<20_000).map { Field("v\($0)", "{{v\($0 + 1)}}") }
        var scope = scope(chain + [Field("v20000", "end")])
        let error = #expect(throws: TemplateError.self) { try scope.fill("{{v0}}") }
        #expect(
            error?.description
                == "the variable \"v0\" refers to others through more than 100 levels: v0 → v1 → v2 → … → v98 → v99 → v100"
        )
        #expect((try? scope.fill("{{v19950}}")) == "end")
    }

    @Test func `columns are counted on from one template to the next`() {
        let text = String(repeating: "é👍🏽{{a}}", count: 2000)
        var scope = scope([Field("a", "A")])
        #expect((try? scope.fill(text)) == String(repeating: "é👍🏽A", count: 2000))
        let error = #expect(throws: TemplateError.self) { try scope.fill(text + "{{b}}") }
        #expect(error?.column == 14_001)
    }

    @Test func `of many known variables a message names some`() {
        var scope = scope((1000..<1100).map { Field("name\($0)", "") })
        let error = #expect(throws: TemplateError.self) { try scope.fill("{{zzz}}") }
        #expect(error?.description.hasSuffix("name1018, name1019 and 80 more") == true)
    }

    @Test func `the system's generators give what they say`() throws {
        let scope = VariableScope(
            collection: [], environment: [], secrets: [], overrides: [], reader: .none, generators: .system)
        var first = scope
        let uuids = try [first.fill("{{$uuid}}"), first.fill("{{$uuid}}")]
        #expect(uuids[0] != uuids[1])
        #expect(uuids.allSatisfy { UUID(uuidString: $0)?.uuidString.lowercased() == $0 })
        #expect(try (0...999).contains(#require(Int(first.fill("{{$randomInt}}")))))
    }
}
