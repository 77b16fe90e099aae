import Foundation
import OmbiAuthentication
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Tokens that outlive the program.
@Suite struct TokenStoreTests {
    /// A folder for the state of one program after the other.
    private final class State {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-tokens-\(UUID())").path

        init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var path: String { folder + "/ombi/tokens.json" }
        var file: TokenStore { TokenStore(path: path, keys: .file(folder + "/ombi/tokens.key", PosixFileSystem())) }

        /// A keyring made of a file elsewhere.
        func keyring(isThere: Bool = true) -> TokenStore {
            let entry = folder + "/keyring"
            let write =
                isThere ? ["/bin/sh", "-c", "cat > '\(entry)'"] : ["/bin/sh", "-c", "echo no keyring >&2; exit 1"]
            // As secret-tool does, it says nothing where there is no entry.
            let read = [
                "/bin/sh", "-c",
                "test -e '\(folder)/locked' && echo locked >&2 && exit 1; test -e '\(entry)' || exit 1; cat '\(entry)'",
            ]
            return TokenStore(path: path, keys: .keyring(read: read, write: write) { $0 })
        }

        /// All that is in the files of a folder.
        func bytes(in subfolder: String = "/ombi") -> Data {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + subfolder)) ?? []
            return names.sorted().reduce(into: Data()) { all, name in
                all += (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)\(subfolder)/\(name)"))) ?? Data()
            }
        }

        func mode(of name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder + name)[.posixPermissions] as? Int
        }
    }

    private static let owner = TokenStore.Owner(file: "/shop/shop.json", environment: "live", client: ["a", "b"])
    private static let kept = TokenStore.Kept(
        token: OAuth2Token(
            accessToken: "s3cret/token+with=signs\"é", refreshToken: "r3fresh&token",
            expiresAt: Date(timeIntervalSince1970: 1_800_000_000), scopes: ["read", "write"]),
        destinations: ["https://api.shop.test"])

    @Test func `programs that keep tokens at the same time keep them all`() async throws {
        let state = try State()
        // Each store has a queue of its own, as each program has.
        let stores = (0..<8).map { _ in state.file }
        await stores[0].keep(Self.kept, by: Self.owner)
        await withTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for round in 0..<8 {
                        await store.keep(
                            Self.kept, by: .init(file: "/shop/\(number).json", environment: "\(round)", client: ["a"]))
                    }
                }
            }
        }
        for number in stores.indices {
            for round in 0..<8 {
                let owner = TokenStore.Owner(file: "/shop/\(number).json", environment: "\(round)", client: ["a"])
                #expect(await state.file.kept(by: owner) == Self.kept, "\(number), \(round)")
            }
        }
    }

    @Test(arguments: [true, false]) func `a token is there at the next start, with all of it`(
        hasKeyring: Bool
    ) async throws {
        let state = try State()
        let store = { hasKeyring ? state.keyring() : state.file }
        #expect(await store().kept(by: Self.owner) == nil)
        await store().keep(Self.kept, by: Self.owner)
        #expect(await store().kept(by: Self.owner) == Self.kept)
        #expect(try state.mode(of: "/ombi/tokens.json") == 0o600)
        if !hasKeyring { #expect(try state.mode(of: "/ombi/tokens.key") == 0o600) }
        for other in [
            TokenStore.Owner(file: "/shop/shop.json", environment: "test", client: ["a", "b"]),
            TokenStore.Owner(file: "/shop/shop.json", environment: nil, client: ["a", "b"]),
            TokenStore.Owner(file: "/other/shop.json", environment: "live", client: ["a", "b"]),
            TokenStore.Owner(file: "/shop/shop.json", environment: "live", client: ["a"]),
        ] {
            #expect(await store().kept(by: other) == nil)
        }
        await store().keep(nil, by: Self.owner)
        #expect(await store().kept(by: Self.owner) == nil)
    }

    @Test(arguments: [true, false]) func `no file holds a token in any form`(hasKeyring: Bool) async throws {
        let state = try State()
        let store = hasKeyring ? state.keyring() : state.file
        await store.keep(Self.kept, by: Self.owner)
        let bytes = state.bytes()
        #expect(bytes.count > 100)
        let tokens = [Self.kept.token.accessToken, Self.kept.token.refreshToken ?? ""]
        for token in tokens + ["s3cret", "r3fresh", "shop.json", "api.shop.test"] {
            let escaped = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let json = String(decoding: try JSONEncoder().encode([token]), as: UTF8.self).dropFirst(2).dropLast(2)
            // Base64 of what stands at each of the three places of a group.
            let encoded = (0..<3).map { shift in
                let text = Data((String(repeating: " ", count: shift) + token).utf8).base64EncodedString()
                return String(text.dropFirst(shift == 0 ? 0 : 4).dropLast(4))
            }
            for form in [token, escaped, String(json), token.replacing("\"", with: "\\\"")]
                + encoded.filter({ $0.count > 4 })
            {
                #expect(bytes.range(of: Data(form.utf8)) == nil, "\(form)")
            }
        }
    }

    @Test func `without a keyring nothing is written`() async throws {
        let state = try State()
        await state.keyring(isThere: false).keep(Self.kept, by: Self.owner)
        #expect(await state.keyring(isThere: false).kept(by: Self.owner) == nil)
        #expect(state.bytes().isEmpty)
    }

    @Test func `a key that cannot be read now is not written over`() async throws {
        let state = try State()
        await state.keyring().keep(Self.kept, by: Self.owner)
        let lock = state.folder + "/locked"
        #expect(FileManager.default.createFile(atPath: lock, contents: nil))
        let other = TokenStore.Owner(file: "/shop/other.json", environment: "live", client: ["a"])
        await state.keyring().keep(Self.kept, by: other)
        #expect(unlink(lock) == 0)
        #expect(await state.keyring().kept(by: Self.owner) == Self.kept)
    }

    @Test func `the key of another keyring opens nothing, and a damaged file has nothing`() async throws {
        let state = try State()
        await state.file.keep(Self.kept, by: Self.owner)
        try FileManager.default.removeItem(atPath: state.folder + "/ombi/tokens.key")
        #expect(await state.file.kept(by: Self.owner) == nil)
        for damage in ["", "{", "[1]", #"{"tokens": [{"id": 1}, 2]}"#] {
            try Data(damage.utf8).write(to: URL(fileURLWithPath: state.path))
            #expect(await state.file.kept(by: Self.owner) == nil)
        }
        await state.file.keep(Self.kept, by: Self.owner)
        #expect(await state.file.kept(by: Self.owner) == Self.kept)
    }

    @Test func `signing out forgets the environment, and no other`() async throws {
        let state = try State()
        let other = TokenStore.Owner(file: "/shop/shop.json", environment: "test", client: ["a"])
        for owner in [Self.owner, other] { await state.file.keep(Self.kept, by: owner) }
        await state.file.forget(file: "/shop/shop.json", environment: "live")
        #expect(await state.file.kept(by: Self.owner) == nil)
        #expect(await state.file.kept(by: other) == Self.kept)
    }

    @Test func `the number of tokens is bounded, the newest stay`() async throws {
        let state = try State()
        let store = state.file
        func owner(_ number: Int) -> TokenStore.Owner {
            TokenStore.Owner(file: "/s.json", environment: "\(number)", client: [])
        }
        for number in 0..<102 { await store.keep(Self.kept, by: owner(number)) }
        #expect(await store.kept(by: owner(1)) == nil)
        #expect(await store.kept(by: owner(2)) == Self.kept)
        #expect(await store.kept(by: owner(101)) == Self.kept)
    }

    // MARK: Sessions

    /// An authorization server that issues `token-1`, `token-2`, … by device code, which somebody enters at once.
    private final class Server: Sendable {
        let issued = Lock(0)
        let signIns = Lock(0)
        let paths = Lock<[String]>([])
        let lifetime: Int
        let revoked = Lock<Set<String>>([])

        init(lifetime: Int = 600) { self.lifetime = lifetime }

        private func token() -> StubTransport.Reply {
            let number = issued.withLock { count in
                count += 1
                return count
            }
            return Self.json(
                #"{"access_token": "token-\#(number)", "refresh_token": "refresh-\#(number)", "token_type": "Bearer", "#
                    + #""expires_in": \#(lifetime)}"#)
        }

        private static func json(_ text: String, status: Int = 200) -> StubTransport.Reply {
            .response(statusCode: status, data: Data(text.utf8))
        }

        var transport: StubTransport {
            StubTransport { [self] request in
                let body = String(decoding: request.body ?? Data(), as: UTF8.self)
                switch request.url.path {
                case "/device":
                    signIns.withLock { $0 += 1 }
                    return Self.json(
                        #"{"device_code": "d", "user_code": "U", "verification_uri": "http://i", "expires_in": 9, "interval": 1}"#
                    )
                case "/token":
                    if body.contains("refresh_token=refresh-1"), revoked.withLock({ $0.contains("refresh-1") }) {
                        return Self.json(#"{"error": "invalid_grant"}"#, status: 400)
                    }
                    return token()
                default:
                    let sent = request.headers[.authorization]?.text ?? ""
                    paths.withLock { $0.append(request.url.host() ?? "") }
                    let isOpen = sent.hasPrefix("Bearer token-") && !revoked.withLock { $0.contains(sent) }
                    return .response(statusCode: isOpen ? 200 : 401)
                }
            }
        }

        func run(
            _ store: TokenStore, host: String = "http://api.test", connection: SavedConnection? = nil
        ) async -> (SessionResult?, Session) {
            var steps = SessionSteps()
            steps.tokens = { store }
            let session = Session(transport: transport, steps: steps)
            return (await send(session, host: host, connection: connection), session)
        }

        func send(
            _ session: Session, host: String = "http://api.test", connection: SavedConnection? = nil
        ) async -> SessionResult? {
            let client = OAuth2Authentication(
                grant: .deviceCode, tokenURL: "http://id.test/token", deviceURL: "http://id.test/device",
                clientID: "app")
            var environment = Environment(name: "live", host: host, authentication: .oauth2(client))
            environment.connection = connection
            let request = SavedRequest(name: "me", path: "/me")
            let collection = Collection(name: "c", environments: [environment], items: [.request(request)])
            let order = RunOrder(
                id: 1, request: request, collection: collection, environment: "live", file: "/shop/c.json")
            guard case .ended(let result)? = await session.events(of: order).last else { return nil }
            return result
        }
    }

    @Test func `who has signed in is signed in at the next start`() async throws {
        let (state, server) = (try State(), Server())
        for _ in 0..<3 {
            let (result, _) = await server.run(state.file)
            #expect(result?.response?.statusCode == 200)
            #expect(result?.prepared?.authentication?.value.hasPrefix("OAuth 2, expires in ") == true)
        }
        #expect(server.signIns.withLock { $0 } == 1 && server.issued.withLock { $0 } == 1)
    }

    @Test func `a token that has expired is refreshed, and the new one kept`() async throws {
        let (state, server) = (try State(), Server(lifetime: 0))
        _ = await server.run(state.file)
        _ = await server.run(state.file)
        #expect(server.signIns.withLock { $0 } == 1 && server.issued.withLock { $0 } >= 2)
    }

    @Test func `a collection that names another host does not get the token of the first`() async throws {
        let (state, server) = (try State(), Server())
        _ = await server.run(state.file)
        _ = await server.run(state.file, host: "http://evil.test")
        #expect(server.signIns.withLock { $0 } == 2)
    }

    @Test(arguments: [
        SavedConnection { $0.proxy = "http://evil.test:3128" },
        SavedConnection { $0.resolve = ["api.test:80:192.0.2.1"] },
    ])
    func `a way that is new does not get the token that went another way`(_ connection: SavedConnection) async throws {
        let (state, server) = (try State(), Server())
        _ = await server.run(state.file)
        let (result, _) = await server.run(state.file, connection: connection)
        #expect(result?.response?.statusCode == 200 && server.signIns.withLock { $0 } == 2)
    }

    @Test func `a token that was revoked, with its refresh token, is not taken again`() async throws {
        let (state, server) = (try State(), Server())
        _ = await server.run(state.file)
        server.revoked.withLock { $0 = ["Bearer token-1", "refresh-1"] }
        let (result, _) = await server.run(state.file)
        #expect(result?.response?.statusCode == 200, "signed in anew: \(String(describing: result?.ending))")
        #expect(server.signIns.withLock { $0 } == 2)
    }

    @Test func `signing out asks to sign in at the next request, and at the next start`() async throws {
        let (state, server) = (try State(), Server())
        let (_, session) = await server.run(state.file)
        await session.signOut(file: "/shop/c.json", environment: "live")
        _ = await server.send(session)
        #expect(server.signIns.withLock { $0 } == 2)
        await session.signOut(file: "/shop/c.json", environment: "live")
        _ = await server.run(state.file)
        #expect(server.signIns.withLock { $0 } == 3)
    }

    @Test func `a token that no person was needed for is not kept`() async throws {
        let (state, server) = (try State(), Server())
        var steps = SessionSteps()
        let store = state.file
        steps.tokens = { store }
        let client = OAuth2Authentication(tokenURL: "http://id.test/token", clientID: "app", clientSecret: "s")
        let environment = Environment(name: "live", host: "http://api.test", authentication: .oauth2(client))
        let request = SavedRequest(name: "me", path: "/me")
        let collection = Collection(name: "c", environments: [environment], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "live", file: "/shop/c.json")
        guard case .ended(let result)? = await Session(transport: server.transport, steps: steps).events(of: order).last
        else { return }
        #expect(result.response?.statusCode == 200 && state.bytes().isEmpty)
    }
}
