import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiTUI

/// Files that are named by their URLs.
@Suite struct RemoteFileTests {
    private static func content(
        _ path: String, _ reply: @escaping LoopbackServer.Handler
    ) throws -> (bytes: [UInt8], url: String) {
        let server = try LoopbackServer(reply)
        defer { server.stop() }
        let url = try #require(RemoteFile.url(server.host + path))
        let found = try RemoteFile.content(url, over: CurlTransport())
        #expect(found.url.hasPrefix(server.host))
        return (found.bytes, String(found.url.dropFirst(server.host.count)))
    }

    @Test func `a URL is read behind its redirects, and named without secrets`() throws {
        let found = try Self.content("/old") { request in
            request.target == "/old" ? .redirect(302, to: "/new?token=hunter2x") : .ok("openapi: 3.0.3")
        }
        #expect(found.bytes == Array("openapi: 3.0.3".utf8) && found.url == "/new?token=••••••")
    }

    @Test(arguments: [401, 404, 500]) func `a status that is no success is the reason`(status: Int) throws {
        let failure = #expect(throws: RemoteFile.Failure.self) { try Self.content("/x") { _ in .status(status) } }
        #expect(failure?.description.contains("/x: \(status) ") == true, "\(String(describing: failure))")
    }

    @Test func `credentials in a URL are refused`() throws {
        let url = try #require(RemoteFile.url("http://ada:hunter2@127.0.0.1/"))
        let failure = #expect(throws: RemoteFile.Failure.self) { try RemoteFile.content(url) }
        #expect(failure?.description.contains("hunter2") == false)
    }

    @Test(arguments: ["openapi.yaml", "./http/x.json", "-", "ftp://a/b.json", "httpx://a"])
    func `anything else is a path`(text: String) { #expect(RemoteFile.url(text) == nil) }
}
