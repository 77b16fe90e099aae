import Testing

@testable import OmbiCore

/// Servers that break the rules, stop in the middle, or never stop. Each gets one exact outcome: a response or an error
/// that says what happened; and the transport goes on.
@Suite struct BadServerTests {
    @Test(.serialized, arguments: BadServer.statusLines) func statusLine(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.heads) func head(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.lengths) func length(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.chunks) func chunking(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.codings) func coding(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.redirects) func redirect(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.interims) func interim(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.reuses) func reuse(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.uploads) func upload(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.handshakes) func handshake(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.frames) func frame(server: BadServer) async throws {
        try await server.check()
    }
    @Test(.serialized, arguments: BadServer.floods) func flood(server: BadServer) async throws {
        try await server.check()
    }
}
