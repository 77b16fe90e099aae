import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Grants for what a person types into a collection.
@Suite struct TypedEditTests {
    private static let plain = Stranger.file(
        environment: "", request: #""method":"POST","headers":[{"name":"X","value":"x"}]"#)

    /// Edits the collection of the file, and grants what that has brought.
    private static func edit(
        _ stranger: Stranger, isRequest: Bool = false, _ change: (inout OmbiWorkspace.Collection) -> Void
    ) throws -> TypedEdit? {
        let before = try stranger.collection()
        var after = before
        change(&after)
        return TypedEdit(
            file: stranger.file, from: before, to: after, request: isRequest ? before.requests[0].id : nil,
            environment: "e")
    }

    private static func send(_ edit: TypedEdit, _ session: Session) async throws -> SessionResult {
        let order = RunOrder(
            id: 1, request: edit.after.requests[0], collection: edit.after, environment: "e", file: edit.file)
        for case .ended(let result) in await session.events(of: order) { return result }
        throw Stranger.Broken(description: "no end")
    }

    @Test func `a secret that is typed goes to the host of its environment, and nowhere else`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Self.plain)
        let session = stranger.session()
        var edit = try #require(
            try Self.edit(stranger) { $0.environments[0].secrets = [Secret("token", .environment("TOK"))] })
        session.grant(edit)
        edit.after.update(edit.after.requests[0].id) { $0.headers = [Field("X", "{{token}}")] }
        #expect(try await Self.send(edit, session).passed)
        #expect(stranger.good.requests.last?.headers["x"] == Stranger.secret)
        edit.after.environments[0].host = stranger.evil.host
        let elsewhere = try await Self.send(edit, session)
        #expect(!elsewhere.passed && stranger.evil.requests.isEmpty)
    }

    @Test func `a source that the file had already is asked about for another host`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Stranger.file())
        try stranger.trust()
        let session = stranger.session()
        let edit = try #require(
            try Self.edit(stranger) { collection in
                var copy = collection.environments[0]
                (copy.name, copy.host) = ("copy", stranger.evil.host)
                collection.environments.append(copy)
            })
        session.grant(edit)
        #expect(stranger.store.grants.allSatisfy { $0.destination == stranger.good.host })
    }

    @Test func `a path that is typed into a body goes to the server of the request`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Self.plain)
        try Stranger.secret.write(toFile: stranger.folder + "/outside", atomically: true, encoding: .utf8)
        let session = stranger.session()
        let body = SavedBody.file(FileContent(stranger.folder + "/outside"))
        let typed = try #require(
            try Self.edit(stranger, isRequest: true) { $0.update($0.requests[0].id) { $0.body = body } })
        session.grant(typed)
        #expect(try await Self.send(typed, session).passed)
        #expect(Stranger.leaks(stranger.good) == [Stranger.secret])
    }

    @Test func `a file of a row that is only switched on was not typed`() throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try Stranger.secret.write(toFile: stranger.folder + "/outside", atomically: true, encoding: .utf8)
        try stranger.write(
            Stranger.file(
                environment: "",
                request:
                    #""method":"POST","body":{"multipart":[{"name":"f","file":"ABOVE/outside","enabled":false}]}"#))
        let edit = try #require(
            try Self.edit(stranger, isRequest: true) { collection in
                collection.update(collection.requests[0].id) { request in
                    guard case .multipart(var content)? = request.body else { return }
                    for index in content.parts.indices { content.parts[index].enabled = true }
                    request.body = .multipart(content)
                }
            })
        stranger.session().grant(edit)
        #expect(stranger.store.grants.isEmpty)
    }

    @Test func `a link of the workspace that is typed is asked about, and says where it leads`() throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Self.plain)
        try Stranger.secret.write(toFile: stranger.folder + "/outside", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: stranger.folder + "/shop/photo.png", withDestinationPath: "../outside")
        let body = SavedBody.file(FileContent("./photo.png"))
        let edit = try #require(
            try Self.edit(stranger, isRequest: true) { $0.update($0.requests[0].id) { $0.body = body } })
        stranger.session().grant(edit)
        #expect(stranger.store.grants.isEmpty)
    }

    @Test(arguments: [0, 1, 2]) func `what is pasted with its URL or moved is nobody's typing`(_ kind: Int) throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Self.plain)
        let body = SavedBody.file(FileContent("/etc/passwd"))
        let evil = stranger.evil.host
        let edit = try Self.edit(stranger, isRequest: true) { collection in
            let id = collection.requests[0].id
            switch kind {
            case 0: collection.update(id) { ($0.body, $0.path) = (body, evil + "/") }
            case 1: collection.items.append(.request(SavedRequest(name: "moved", method: .post, path: "/", body: body)))
            default: collection.environments[0].host = evil
            }
        }
        #expect(edit == nil)
    }
}
