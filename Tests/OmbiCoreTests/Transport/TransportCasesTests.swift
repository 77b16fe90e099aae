import OmbiCore
import TestSupport
import Testing

/// The cases that every transport is held to, on libcurl and on the stub.
@Suite struct TransportCasesTests {
    private static let curl = TransportSubject("libcurl") { limit in
        CurlTransport(configuration: limit.map { .init(maximumResponseBytes: $0) } ?? .init())
    }

    /// What the transport does not have yet.
    private static let pending: Set<TransportCase.Feature> = [.idleTimeout, .pieces, .partialResponse]

    @Test(arguments: TransportCase.all.filter { $0.needs.isDisjoint(with: pending) })
    func onLibcurl(testCase: TransportCase) async throws {
        #expect(try await testCase.observe(on: Self.curl) == testCase.expected)
    }

    @Test(arguments: TransportCase.all.filter { !$0.needsNetwork }) func onTheStub(testCase: TransportCase) async throws
    {
        #expect(try await testCase.observe(on: .stub) == testCase.expected)
    }
}
