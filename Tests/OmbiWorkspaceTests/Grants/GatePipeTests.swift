import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Pipes and links that a collection of somebody else names.
@Suite struct GatePipeTests {
    private static func session(_ steps: SessionSteps) -> Session {
        Session(transport: CurlTransport(), secrets: SecretReader.readingPipes, steps: steps)
    }

    private static let pipes = [
        Stranger.file(environment: "", request: #""method":"POST","body":{"file":"pipe"}"#),
        Stranger.file(
            environment: "", request: #""method":"POST","body":{"multipart":[{"name":"f","file":"./pipe"}]}"#),
        Stranger.file(environment: #""secrets":{"token":{"file":"pipe"}}"#),
        Stranger.file(environment: #""secrets":{"token":{"file":"pipe"}}"#, request: "", path: "/{{token}}"),
    ].map { ($0, Stranger.secret) }
    private static let netrc = Stranger.file(
        environment: "", request: #""authentication":{"netrc":{"file":"pipe"}}"#)

    @Test(arguments: pipes + [(netrc, "default login u password \(Stranger.secret)\n")])
    func `a pipe is read once it has a grant`(text: String, content: String) async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(text)
        let pipe = stranger.folder + "/shop/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let asked = Lock<[String]>([])
        var steps = stranger.steps()
        steps.askForGrants = { _, question in
            asked.withLock { $0 += question.flows.map(\.text) }
            return .refused
        }
        // Nobody writes to it: a run that read it would have no end.
        let refused = try await stranger.send(nil, Self.session(steps))
        let source = Source.file(try #require(Workspace.real(pipe)))
        #expect(!refused.passed && stranger.good.requests.isEmpty, "\(refused.failures)")
        #expect(asked.withLock { $0 } == [Flow(source, to: Destination(text: stranger.good.host)).text])
        PipedFileTests.write(content, to: pipe)
        steps.askForGrants = { _, _ in .allowedNow }
        let allowed = try await stranger.send(nil, Self.session(steps))
        #expect(allowed.passed, "\(allowed.failures)")
        #expect(Stranger.leaks(stranger.good) != [])
    }

    @Test func `a pipe that no request uses is not read`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Stranger.file(environment: #""secrets":{"token":{"file":"pipe"}}"#, request: ""))
        #expect(mkfifo(stranger.folder + "/shop/pipe", 0o600) == 0)
        let result = try await stranger.send(nil, Self.session(stranger.steps()))
        #expect(result.passed, "\(result.failures)")
    }

    @Test func `the way back from a link is that of the link's target, for a relative path, too`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        let files = FileManager.default
        try files.createDirectory(atPath: stranger.folder + "/shop/a/b", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: stranger.folder + "/shop/link", withDestinationPath: "a/b")
        try stranger.write("inside", to: "photo.txt")
        try Stranger.secret.write(toFile: stranger.folder + "/photo.txt", atomically: true, encoding: .utf8)
        try stranger.write(
            Stranger.file(environment: "", request: #""method":"POST","body":{"file":"link/../../photo.txt"}"#))
        let collection = try stranger.collection()
        let order = RunOrder(
            id: 1, request: try #require(collection.requests.first), collection: collection, environment: "e",
            file: RelativePath.way(from: ".", to: stranger.folder + "/shop") + "c.json")
        for case .ended(let result) in await stranger.session().events(of: order) {
            #expect(result.passed, "\(result.failures)")
        }
        #expect(stranger.good.requests.map(\.text) == ["inside"])
    }
}
