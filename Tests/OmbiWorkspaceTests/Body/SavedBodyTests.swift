import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Every kind of body, by the list of kinds.
@Suite struct SavedBodyTests {
    @Test(arguments: SavedBody.Kind.allCases) func `a kind is read from what it writes`(kind: SavedBody.Kind) throws {
        var body = SavedBody(kind, text: "{\"a\": [1]}")
        if body.rows != nil { body.rows = [Field("a", "{{b}}"), Field("c", "", enabled: false)] }
        for field in body.descriptors { try field.write(&body, Self.text(for: field)) }
        #expect(body.kind == kind && SavedBody(kind).kind == kind)
        let written = Collection(name: "c", items: [.request(SavedRequest(name: "r", path: "/", body: body))]).text
        let (collection, problems) = CollectionFile.read(Array(written.utf8), file: "c.json")
        #expect(collection?.requests.first?.body == body && problems.isEmpty, "\(problems)")
        #expect(try SampleTests.schema().failures(JSONValue.parse(written)) == [])
    }

    private static func text(for field: FieldDescriptor<SavedBody>) -> String {
        let text = ["variables": "{\"x\":1}", "content type": "image/png"][field.label] ?? "x"
        return field.choices.last?.name ?? text
    }

    @Test func `the keys in the file are distinct, and the schema has a branch for each kind`() throws {
        #expect(Set(SavedBody.keys).count == SavedBody.keys.count)
        guard case .array(let branches) = try SampleTests.schema().root["$defs"]?["body"]?["oneOf"] else {
            Issue.record("the schema has no kinds of body")
            return
        }
        let kinds = branches.map { branch in
            if case .array(let keys) = branch["required"], case .string(let key)? = keys.first { key } else { "" }
        }
        #expect(kinds == SavedBody.Kind.allCases.map(\.rawValue))
    }

    @Test(arguments: SavedBody.Kind.allCases)
    func `an edited text is kept, and a field that was edited is read back`(kind: SavedBody.Kind) throws {
        let body = SavedBody(kind)
        if body.text != nil {
            let (edited, warning) = SavedBody.replacingText("[1]", in: body)
            #expect(edited.text?.filter { !$0.isWhitespace } == "[1]" && warning == nil && edited.kind == kind)
        }
        for field in body.descriptors {
            var edited = body
            let text = Self.text(for: field)
            try field.write(&edited, text)
            #expect(field.read(edited) == text)
        }
    }

    @Test func `text becomes JSON under the type that JSON is sent with alone, and keeps any other`() {
        let json = SavedBody.text(TextContent("{", contentType: "application/json"))
        #expect(SavedBody.replacingText("{}", in: json).body == .json(JSONContent(.object([]))))
        for type in [
            "application/x-ndjson", "application/vnd.api+json", "application/json; charset=utf-8", "text/json",
        ] {
            let body = SavedBody.text(TextContent("{}", contentType: type))
            for text in ["{\"a\":1}", "{\"a\":1}\n[2]", "oops"] {
                let (edited, warning) = SavedBody.replacingText(text, in: body)
                #expect(edited == .text(TextContent(text, contentType: type)) && warning == nil)
            }
        }
    }

    @Test func `a change of kind keeps what the other kind can hold`() {
        let form = SavedBody.form(FormContent([Field("a", "@b"), Field("c", "{{d}}", enabled: false)]))
        let parts = [MultipartPart("a", .text("@b")), MultipartPart("c", .text("{{d}}"), enabled: false)]
        #expect(form.converted(to: .multipart) == .multipart(MultipartContent(parts)))
        let multipart = SavedBody.multipart(MultipartContent(parts + [MultipartPart("f", .file("x"))]))
        #expect(multipart.converted(to: .form) == form)
        let query = SavedBody.graphql(
            GraphQLContent("{ a }", variables: .object([.init("b", .string("{{c}}"))]), operationName: "d"))
        #expect(query.converted(to: .json).converted(to: .graphql) == query)
        #expect(SavedBody.text(TextContent("{ a }")).converted(to: .graphql) == .graphql(GraphQLContent("{ a }")))
        #expect(SavedBody.text(TextContent("[1]")).converted(to: .json).text == "[\n  1\n]")
    }

    @Test func `a body has one kind, and what belongs to another is named`() {
        func problems(_ body: String) -> [String] {
            let text = """
                {"version": 1, "name": "c", "items": [{"request": "r", "path": "/", "body": \(body)}]}
                """
            return CollectionFile.read(Array(text.utf8), file: "c").problems.map(\.message)
        }
        let kinds = SavedBody.Kind.allCases.map { "\"\($0.rawValue)\"" }
        let list = kinds.dropLast().joined(separator: ", ") + " and \(kinds[kinds.count - 1])"
        #expect(problems("{}") == ["a body has one of \(list), found none of them"])
        #expect(
            problems("{\"json\": 1, \"form\": []}") == ["a body has one of \(list), found \"json\" and \"form\""])
        #expect(
            problems("{\"json\": 1, \"contentType\": \"a/b\"}")
                == ["\"contentType\": goes with \"text\" and \"file\" only; set a Content-Type header instead"])
        #expect(problems("{\"file\": \"\"}") == ["\"file\": no file is named"])
    }
}
