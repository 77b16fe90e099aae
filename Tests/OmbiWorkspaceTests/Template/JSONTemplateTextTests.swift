import Foundation
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// JSON whose templates stand without quotes while it is edited.
@Suite struct JSONTemplateTextTests {
    @Test(arguments: [
        ("{\"id\": \"{{id:number}}\"}", "{\"id\": {{id:number}}}"), ("[\"{{a:json}}\"]", "[{{a}}]"),
        ("{\"{{k:json}}\": \"{{v}}\"}", "{\"{{k:json}}\": \"{{v}}\"}"),
        ("[\"x {{a:number}}\"]", "[\"x {{a:number}}\"]"),
        ("\"{{$randomInt(1, 6):number}}\"", "{{$randomInt(1, 6):number}}"),
        ("[\"{{$base64('{\\\"a\\\": 1}'):json}}\"]", "[{{$base64('{\"a\": 1}')}}]"),
    ])
    func `a template with a kind is shown without quotes, and read back`(file: String, shown: String) throws {
        #expect(JSONTemplateText.unquoted(file) == shown)
        #expect(try JSONValue.parse(JSONTemplateText.quoted(shown)) == JSONValue.parse(file))
    }

    @Test func `a body is edited without quotes, and saved as JSON`() throws {
        let (body, warning) = SavedBody.replacingText(
            "{\"id\": {{id}}, \"n\": {{n:number}}, \"s\": \"{{s}}\"}", in: nil)
        #expect(warning == nil)
        guard case .json(let content) = body else {
            Issue.record("\(body)")
            return
        }
        #expect(content.value.compact == "{\"id\":\"{{id:json}}\",\"n\":\"{{n:number}}\",\"s\":\"{{s}}\"}")
        #expect(body.text?.contains("\"id\": {{id}}") == true && body.text?.contains("\"n\": {{n:number}}") == true)
    }

    @Test func `an error keeps its place beside templates`() {
        let (_, warning) = SavedBody.replacingText("{\"a\": {{id}},\n \"b\": {{n:number}} oops}", in: nil)
        #expect(warning?.contains("line 2, column 20") == true, "\(warning ?? "")")
    }

    @Test(.timeLimit(.minutes(2))) func `braces in a row without a template are read in one pass`() {
        let text = String(repeating: "{{", count: 100_000)
        #expect(JSONTemplateText.quoted(text) == text)
    }

    @Test func `laid out, each template stays at its place`() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<300 {
            let value = Self.value(&random, depth: 0)
            let shown = JSONTemplateText.unquoted(value.text)
            let bytes = Array(shown.utf8)
            let masked = JSONTemplateText.masked(bytes)
            #expect(masked.count == bytes.count)
            let compact = try JSONValue.parse(String(decoding: masked, as: UTF8.self)).compact
            let restored = String(
                decoding: JSONTemplateText.unmasked(Array(compact.utf8), original: bytes), as: UTF8.self)
            #expect(try JSONValue.parse(JSONTemplateText.quoted(restored)) == value)
            #expect(try JSONValue.parse(JSONTemplateText.quoted(shown)) == value)
        }
    }

    private static func value(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        let texts = [
            "{{a}}", "{{a:number}}", "{{b:json}}", "x{{a:json}}", "\\{{a:json}}", "{{$base64(\"q\", 'x'):json}}",
            "\"{{", "é\"\\",
            "", "{{c:boolean}}",
        ]
        switch Int.random(in: 0..<(depth > 3 ? 3 : 5), using: &random) {
        case 0: return .number("1.50")
        case 1, 2: return .string(texts.randomElement(using: &random) ?? "")
        case 3: return .array((0..<3).map { _ in value(&random, depth: depth + 1) })
        default:
            return .object(
                (0..<3).map {
                    .init("\($0)" + (texts.randomElement(using: &random) ?? ""), value(&random, depth: depth + 1))
                })
        }
    }

    // MARK: Sending

    private func resolve(_ json: String, _ variables: [Variable]) throws -> String {
        let body = SavedBody.json(JSONContent(try JSONValue.parse(json)))
        let resolver = Resolver(
            collection: Collection(name: "c", variables: variables), environment: nil, secrets: .none,
            generators: .fixed)
        let resolved = try resolver.resolve(SavedRequest(name: "r", path: "http://a.test/", body: body))
        return resolved.body?.text ?? ""
    }

    @Test func `a whole string with a kind becomes a value`() throws {
        let json = """
            {"id": "{{id:number}}", "flag": "{{flag:boolean}}", "filter": "{{filter:json}}", "text": "{{id}}",
             "part": "no {{id:number}}", "big": "{{big:number}}"}
            """
        let variables = [
            Field("id", "42"), Field("flag", "false"), Field("filter", "{\"a\": [1.50, null]}"),
            Field("big", "123456789012345678901234567890"),
        ]
        #expect(
            try resolve(json, variables)
                == "{\"id\":42,\"flag\":false,\"filter\":{\"a\":[1.50,null]},\"text\":\"42\",\"part\":\"no 42\",\"big\":123456789012345678901234567890}"
        )
    }

    @Test func `a value that does not fit sends nothing, and says where`() {
        let error = #expect(throws: ResolveError.self) {
            try resolve("{\"user\": {\"ids\": [\"{{id:number}}\"]}}", [Field("id", "forty")])
        }
        #expect(error?.field == "body $.user.ids[0]")
        #expect(
            error?.reason
                == "the value of {{id:number}} at column 1 is not a number of JSON, such as 42 or -1.5: it is forty; for text write \"{{id}}\""
        )
    }
}
