import Foundation
import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The whole program, from keys to frames, with a stub in place of the network.
@MainActor
@Suite(.timeLimit(.minutes(3))) struct ProgramStories {
    @Test func `a request is sent, watched, stopped, sent again and read`() async throws {
        let network = Network()
        let program = try Program(network.transport)
        defer { program.remove() }
        try await program.until("1 Requests")
        program.press("s")
        try await program.until("No body.")
        #expect(program.screen.contains("503 Service Unavailable"))
        network.reply = .silence
        program.press("s")
        try await program.until("the second request") { _ in network.requests.count == 2 }
        try await program.until("attempt 1/1")
        program.press("x")
        try await program.until("the end of the run") { $0.contains("cancelled") && !$0.contains("↻") }
        network.reply = .response(
            data: Data(#"{"name": "Ada"}"#.utf8), headers: ["Content-Type": "application/json", "X-Echo": "s3cret"])
        program.press("s")
        try await program.until("\"Ada\"")
        #expect(program.screen.contains("200 OK"))
        #expect(
            network.requests.map { $0.headers["Authorization"]?.text } == .init(repeating: "Bearer s3cret", count: 3))
        #expect(program.frames.allSatisfy { !$0.contains("s3cret") })
    }

    @Test func `what a protected environment lacks is said before anything is asked`() async throws {
        let network = Network()
        let program = try Program(network.transport)
        defer { program.remove() }
        try await program.until("1 Requests")
        program.press("Down", "s")
        try await program.until("unknown variable \"nobody\"")
        #expect(network.requests.isEmpty)
    }

    @Test func `trust in a file is asked for before the name of its protected environment`() async throws {
        let network = Network()
        var steps = SessionSteps()
        let asked = Lock(0)
        steps.gate = OmbiWorkspace.Gate(store: nil)
        steps.askForGrants = { _, _ in
            asked.withLock { $0 += 1 }
            return .refused
        }
        let program = try Program(network.transport, steps)
        defer { program.remove() }
        try await program.until("1 Requests")
        program.press("G", "s")
        try await program.until("Not sent.")
        #expect(asked.withLock { $0 } == 1)
        #expect(network.requests.isEmpty)
        #expect(program.frames.allSatisfy { !$0.contains("Type its name") })
    }
}

/// A network that replies as it is told.
private final class Network: Sendable {
    private let record = StubTransport.Record()
    private let next = Lock(StubTransport.Reply.response(statusCode: 503))

    var reply: StubTransport.Reply {
        get { next.withLock { $0 } }
        set { next.withLock { $0 = newValue } }
    }
    var requests: [TransportRequest] { record.requests }
    var transport: StubTransport { StubTransport { [next] _ in next.withLock { $0 } }.recording(in: record) }
}

/// `Application` with all its parts but the terminal and the network.
@MainActor
private final class Program {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    private let display = Frames()
    private let application: Application<AppState>

    var screen: String { display.frames.last ?? "" }
    var frames: [String] { display.frames }

    init(_ transport: any Transport, _ steps: SessionSteps = SessionSteps()) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.file.write(toFile: folder + "/demo.json", atomically: true, encoding: .utf8)
        let session = Session(
            transport: transport,
            secrets: { _ in SecretReader(environment: { _ in "s3cret" }, file: { _ in [] }) }, steps: steps)
        application = Application(
            display: display, loop: MainLoop(catchesSignals: false), state: AppState(size: display.size),
            session: session)
        application.open([folder + "/demo.json"], environment: nil)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func press(_ names: String...) {
        application.handle(names.compactMap(Key.init(name:)).map(InputEvent.key))
    }

    func until(_ text: String) async throws { try await until(text) { $0.contains(text) } }

    /// Draws after each burst of events, as the main loop does, until the screen is as it should be.
    func until(_ name: String, _ isReached: (String) -> Bool) async throws {
        while true {
            application.drawIfNeeded()
            if isReached(screen) { return }
            guard !Task.isCancelled else {
                Issue.record("\(name) did not come:\n\(screen)")
                throw CancellationError()
            }
            await Task.yield()
        }
    }

    private static let file = """
        {"version": 1, "name": "demo",
         "environments": [{"name": "local", "host": "http://api.test", "protected": true,
                           "additionalHeaders": {"Authorization": "Bearer {{token}}"},
                           "secrets": {"token": {"env": "TOKEN"}}}],
         "items": [{"request": "one", "method": "GET", "path": "/one"},
                   {"request": "two", "method": "POST", "path": "/{{nobody}}"},
                   {"request": "three", "method": "POST", "path": "/three"}]}
        """
}

@MainActor
private final class Frames: Display {
    private(set) var frames: [String] = []

    var size: Size { Size(columns: 120, rows: 34) }
    func show(_ surface: Surface, cursor: Point?) { frames.append(surface.text()) }
    func suspend() {}
    func resume() {}
    func stop() -> Bool { false }
    func adapt(to background: Background?) -> Bool { false }
    func use(_ theme: ThemeChoice) {}
    func resized() {}
    func close() {}
}
