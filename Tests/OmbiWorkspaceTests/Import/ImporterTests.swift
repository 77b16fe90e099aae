import Testing

@testable import OmbiWorkspace

/// Files of other tools where Ombi takes a URL.
@Suite struct ImporterTests {
    @Test(arguments: [
        "shop.har", " files/Shop.HTTP\n", "./openapi.yaml", "/tmp/my shop.json", "~/a b.hurl", "./a.rest", "x/a.bru",
    ])
    func `the path of a file is none of a URL`(text: String) { #expect(Importer.isPath(text)) }

    @Test(arguments: [
        "", "example.com", "example.com/a.json", "https://example.com/a.har", "localhost/a.json", ":3000/a.json",
        "example.rest", "{{host}}/a.json", "curl https://a.test/b.json", "a\nb.json",
    ])
    func `a URL and a command are no paths`(text: String) { #expect(!Importer.isPath(text)) }

    @Test(arguments: [
        ("GET https://a.test/{{$isoTimestamp}}\n", "a.http"), ("GET https://a.test/{{$datetime iso8601}}\n", "a.http"),
        ("GET https://a.test/{{newDate}}\nHTTP 200\n", "a.hurl"),
        ("meta {\n  name: a\n}\n\nget {\n  url: https://a.test/{{$isoTimestamp}}\n  body: none\n}\n", "a.bru"),
        (
            #"{"_type": "export", "__export_format": 4, "resources": [{"_id": "r", "_type": "request", "url": "#
                + #""https://a.test/{% now 'iso-8601' %}"}]}"#, "a.json"
        ),
    ])
    func `a time without its fraction of a second is a remark`(text: String, path: String) throws {
        let imported = try Importer.read(Array(text.utf8), from: path)
        #expect(imported.collection.requests.first?.path.hasSuffix("/{{$isoTimestamp}}") == true)
        #expect(imported.notes.contains { $0.kind == .remark && $0.message.contains("fraction of a second") })
    }

    @Test(arguments: [
        ("GET https://a.test/x?a[b]=1\n", "a.http"), ("GET https://a.test/x?a[b]=1\nHTTP 200\n", "a.hurl"),
        ("meta {\n  name: a\n}\n\nget {\n  url: https://a.test/x?a[b]=1\n  body: none\n}\n", "a.bru"),
        (
            #"{"info": {"name": "a", "schema": "/collection/v2.1.0/"}, "item": [{"name": "a", "request": "#
                + #"{"method": "GET", "url": "https://a.test/x?a[b]=1"}}]}"#, "a.json"
        ),
        (#"{"log": {"entries": [{"request": {"method": "GET", "url": "https://a.test/x?a[b]=1"}}]}}"#, "a.har"),
    ])
    func `brackets of a query, which Ombi encodes, are a remark`(text: String, path: String) throws {
        let imported = try Importer.read(Array(text.utf8), from: path)
        #expect(imported.requestCount == 1)
        #expect(imported.notes.contains { $0.kind == .remark && $0.message.contains("[ is sent as %5B") })
        let plain = try Importer.read(Array(text.replacing("a[b]", with: "a.b").utf8), from: path)
        #expect(!plain.notes.contains { $0.message.contains("%5B") })
    }

    @Test(
        arguments: [
            ([], "the file is empty"), (Array("\n \n".utf8), "the file is empty"),
            (Array("PK".utf8) + [3, 4, 0x14, 0xFF], "the file is a ZIP archive; unpack it first"),
        ] as [([UInt8], String)])
    func `a file that no importer could read says why`(content: [UInt8], message: String) {
        let error = #expect(throws: ImportError.self) { try Importer.read(content, from: "a.json") }
        #expect(error?.message == message)
    }

    @Test(arguments: [
        ("GET https://a.test/x\nX-A: {{ sign(\"hunter2Hunter2\") }}\nX-B: {{ sign(\"other\") }}\n", "a.http", "sign"),
        ("GET https://a.test/x\nX-A: {{\"hunter2Hunter2\" base64Encode}}\nHTTP 200\n", "a.hurl", "base64Encode"),
        (
            "requests:\n  r:\n    method: GET\n    url: https://a.test/x\n    headers:\n"
                + "      X-A: \"{{ 'hunter2Hunter2' | base64() }}\"\n", "slumber.yml", "base64"
        ),
        (
            #"{"_type": "export", "__export_format": 4, "resources": [{"_id": "r", "_type": "request", "url": "#
                + #""https://a.test/x", "headers": [{"name": "X-A", "value": "#
                + #""{% base64 'encode', 'normal', 'hunter2Hunter2' %}"}]}]}"#, "a.json", "base64"
        ),
    ])
    func `a text in a computation is in no name and in no note`(text: String, path: String, name: String) throws {
        let imported = try Importer.read(Array(text.utf8), from: path)
        #expect(imported.collection.variables.first?.name == name)
        #expect(imported.collection.requests.first?.headers.first?.value == "{{\(name)}}")
        #expect(!imported.collection.text.contains("hunter2"))
        #expect(!imported.notes.contains { "\($0)".contains("hunter2") })
    }
}
