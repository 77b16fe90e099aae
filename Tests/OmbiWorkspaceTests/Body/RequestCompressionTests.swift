import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Bodies that are sent compressed.
@Suite struct RequestCompressionTests {
    private static func order(
        _ body: SavedBody?, _ compression: RequestCompression?, _ server: LoopbackServer, headers: [Field] = []
    ) -> RunOrder {
        var request = SavedRequest(
            name: "send", method: .post, path: server.host + "/u", headers: headers, body: body)
        request.compression = compression
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", items: [.request(request)]), environment: nil,
            file: "/c.json")
    }

    private static func result(_ order: RunOrder) async throws -> SessionResult {
        guard case .ended(let result)? = await Session().events(of: order).last else { throw CancellationError() }
        return result
    }

    /// Sends each body back as it came, under its coding.
    private static func mirror() throws -> LoopbackServer {
        try LoopbackServer { request in
            let coding = request.headers["content-encoding"].map { [("Content-Encoding", $0)] } ?? []
            return .response(status: 200, headers: coding, body: request.body)
        }
    }

    private static let texts = ["", "a", String(repeating: "{\"é\":1}", count: 20_000)]

    @Test(arguments: texts) func `a body arrives as gzip, and is what it was`(text: String) async throws {
        let server = try Self.mirror()
        defer { server.stop() }
        let result = try await Self.result(Self.order(.text(TextContent(text)), .gzip, server))
        let request = try #require(server.requests.first)
        #expect(request.headers["content-encoding"] == "gzip" && request.body.starts(with: [0x1F, 0x8B, 8]))
        #expect(request.headers["content-length"] == "\(request.body.count)")
        #expect(request.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(String(decoding: result.response?.body ?? Data(), as: UTF8.self) == text)
        #expect(result.prepared?.body == text && result.prepared?.codingWarning == nil)
        if text.count > 1000 { #expect(request.body.count < 2000) }
    }

    @Test(.enabled(if: RequestCompression.zstd.compressed(Data()) != nil), arguments: texts)
    func `a body arrives as Zstandard, and is what it was`(text: String) async throws {
        let server = try Self.mirror()
        defer { server.stop() }
        let result = try await Self.result(Self.order(.text(TextContent(text)), .zstd, server))
        let request = try #require(server.requests.first)
        #expect(request.headers["content-encoding"] == "zstd" && request.body.starts(with: [0x28, 0xB5, 0x2F, 0xFD]))
        // Some builds of libcurl come without the library.
        guard result.remark == nil else { return }
        #expect(String(decoding: result.response?.body ?? Data(), as: UTF8.self) == text)
    }

    @Test func `equal bodies give equal bytes`() {
        let data = Data("{}".utf8)
        #expect(RequestCompression.gzip.compressed(data) == RequestCompression.gzip.compressed(data))
    }

    @Test func `a written Content-Encoding gives way to that of the body`() async throws {
        let server = try Self.mirror()
        defer { server.stop() }
        let order = Self.order(.text(TextContent("a")), .gzip, server, headers: [Field("content-encoding", "br")])
        _ = try await Self.result(order)
        #expect(server.requests.first?.headers["content-encoding"] == "gzip")
    }

    @Test func `without a body there is nothing to compress`() async throws {
        let server = try Self.mirror()
        defer { server.stop() }
        _ = try await Self.result(Self.order(nil, .gzip, server))
        let request = try #require(server.requests.first)
        #expect(request.headers["content-encoding"] == nil && request.body.isEmpty)
    }

    @Test func `a body that is read while it is sent is refused, and nothing is sent`() async throws {
        let server = try Self.mirror()
        defer { server.stop() }
        let form = MultipartContent([MultipartPart("a", .text("b"))])
        let result = try await Self.result(Self.order(.multipart(form), .gzip, server))
        #expect(result.failures.first?.contains("compression: goes with a body of JSON") == true, "\(result.failures)")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        ("\"body\": { \"json\": 1 }, \"compression\": \"gzip\"", nil as String?),
        ("\"compression\": \"zstd\"", nil), ("\"compression\": \"brotli\"", "unknown value \"brotli\""),
        ("\"body\": { \"file\": \"a\" }, \"compression\": \"gzip\"", "goes with a body of JSON"),
    ])
    func `a file is read, checked and written`(members: String, problem: String?) throws {
        let text =
            "{ \"version\": 1, \"name\": \"c\", \"items\": [{ \"request\": \"r\", \"path\": \"/\", \(members) }] }"
        let (collection, problems) = CollectionFile.read(Array(text.utf8), file: "f")
        guard let problem else {
            #expect(collection?.text.contains(members.suffix(21)) == true && problems.isEmpty, "\(problems)")
            return
        }
        #expect(collection == nil && problems.first?.description.contains(problem) == true, "\(problems)")
    }
}
