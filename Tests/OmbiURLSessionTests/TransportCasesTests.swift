import OmbiURLSession
import TestSupport
import Testing

/// The cases that every transport is held to, on URLSession.
@Suite struct TransportCasesTests {
    private static let subject = TransportSubject("URLSession") { limit in
        URLSessionTransport(configuration: limit.map { .init(maximumResponseBytes: $0) } ?? .init())
    }

    @Test(arguments: TransportCase.all) func `on URL session`(testCase: TransportCase) async throws {
        let difference = TransportDifference.all.first { $0.name == testCase.name }
        let observed = try await testCase.observe(on: Self.subject)
        #expect(observed == difference?.lines ?? testCase.expected)
    }

    @Test func `every difference is one`() {
        for difference in TransportDifference.all {
            let testCase = TransportCase.all.first { $0.name == difference.name }
            #expect(testCase != nil && testCase?.expected != difference.lines, "\(difference.name)")
        }
        #expect(Set(TransportCase.all.map(\.name)).count == TransportCase.all.count, "a name stands for two cases")
    }
}
