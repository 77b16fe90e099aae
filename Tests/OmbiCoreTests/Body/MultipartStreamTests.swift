import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct MultipartStreamTests {
    func withFile(_ data: Data, _ use: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID()).txt")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await use(file)
    }

    @Test func `a file is read while it is sent`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        try await withFile(Data("content".utf8)) { file in
            let form = MultipartForm(
                parts: [
                    .init(value: "1", name: "n"),
                    try .init(fileURL: file, name: "f", mimeType: "text/plain", fileName: "a.txt"),
                ], boundary: "B")
            let text = """
                --B\r
                Content-Disposition: form-data; name="n"\r
                \r
                1\r
                --B\r
                Content-Disposition: form-data; name="f"; filename="a.txt"\r
                Content-Type: text/plain\r
                \r
                content\r
                --B--\r

                """
            #expect(form.stream.length == text.utf8.count)
            #expect(String(decoding: try form.encoded, as: UTF8.self) == text)
            let url = try #require(URL(string: server.host + "/"))
            let request = TransportRequest(url: url, method: .post, bodyStream: form.stream)
            #expect(await CurlTransport().events(of: request).last?.response?.statusCode == 200)
            #expect(server.requests.first?.text == text)
            #expect(server.requests.first?.headers["content-length"] == "\(text.utf8.count)")
        }
    }

    @Test func `a file that changed is not sent`() async throws {
        try await withFile(Data("content".utf8)) { file in
            let form = MultipartForm(parts: [try .init(fileURL: file, name: "f")], boundary: "B")
            try Data("cont".utf8).write(to: file)
            #expect(throws: BodyStreamError.endedEarly(after: 4, length: 7)) { try form.encoded }
        }
    }

    @Test func `the type and the name come from the file`() async throws {
        try await withFile(Data("content".utf8)) { file in
            let part = try MultipartForm.Part(fileURL: file, name: "f")
            #expect(part.fileName == file.lastPathComponent)
            #expect(part.mimeType == "application/octet-stream")
            #expect(try part.data == Data("content".utf8))
        }
    }

    @Test func `a missing file is named`() {
        #expect(throws: UnreadableFile(path: "/nowhere/a.txt", reason: "No such file or directory")) {
            try MultipartForm.Part(fileURL: URL(filePath: "/nowhere/a.txt"), name: "f")
        }
    }
}
