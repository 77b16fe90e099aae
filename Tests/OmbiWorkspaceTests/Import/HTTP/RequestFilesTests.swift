import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Folders of files of requests in text.
@Suite struct RequestFilesTests {
    private static let shop = [
        "http-client.env.json": #"{"dev": {"host": "https://dev.test"}, "live": {"host": "https://live.test"}}"#,
        "http-client.private.env.json": #"{"dev": {"key": "hunter2hunter2"}}"#,
        "users/create.http": "@size = 1\n@same = x\nPOST {{host}}/users/{{size}}\nX-Key: {{key}}\n\n< ./body.json\n",
        "users/list.rest": "@size = 2\n@same = x\nGET {{host}}/users?s={{size}}\n",
        "users/body.json": "{}", "zoo/a.http": "# no request\n", "readme.md": "# Shop\n",
    ]

    @Test func `each file is a folder, below those that it is in`() throws {
        let (imported, notes) = try FolderSample.imported(Self.shop)
        let collection = imported.collection
        #expect(collection.name == "sample" && imported.folderCount == 3)
        #expect(collection.requests.map(\.path) == ["/users/{{size}}", "/users"])
        #expect(collection.environments.map(\.name) == ["dev", "live"])
        #expect(collection.environments.map(\.host) == ["https://dev.test", "https://live.test"])
        #expect(collection.variables == [Field("same", "x")])
        guard case .folder(let users)? = collection.items.first, case .folder(let create)? = users.items.first else {
            Issue.record("no folders")
            return
        }
        #expect(users.name == "users" && create.name == "create")
        #expect(create.settings.variables == [Field("size", "1")])
        #expect(collection.requests.first?.body == .file(FileContent("users/body.json")))
        #expect(imported.secrets.map(\.description) == ["key (dev)"])
        #expect(!imported.written(keeping: .drop).text.contains("hunter2hunter2"))
        #expect(notes.lose("zoo/a.http", "there is no request in this file"))
    }

    @Test func `a host that is another one in each file is that of its folder`() throws {
        let (imported, notes) = try FolderSample.imported([
            "a.http": "@host = https://a.test\nGET {{host}}/x\n", "b.http": "@host = https://b.test\nGET {{host}}/y\n",
        ])
        #expect(imported.collection.requests.map(\.path) == ["/x", "/y"] && notes.isEmpty, "\(notes)")
        #expect(imported.collection.environments.map(\.host) == ["{{host}}"])
    }

    @Test func `files of Hurl are a folder as well, and others next to them are losses`() throws {
        let (imported, notes) = try FolderSample.imported([
            "a.hurl": "GET https://a.test/x\nHTTP 200\n", "deep/b.hurl": "GET https://a.test/y\nHTTP 200\n",
            "c.http": "GET https://a.test/z\n",
        ])
        #expect(imported.collection.requests.map(\.path) == ["/x", "/y"] && imported.folderCount == 3)
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["c.http"])
    }

    @Test func `a folder of files without a request is an error with the reason`() throws {
        let error = try #require(try FolderSample.error(of: ["a.http": "# nothing\n"]))
        #expect(error.message == "there is no request in this file")
    }

    @Test func `a value that two files capture by one name is a loss`() throws {
        let text = "# @name login\nGET https://a.test/l\n\n###\nGET https://a.test/{{login.response.body.id}}\n"
        let (imported, notes) = try FolderSample.imported(["a.http": text, "b.http": text])
        #expect(imported.requestCount == 4)
        let losses = notes.filter { $0.kind == .loss }
        #expect(losses.map(\.subject) == ["login_id"] && losses.first?.file?.hasSuffix("b.http") == true)
    }
}
