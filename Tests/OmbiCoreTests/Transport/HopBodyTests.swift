import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The bodies of redirects that are cut, or that no decoder likes.
@Suite struct HopBodyTests {
    /// Returns the report of a redirect with a body.
    private static func report(
        _ body: Data, coding: String? = nil, method: RequestMethod = .get
    ) async throws -> RedirectReport {
        let headers: [(String, String)] = [("Location", "/two")] + (coding.map { [("Content-Encoding", $0)] } ?? [])
        let server = try LoopbackServer { request in
            request.target == "/one" ? .response(status: 302, headers: headers, body: body) : .ok("there")
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/one"))
        let request = TransportRequest(url: url, method: method, headers: [:])
        return try #require(await CurlTransport().events(of: request).last?.metrics?.redirects.first)
    }

    @Test(arguments: [(65_536, false), (65_537, true)])
    func `a body that goes on behind the first 64 KiB is a part, and one that ends there is whole`(
        count: Int, isPartial: Bool
    ) async throws {
        let report = try await Self.report(Data(repeating: 7, count: count))
        #expect(report.body == Data(repeating: 7, count: 65_536) && report.isPartial == isPartial)
    }

    /// "hello"
    private static let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36,
        0x05,
        0, 0, 0,
    ]
    /// An empty body.
    private static let empty: [UInt8] = [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    /// A million zeros, encoded twice.
    private static let bomb: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x93, 0xEF, 0xE6, 0x60, 0x00, 0x01, 0x26, 0xE6,
        0xB7,
        0x07, 0x19, 0x19, 0x81, 0x8C, 0x26, 0x85, 0xFF, 0xEB, 0xF3, 0x3C, 0x1C, 0x18, 0x19, 0x46, 0xC1, 0x28, 0x18,
        0x05,
        0x43, 0x1E, 0xAC, 0x67, 0x9B, 0x77, 0xBA, 0x52, 0xC8, 0xC1, 0x89, 0x9F, 0x01, 0x00, 0x8C, 0x79, 0xC3, 0x18,
        0xEB,
        0x03, 0x00, 0x00,
    ]

    @Test func `a coding that ends in its middle leaves a part`() async throws {
        let report = try await Self.report(Data(Self.hello.dropLast(4)), coding: "gzip")
        #expect(report.body == Data("hello".utf8) && report.isPartial)
    }

    @Test func `an encoded body without content is empty`() async throws {
        let report = try await Self.report(Data(Self.empty), coding: "gzip")
        #expect(report.body == Data() && !report.isPartial)
    }

    @Test func `of a few bytes that become many no more are made than are kept`() async throws {
        let report = try await Self.report(Data(Self.bomb), coding: "gzip, gzip")
        #expect(report.body == Data(repeating: 0, count: 65_536) && report.isPartial)
    }

    /// A million members of gzip without content, encoded twice more.
    private static let idle = """
        H4sIAAAAAAACA+3dvUpCARgG4KMuQoTnBk4hCE2JTiFeQG1t3YBTNKlQoDcQJOIFNLS1KSiNjsKZGgscnIQWfxah8cRx7A4OPN/wXMA7v7zf+UsxSC\
        9f2MT106BWDGr5UjUc3E9b1eVsFt3eLa4+Gz+vXQAAAAAAAAAAAAAAAAAAkAmeNnE5l5YDR8kkKvf2899VHwAAAAAAAAAAAAAAAAAAZIizx/XouBQYJ9/D\
        UCYAAAAAAAAAAAAAAAAAAGSOUrNzcywDrpOH62eZAAAAAAAAAAAAAAAAAACQOd6jRiXtAoaH5ONiELY9TwYAAAAAAAAAAACA/3ydjN922+CynvsDCZ5zrq\
        e9AAA=
        """

    @Test func `a body that keeps decoders busy for nothing is as it came`() async throws {
        let body = try #require(Data(base64Encoded: Self.idle))
        let report = try await Self.report(body, coding: "gzip, gzip, gzip")
        #expect(report.body == body && !report.isPartial)
    }

    @Test(arguments: ["zip", "gzip"])
    func `a body of which no decoder makes anything is as it came`(coding: String) async throws {
        let report = try await Self.report(Data("moved".utf8), coding: coding)
        #expect(report.body == Data("moved".utf8) && !report.isPartial)
    }

    @Test func `the answer to a HEAD request has no body`() async throws {
        let report = try await Self.report(Data("moved".utf8), method: .head)
        #expect(report.body == Data() && !report.isPartial && report.method == .head)
    }
}
