import Foundation
import TestSupport
import Testing

@testable import OmbiWorkspace

@Suite struct TemplateFunctionTests {
    private static func scope(_ variables: [Variable] = [], files: TemplateFiles = .sample("text")) -> VariableScope {
        var scope = VariableScope(
            collection: variables, environment: [], secrets: [Secret("key", .environment("KEY"))], overrides: [],
            reader: SecretReader(environment: { _ in "s3cret" }, file: { _ in [] }), generators: .fixed)
        scope.files = files
        return scope
    }

    @Test(arguments: [
        ("{{$date}}", "2026-01-31"), ("{{$date('+1d')}}", "2026-02-01"), ("{{$date(\"-31d\")}}", "2025-12-31"),
        ("{{$now}}", "2026-01-31T12:34:56Z"), ("{{$now('%d.%m.%y %H:%M', '+1d12h')}}", "02.02.26 00:34"),
        (
            "{{$now('%A %a %B %b %e %j %I%p %L %s %z %%')}}",
            "Saturday Sat January Jan 31 031 12PM 700 1769862896 +0000 %"
        ),
        ("{{ $randomInt( 1 , 6 ) }}", "6"), ("{{$randomInt(-5,-2)}}", "-2"), ("{{$randomString(3)}}", "999"),
        ("{{$base64('a:b')}}", "YTpi"), ("{{$base64(user, ':', \"pass's\")}}", "YWRhOnBhc3Mncw=="),
        ("{{$sha256('abc')}}", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("{{$file('./a')}}|", "text|"),
        ("{{$base64($sha256('', ''))}}".replacing("$sha256('', '')", with: "$file('x')"), "dGV4dA=="),
        ("{{$base64('}}')}}", "fX0="), ("{{$uuid()}}", "11111111-2222-4333-8444-555555555555"),
        ("{{n:number}}", "42"), ("{{ n : number }}", "42"), ("{{$randomInt(1, 6):number}}", "6"),
        ("{{yes:boolean}}", "true"),
        ("{{list:json}}", "[1, {\"a\": null}]"),
    ])
    func `functions and kinds fill in`(text: String, filled: String) throws {
        var scope = Self.scope([
            Field("user", "ada"), Field("n", "42"), Field("yes", "true"), Field("list", "[1, {\"a\": null}]"),
        ])
        #expect(try scope.fill(text) == filled)
    }

    @Test(arguments: [
        ("{{$uuid(1)}}", "$uuid at column 1: it takes no arguments; write $uuid"),
        (
            "{{$base64}}",
            "$base64 at column 1: it takes 1 to 16 arguments; write for example $base64(user, ':', password)"
        ),
        ("é {{$randomInt(6, 1)}}", "$randomInt at column 3: 6 is greater than 1"),
        ("{{$randomInt(6)}}", "$randomInt at column 1: it takes two numbers, the least and the greatest"),
        ("{{$randomInt('a', 1)}}", "$randomInt at column 1: \"a\" is not a whole number"),
        ("{{$randomString(0)}}", "$randomString at column 1: its length is from 1 to 10000, not 0"),
        ("{{$date('1d')}}", "$date at column 1: \"1d\" is not an offset; write for example '+90m', '-1d' or '+1d12h'"),
        (
            "{{$now('%Q')}}",
            "$now at column 1: the format has the unknown %Q; known: %Y %m %d %H %M %S %L (milliseconds) and %s"
        ),
        ("{{$now('%')}}", "$now at column 1: the format ends with %; write %% for a percent sign"),
        ("{{$base64('a}}", "$base64 at column 1: a text lacks its closing quote"),
        ("{{$base64(a}}", "$base64 at column 1: its ) is missing"),
        (
            "{{$base64(a b)}}",
            "$base64 at column 1: expected , or ) after an argument; a text stands in quotes, such as 'text'"
        ),
        (
            "{{$file(./a)}}",
            "$file at column 1: expected , or ) after an argument; a text stands in quotes, such as 'text'"
        ),
        (
            "{{$base64('{{a}}')}}",
            "$base64 at column 1: write the name of a variable without braces and quotes"
        ),
        ("{{text:int}}", "unknown kind \"int\" at column 1; known: number, boolean, json"),
        ("{{text:bool}}", "unknown kind \"bool\" at column 1; did you mean \"boolean\"?"),
        (
            "{{text:number}}",
            "the value of {{text:number}} at column 1 is not a number of JSON, such as 42 or -1.5: it is 042; for text write \"{{text}}\""
        ),
        (
            "{{text:boolean}}",
            "the value of {{text:boolean}} at column 1 is not true or false: it is 042; for text write \"{{text}}\""
        ),
        (
            "{{bad:json}}",
            "the value of {{bad:json}} at column 1 is not JSON; a text is written in quotes: it is empty; for text write \"{{bad}}\""
        ),
    ])
    func `a mistake says what to do`(text: String, message: String) {
        var scope = Self.scope([Field("text", "042"), Field("bad", "")])
        let error = #expect(throws: TemplateError.self) { try scope.fill(text) }
        #expect(error?.description == message)
    }

    @Test func `what is made of a secret is one`() throws {
        var scope = Self.scope([Field("composed", "x{{key}}")])
        let encoded = try scope.fill("{{$base64(composed)}}")
        #expect(scope.revealed.isSuperset(of: ["s3cret", encoded]))
    }

    @Test func `times are those of the calendar`() throws {
        var formatter = Date.ISO8601FormatStyle()
        formatter.timeZone = .gmt
        var random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            let seconds = Double(Int.random(in: -12_219_292_800...200_000_000_000, using: &random))
            let text = try TemplateTime(seconds).text("%Y-%m-%dT%H:%M:%SZ")
            let expected = Date(timeIntervalSince1970: seconds).formatted(formatter)
            #expect(text == expected)
        }
    }

    @Test(
        arguments: [
            ("2026-11-28T12:00:00Z", 1_795_867_200), ("2026-11-28T12:00:00UTC", 1_795_867_200),
            ("1970-01-01T00:00:01.5+00:00", 1), ("2026-11-28", nil), ("2026-11-28 12:00:00", nil), ("", nil),
            ("2026-11-28T1x:00:00Z", nil), ("2026-11-28T-1:00:00", nil), ("26-11-28T12:00:00ZZ", nil),
        ] as [(String, Int64?)])
    func `a time in UTC is read`(text: String, seconds: Int64?) { #expect(TemplateTime.seconds(of: text) == seconds) }

    @Test func `a file is read from the folder of the collection, and one outside the workspace is a source`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("c/data.txt", "content")
        _ = try folder.file("outside.txt", "no")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/c/link.txt", withDestinationPath: folder.path + "/outside.txt")
        var scope = Self.scope(files: .system(folder: folder.path + "/c"))
        #expect(try scope.fill("{{$file('./data.txt')}}") == "content")
        let own = scope.takeSources()
        #expect(own.isEmpty)
        let outside = try #require(Workspace.real(folder.path + "/outside.txt"))
        for path in ["../outside.txt", "link.txt", folder.path + "/outside.txt"] {
            for call in ["$file('\(path)')", "$sha256($file('\(path)'))"] {
                let value = try scope.fill("{{\(call)}}")
                let sources = scope.takeSources()
                #expect(sources == [.file(outside)] && scope.revealed.contains(value), "\(call)")
            }
            let files = scope.files
            #expect(throws: TemplateFileError.self) { try files.readOwn(path) }
        }
        for (path, reason) in [
            ("none.txt", "cannot read none.txt: no such file or folder"), ("", "the path is empty"),
        ] {
            let error = #expect(throws: TemplateError.self) { try scope.fill("{{$file('\(path)')}}") }
            #expect(error?.description == "$file at column 1: \(reason)")
        }
    }
}
