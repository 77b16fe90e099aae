import Testing

@testable import OmbiCore

/// Servers that break the rules, stop in the middle, or never stop. Each gets one exact outcome: a response or an error
/// that says what happened; and the transport goes on.
@Suite struct BadServerTests {
    @Test(arguments: BadServer.statusLines) func statusLine(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.heads) func head(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.lengths) func length(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.chunks) func chunking(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.codings) func coding(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.redirects) func redirect(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.interims) func interim(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.reuses) func reuse(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.uploads) func upload(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.handshakes) func handshake(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.frames) func frame(server: BadServer) async throws { try await server.check() }
    @Test(arguments: BadServer.floods) func flood(server: BadServer) async throws { try await server.check() }
}
