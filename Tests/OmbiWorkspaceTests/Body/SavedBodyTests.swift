import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Every kind of body, by the list of kinds.
@Suite struct SavedBodyTests {
    @Test(arguments: SavedBody.Kind.allCases) func `a kind is read from what it writes`(kind: SavedBody.Kind) throws {
        var body = SavedBody(kind, text: "{\"a\": [1]}")
        if body.rows != nil { body.rows = [Field("a", "{{b}}"), Field("c", "", enabled: false)] }
        for (index, field) in body.descriptors.enumerated() {
            try field.write(&body, field.choices.last?.name ?? "\(index)")
        }
        #expect(body.kind == kind && SavedBody(kind).kind == kind)
        let written = Collection(name: "c", items: [.request(SavedRequest(name: "r", path: "/", body: body))]).text
        let (collection, problems) = CollectionFile.read(Array(written.utf8), file: "c.json")
        #expect(collection?.requests.first?.body == body && problems.isEmpty)
        #expect(try SampleTests.schema().failures(JSONValue.parse(written)) == [])
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
            let text = field.choices.last?.name ?? "x"
            try field.write(&edited, text)
            #expect(field.read(edited) == text)
        }
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
                == ["\"contentType\": goes with \"text\" only; set a Content-Type header instead"])
    }
}
