import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The options of curl that name a file, with a file that is no text: its bytes arrive, or the command is refused.
@Suite struct CurlFileTests {
    static let picture: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0xFF, 0xFE, 0x20]
    private static let escaped = "%89PNG%0D%0A%1A%0A%00%FF%FE+"

    private static func imported(_ line: String) throws -> [SavedRequest] {
        try CurlImport.read(line) { $0 == "logo.png" ? picture : nil }.requests
    }

    /// Returns the only request that a server gets of a command.
    private static func sent(_ line: String) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        try Data(picture).write(to: URL(filePath: folder.path + "/logo.png"))
        let requests = try imported(line.replacing("HOST", with: server.host))
        let sent = try await CurlJudgeTests.send(requests, in: folder.path, to: server)
        return try #require(sent.first)
    }

    @Test(arguments: [
        "curl --data-binary @logo.png -H 'Content-Type: image/png' HOST/up", "curl --data-binary @logo.png HOST/up",
        "curl --data-binary @- HOST/up < logo.png", "curl -T logo.png HOST/up", "curl -T - HOST/up < logo.png",
        "curl --json @logo.png HOST/up",
    ])
    func `a file that is the whole body is sent as it is`(line: String) async throws {
        #expect(try await Self.sent(line).body == Data(Self.picture))
    }

    @Test(arguments: ["curl -F note=@logo.png HOST/f", "curl -F 'note=<logo.png' HOST/f"])
    func `a file in a form is sent as it is`(line: String) async throws {
        let request = try await Self.sent(line)
        #expect(request.body.range(of: Data("\r\n\r\n".utf8) + Self.picture + Data("\r\n--".utf8)) != nil)
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(text.contains("filename=") == line.contains("@"))
        #expect(text.contains("Content-Type: image/png"))
    }

    @Test func `the file of an encoded field is escaped byte by byte`() async throws {
        #expect(try await Self.sent("curl --data-urlencode a@logo.png HOST/f").text == "a=" + Self.escaped)
        #expect(try await Self.sent("curl -G --data-urlencode a@logo.png HOST/f").target == "/f?a=" + Self.escaped)
        #expect(try await Self.sent("curl --url-query a@logo.png HOST/f").target == "/f?a=" + Self.escaped)
    }

    @Test(arguments: [
        "-d @logo.png", "--data @logo.png", "--data-ascii @logo.png", "--data-binary @logo.png -d x=1",
        "--json @logo.png --json 1", "-d a=1 --data-binary @logo.png", "-H @logo.png", "-d $'a=\\xff'",
        "-H $'X: \\xff'", "-F $'a=\\xff'", "-u $'a:\\xff'",
    ])
    func `bytes that no request can hold are an error`(options: String) {
        #expect(throws: ImportError.self) { try Self.imported("curl \(options) http://a.test/x") }
    }

    @Test(arguments: [
        SavedBody.file(FileContent("./x.bin")), .file(FileContent("./x.json", contentType: "text/csv")),
        .multipart(
            MultipartContent([
                MultipartPart("a", .file("x.bin"), contentType: "", fileName: ""),
                MultipartPart("b", .file("x.png"), contentType: "image/png", fileName: ""),
            ])),
        .text(TextContent("@x", contentType: "text/plain")), .form(FormContent([Field("a", "@x")])),
    ])
    func `an exported body is the same after an import`(body: SavedBody) throws {
        let request = SavedRequest(name: "r", method: .post, path: "http://a.test/x", body: body)
        let line = CurlExport.shown(request, in: nil)
        let read = try #require(try CurlImport.read(line) { _ in Self.picture }.requests.first)
        #expect(CurlExport.shown(read, in: nil) == line)
        #expect(read.method == .post && read.body?.kind == body.kind)
    }

    @Test(arguments: [
        SavedBody.text(TextContent("a\u{0}b")),
        .multipart(MultipartContent([MultipartPart("a", .text("\u{0}"))])),
    ])
    func `a NUL is left out of a command with a comment`(body: SavedBody) {
        let request = SavedRequest(name: "r", method: .post, path: "http://a.test/x", body: body)
        let line = CurlExport.shown(request, in: nil)
        #expect(line.hasPrefix("# the ") && line.contains("NUL") && !line.contains("000"))
        #expect(line.contains("-X POST"))
    }
}
