import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Bodies that are read from files, on their way to a server.
@Suite struct FileBodyTests {
    private static func order(_ body: SavedBody, _ server: LoopbackServer, in folder: String = "/") -> RunOrder {
        let request = SavedRequest(name: "upload", method: .post, path: server.host + "/u", body: body)
        let variables = [Variable("name", "ada"), Variable("secret", "hunter2")]
        return RunOrder(
            id: 1, request: request,
            collection: Collection(name: "c", variables: variables, items: [.request(request)]),
            environment: nil, file: folder + "/c.json")
    }

    private static func result(_ order: RunOrder) async throws -> SessionResult {
        guard case .ended(let result)? = await Session().events(of: order).last else { throw CancellationError() }
        return result
    }

    @Test func `a form arrives with its texts and its files, which are found beside the collection`() async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        _ = try folder.file("ada.png", "PNG bytes")
        let form = MultipartContent([
            MultipartPart("title", .text("{{name}}")), MultipartPart("off", .text("x"), enabled: false),
            MultipartPart("photo", .file("./{{name}}.png")),
            MultipartPart("again", .file("ada.png"), contentType: "text/plain", fileName: "{{name}}.txt"),
        ])
        let result = try await Self.result(Self.order(.multipart(form), server, in: folder.path))
        let request = try #require(server.requests.first)
        let type = request.headers["content-type"] ?? ""
        let boundary = type.components(separatedBy: "boundary=").last ?? ""
        #expect(request.headers["content-length"] == "\(request.body.count)")
        let parts = [
            "Content-Disposition: form-data; name=\"title\"\r\n\r\nada",
            "Content-Disposition: form-data; name=\"photo\"; filename=\"ada.png\"\r\nContent-Type: image/png\r\n\r\nPNG bytes",
            "Content-Disposition: form-data; name=\"again\"; filename=\"ada.txt\"\r\nContent-Type: text/plain\r\n\r\nPNG bytes",
        ]
        #expect(request.text == parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n")
        let shown = try #require(result.prepared?.body)
        #expect(shown.contains("name=\"title\"\r\n\r\nada\r\n") && shown.contains("(./ada.png, 9 bytes)"))
        #expect(!shown.contains("PNG bytes"))
    }

    @Test func `a file is the whole body, with the type of its extension`() async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        _ = try folder.file("rows.csv", "a,b\n")
        let result = try await Self.result(Self.order(.file(FileContent("rows.csv")), server, in: folder.path))
        #expect(server.requests.first?.text == "a,b\n" && server.requests.first?.headers["content-type"] == "text/csv")
        #expect(result.prepared?.body == "(rows.csv, 4 bytes)" && result.passed)
    }

    @Test(arguments: [
        (
            SavedBody.file(FileContent("gone/gone.bin")),
            "upload: body file: gone/gone.bin cannot be read: No such file or directory"
        ),
        (.file(FileContent("")), "upload: body file: no file is named; write its path, for example ./photo.png"),
        (
            .multipart(MultipartContent([MultipartPart("photo", .file("/"))])),
            "upload: part \"photo\": / cannot be read: not a regular file"
        ),
        (.multipart(MultipartContent([MultipartPart("a", .text("{{nme}}"))])), "upload: part \"a\": "),
    ]) func `nothing is sent of a file that cannot be read`(body: SavedBody, message: String) async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let result = try await Self.result(Self.order(body, server))
        guard case .failure(let found) = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        #expect(found.hasPrefix(message), "\(found)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a GraphQL body is JSON with its templates filled in`() async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let body = GraphQLContent(
            "query A { user { name }}", variables: .object([.init("name", .string("{{name}}"))]), operationName: "A")
        _ = try await Self.result(Self.order(.graphql(body), server))
        let expected = #"{"query":"query A { user { name }}","variables":{"name":"ada"},"operationName":"A"}"#
        #expect(server.requests.first?.text == expected)
        #expect(server.requests.first?.headers["content-type"] == "application/json")
    }

    @Test(arguments: [
        ("multipart/related", "multipart/related; boundary=ombi-"),
        ("multipart/form-data; boundary=abc", "multipart/form-data; boundary=ombi-"),
        ("multipart/form-data; Boundary=\"abc\"; a=b", "multipart/form-data; a=b; boundary=ombi-"),
        ("multipart/form-data; boundary=\"a b;c\"", "multipart/form-data; boundary=ombi-"),
        ("multipart/form-data; a=\"x\\\";y\"; boundary=\";\"", "multipart/form-data; a=\"x\\\";y\"; boundary=ombi-"),
        ("multipart/form-data;\tboundary=abc;", "multipart/form-data; boundary=ombi-"),
        ("Multipart/Mixed; boundary=", "Multipart/Mixed; boundary=ombi-"),
    ])
    func `a form with a type of its own has one boundary in the header and the body`(
        written: String, start: String
    ) async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        var order = Self.order(.multipart(MultipartContent([MultipartPart("a", .text("1"))])), server)
        order.request.headers = [Field("Content-Type", written)]
        _ = try await Self.result(order)
        let request = try #require(server.requests.first)
        let type = request.headers["content-type"] ?? "none"
        #expect(type.hasPrefix(start), "\(type)")
        #expect(request.text.hasPrefix("--" + (type.components(separatedBy: "boundary=").last ?? "none") + "\r\n"))
    }

    @Test func `check names the files that are not there`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("there.txt", "")
        let text = """
            {"version": 1, "name": "c", "items": [
              {"request": "a", "path": "/", "body": {"file": "gone.txt"}},
              {"request": "b", "path": "/", "body": {"multipart": [
                {"name": "x", "file": "there.txt"}, {"name": "y", "file": "{{any}}"}, {"name": "z", "file": "./no/z"}]}}]}
            """
        let path = try folder.file("c.json", text)
        let loaded = CollectionFile.load(path)
        #expect(loaded.problems.isEmpty)
        let problems = loaded.problemsWithNamedFiles
        #expect(problems.map(\.severity) == [.warning, .warning])
        #expect(
            problems.map(\.message)
                == ["gone.txt", "./no/z"].map {
                    "\($0) cannot be read: No such file or directory; paths start at the folder of this file"
                })
        #expect(problems.map { $0.position?.line } == [2, 4])
    }
}
