import Foundation
import Testing

@testable import OmbiWorkspace

/// Requests that are imported into a collection of another folder than the one that their paths are relative to.
@Suite struct RelocatedRequestTests {
    /// Calls a function with a folder that has the folders `a/b` and `c`.
    private static func play(_ body: (_ root: String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "relocated-" + UUID().uuidString).path
        for folder in ["/a/b", "/c"] {
            try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(atPath: root) }
        try body(root)
    }

    @Test(arguments: [
        ("/a", "/a/c.json", "photo.png", "photo.png"), ("/a", "/c.json", "photo.png", "a/photo.png"),
        ("/a", "/a/b/c.json", "photo.png", "../photo.png"), ("/a/b", "/c/c.json", "photo.png", "../a/b/photo.png"),
        ("/a", "/c/c.json", "./photo.png", "../a/photo.png"), ("/a", "/c/c.json", "../x", "../a/../x"),
        ("/a", "/c/c.json", "/etc/x", "/etc/x"), ("/a", "/c/c.json", "~/x", "~/x"),
        ("/a", "/c/c.json", "{{folder}}/x", "{{folder}}/x"), ("/a", "/c/c.json", "", ""),
        ("/a", "/nowhere/c.json", "x", "x"),
    ])
    func `a file keeps its place`(folder: String, collection: String, path: String, moved: String) throws {
        try Self.play { root in
            func body(_ body: SavedBody) -> SavedBody? {
                var request = SavedRequest(name: "r", path: "/")
                request.body = body
                return request.relocated(from: root + folder, to: root + collection).body
            }
            #expect(body(.file(FileContent(path))) == .file(FileContent(moved)))
            let parts = { (path: String) in
                MultipartContent([MultipartPart("a", .text("x")), MultipartPart("f", .file(path))])
            }
            #expect(body(.multipart(parts(path))) == .multipart(parts(moved)))
            #expect(body(.text(TextContent(path))) == .text(TextContent(path)))
        }
    }

    @Test func `the files of a connection keep their places`() throws {
        try Self.play { root in
            var request = SavedRequest(name: "r", path: "/")
            request.connection = SavedConnection {
                $0.caFile = "ca.pem"
                $0.unixSocket = "/run/x.sock"
                $0.clientCertificate = SavedCertificate(file: "me.pem", key: "me.key")
            }
            let connection = request.relocated(from: root + "/a", to: root + "/c/c.json").connection
            #expect(connection?.caFile == "../a/ca.pem" && connection?.unixSocket == "/run/x.sock")
            #expect(connection?.clientCertificate == SavedCertificate(file: "../a/me.pem", key: "../a/me.key"))
            request.connection = SavedConnection { $0.caFile = ConnectionText.none }
            #expect(request.relocated(from: root + "/a", to: root + "/c/c.json") == request)
        }
    }
}
