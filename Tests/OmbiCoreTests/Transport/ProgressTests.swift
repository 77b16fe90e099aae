import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// What is told about bodies on their way.
@Suite struct ProgressTests {
    func events(
        _ kind: BothTransportsTests.Kind, sending body: Data?, receiving answer: Data
    ) async throws -> [TransportEvent] {
        let server = try LoopbackServer { _ in .response(status: 200, headers: [], body: answer) }
        defer { server.stop() }
        let transport: any Transport =
            kind == .curl ? CurlTransport() : StubTransport.stubResponse(statusCode: 200, data: answer)
        let url = try #require(URL(string: server.host + "/"))
        return await transport.events(of: TransportRequest(url: url, method: .post, body: body))
    }

    @Test(arguments: [1, 1000, 65_536, 65_537, 3_000_000], BothTransportsTests.Kind.allCases)
    func `the last one has the full number`(length: Int, kind: BothTransportsTests.Kind) async throws {
        let body = Data(repeating: 7, count: length)
        let events = try await events(kind, sending: body, receiving: body)
        let full = TransferProgress(bytes: length, expected: length)
        #expect(events.sent.last == full)
        #expect(events.received.last == full)
        #expect(events.sent.filter { $0 == full }.count == 1)
        #expect(events.received.filter { $0 == full }.count == 1)
        let head = events.firstIndex { if case .head = $0 { true } else { false } }
        let sent = events.lastIndex { if case .sent = $0 { true } else { false } }
        #expect(try #require(sent) < #require(head), "the body went out after the response had come")
    }

    @Test(arguments: BothTransportsTests.Kind.allCases)
    func `nothing is reported without bodies`(kind: BothTransportsTests.Kind) async throws {
        let events = try await events(kind, sending: nil, receiving: Data())
        #expect(events.last?.response?.statusCode == 200)
        #expect(events.sent.isEmpty && events.received.isEmpty)
    }

    @Test func `requests carry their handlers`() {
        let sent = Counter()
        let received = Counter()
        let request = AnyRequestable(
            ComposableRequest<Data, Data, NoError>()
                .uploadProgress { _ in _ = sent.next() }
                .downloadProgress { _ in _ = received.next() })
        request.uploadProgress?(TransferProgress(bytes: 1))
        request.downloadProgress?(TransferProgress(bytes: 1))
        request.downloadProgress?(TransferProgress(bytes: 2))
        #expect(sent.value == 1)
        #expect(received.value == 2)
        #expect(PlainRequest().uploadProgress == nil && PlainRequest().downloadProgress == nil)
    }
}
