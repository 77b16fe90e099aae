import OmbiCore
import TestSupport
import Testing

/// The cases that every transport is held to, on libcurl and on the stub.
@Suite struct TransportCasesTests {
    private static let curl = TransportSubject("libcurl") { limit in
        CurlTransport(configuration: limit.map { .init(maximumResponseBytes: $0) } ?? .init())
    }

    @Test(arguments: TransportCase.all) func onLibcurl(testCase: TransportCase) async throws {
        #expect(try await testCase.observe(on: Self.curl) == testCase.expected)
    }

    @Test(arguments: TransportCase.all.filter { !$0.needsNetwork }) func `on the stub`(testCase: TransportCase)
        async throws
    {
        #expect(try await testCase.observe(on: .stub) == testCase.expected)
    }
}
