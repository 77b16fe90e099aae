import Foundation
import Testing

@testable import OmbiCore

@Suite struct HostileServerTests {
    private static let transport = CurlTransport()

    private static func check(_ testCase: HostileCase) async throws {
        let outcome = try await testCase.run(over: transport)
        #expect(outcome == HostileCase.Outcome(told: testCase.told, lines: testCase.expected), "\(testCase.name)")
    }

    @Test(arguments: HostileCase.handshakes)
    func `a handshake comes to what the table says`(testCase: HostileCase) async throws {
        try await Self.check(testCase)
    }

    @Test(arguments: HostileCase.frames)
    func `frames come to what the table says`(testCase: HostileCase) async throws {
        try await Self.check(testCase)
    }

    @Test func `there are enough of them, and none twice`() {
        let names = (HostileCase.handshakes + HostileCase.frames).map(\.name)
        #expect(names.count >= 100)
        #expect(Set(HostileCase.frames.map(\.name)).count == HostileCase.frames.count)
        #expect(Set(HostileCase.handshakes.map(\.name)).count == HostileCase.handshakes.count)
    }
}
