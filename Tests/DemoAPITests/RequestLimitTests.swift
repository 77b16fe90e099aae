import FlyingFox
import Foundation
import Testing

@testable import DemoAPI

@Suite struct RequestLimitTests {
    private static func request(announcing length: String?, _ body: Data) -> HTTPRequest {
        HTTPRequest(
            method: .POST, version: .http11, path: "/echo", query: [],
            headers: length.map { [.contentLength: $0] } ?? [:], body: body)
    }

    @Test(arguments: ["67108865", "4294967296"]) func `a body that says it is too long is refused`(length: String) async
    {
        let error = await #expect(throws: APIError.self) {
            _ = try await DemoRequest(Self.request(announcing: length, Data()))
        }
        #expect(error?.status == 413 && error?.message == "the body has more than 64 MiB")
    }

    @Test func `a body that is too long and does not say so is refused`() async throws {
        let most = Data(count: DemoRequest.maximumBody)
        #expect(try await DemoRequest(Self.request(announcing: nil, most)).body.count == most.count)
        let error = await #expect(throws: APIError.self) {
            _ = try await DemoRequest(Self.request(announcing: nil, most + Data(count: 1)))
        }
        #expect(error?.status == 413)
    }
}
