import OmbiAuthentication
import OmbiPlatform

/// The tokens that outlive the program, sealed in a file that is readable by its owner only.
///
/// Only tokens for which a person has signed in are kept: any other is had without one. Where they cannot be kept, as
/// without a keyring, they stay in memory.
package final class TokenStore: Sendable {
    /// A client of an authorization server, in an environment of a collection.
    struct Owner: Sendable, Hashable {
        var file: String
        var environment: String?
        var client: [String]
    }

    /// A token, and the destinations for which it was granted; a destination that a collection adds later does not get
    /// it.
    struct Kept: Equatable, Sendable {
        var token: OAuth2Token
        var destinations: Set<String>
    }

    private let path: String
    private let keys: TokenKeys
    private let fileSystem: any FileSystem
    /// Files and keyrings may take their time.
    private let queue = DispatchQueue(label: "ombi.tokens", qos: .userInitiated)
    private static let maximumSize = 4 << 20
    private static let maximumCount = 100

    init(path: String, keys: TokenKeys, fileSystem: any FileSystem = PosixFileSystem()) {
        self.path = path
        self.keys = keys
        self.fileSystem = fileSystem
    }

    /// The store in `$XDG_STATE_HOME/ombi`; nil to keep nothing.
    package static func standard(_ keeping: TokenKeeping) -> TokenStore? {
        guard let folder = StateFolder.path else { return nil }
        let path = folder + "/tokens.json"
        switch keeping {
        case .memory: return nil
        case .keyring: return TokenStore(path: path, keys: .keyring)
        case .file: return TokenStore(path: path, keys: .file(folder + "/tokens.key", PosixFileSystem()))
        }
    }

    // MARK: Tokens

    func kept(by owner: Owner) async -> Kept? { await perform { self.find(self.id(of: owner)) } }

    /// Keeps a token, or forgets it. A failure leaves it in memory alone.
    func keep(_ kept: Kept?, by owner: Owner) async {
        await perform { self.exclusively { self.replace(self.id(of: owner), by: kept) } }
    }

    func forget(file: String, environment: String?) async {
        await perform {
            let scope = self.scope(file, environment) + "-"
            self.exclusively { self.write(self.entries.filter { !$0.id.hasPrefix(scope) }) }
        }
    }

    /// The tokens of an environment share a beginning, so that they are found together.
    private func id(of owner: Owner) -> String {
        scope(owner.file, owner.environment) + "-" + Self.hash(owner.client)
    }

    private func scope(_ file: String, _ environment: String?) -> String {
        let real = (try? fileSystem.resolve(file)) ?? file
        return Self.hash([real] + (environment.map { [$0] } ?? []))
    }

    private func perform<Result: Sendable>(_ operation: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: operation()) }
        }
    }

    private func find(_ id: String) -> Kept? {
        // Without an entry nobody is asked to open the keyring.
        guard let entry = entries.last(where: { $0.id == id }), let key = try? keys.key(creating: false),
            let sealed = Data(base64Encoded: entry.sealed), let data = key.open(sealed, as: id)
        else { return nil }
        return Kept(Bytes(data))
    }

    private func replace(_ id: String, by kept: Kept?) {
        let others = entries.filter { $0.id != id }
        guard let kept else {
            write(others)
            return
        }
        guard let key = try? keys.key(creating: true), let sealed = key.seal(kept.data, as: id) else { return }
        write(others.suffix(Self.maximumCount - 1) + [Entry(id: id, sealed: sealed.base64EncodedString())])
    }

    static func hash(_ texts: [String]) -> String {
        HashFunction.sha256.hex(Data(JSONValue.array(texts.map(JSONValue.string)).text.utf8))
    }

    // MARK: The file

    private func exclusively(_ change: () -> Void) { StateLock.exclusively(path, fileSystem, change) }

    private struct Entry {
        var id: String
        var sealed: String
    }

    /// A file that is damaged has none.
    private var entries: [Entry] {
        guard let bytes = try? fileSystem.read(path), bytes.count <= Self.maximumSize,
            let object = Self.object(Bytes(bytes))
        else { return [] }
        return (object.array("tokens") ?? []).compactMap(ObjectReader.init).map { token in
            Entry(id: token.string("id") ?? "", sealed: token.string("sealed") ?? "")
        }
    }

    fileprivate static func object(_ bytes: Bytes) -> ObjectReader? {
        guard let document = try? JSONDocument(checking: bytes) else { return nil }
        return ObjectReader(rootOf: ProblemLog(file: "", document: document))
    }

    /// Writes in the background. A token that cannot be stored stays in memory.
    private func write(_ entries: [Entry]) {
        if entries.isEmpty, self.entries.isEmpty { return }
        let tokens = entries.map { entry -> JSONValue in ["id": .string(entry.id), "sealed": .string(entry.sealed)] }
        let value: JSONValue = ["version": 1, "tokens": .array(tokens)]
        try? FileReplacement.replace(path, with: Array(value.text.utf8), newFileMode: 0o600, fileSystem)
    }
}

extension TokenStore.Kept {
    fileprivate init?(_ bytes: Bytes) {
        guard let object = TokenStore.object(bytes), let access = object.string("access"), !access.isEmpty else {
            return nil
        }
        let expiry = object.string("expires").flatMap(Double.init).map { Date(timeIntervalSince1970: $0) }
        let scopes = object.array("scopes")?.compactMap(\.string)
        token = OAuth2Token(
            accessToken: access, refreshToken: object.string("refresh"), expiresAt: expiry, scopes: scopes)
        destinations = Set((object.array("origins") ?? []).compactMap(\.string))
    }

    fileprivate var data: Data {
        let value: JSONValue = [
            "access": .string(token.accessToken), "refresh": token.refreshToken.map(JSONValue.string),
            "expires": token.expiresAt.map { JSONValue.string("\($0.timeIntervalSince1970)") },
            "scopes": token.scopes.map { JSONValue.strings($0) }, "origins": .strings(destinations.sorted()),
        ]
        return Data(value.text.utf8)
    }
}

/// The place of tokens for which a person has signed in, between two starts.
package enum TokenKeeping: String, Sendable, CaseIterable {
    /// A file that is sealed with a key of the keyring; memory where there is no keyring.
    case keyring
    /// A file that is sealed with a key in another file of the same folder: for machines without a keyring.
    case file
    /// Memory, until the program ends.
    case memory
}

/// The key that seals the kept tokens, and the place where it lies.
struct TokenKeys: Sendable {
    /// Returns the existing key; nil for none. Throws if that cannot be determined: a new key would replace the old
    /// one, and could not open the stored tokens.
    var read: @Sendable () throws(Unavailable) -> SealingKey?
    /// Stores a new key. Throws if that is impossible.
    var write: @Sendable (SealingKey) throws(Unavailable) -> Void

    struct Unavailable: Error { var reason: String }

    func key(creating: Bool) throws(Unavailable) -> SealingKey? {
        if let key = try read() { return key }
        guard creating else { return nil }
        let key = SealingKey()
        try write(key)
        return key
    }
}

extension TokenKeys {
    private static let service = "ombi"
    private static let account = "tokens"

    /// The key in the user's keyring, by its program.
    static let keyring: TokenKeys = {
        let read = Secret.Source.keyringCommand(service: service, account: account)
        #if canImport(Darwin)
        // The words of a command can be seen by others, its input cannot.
        return keyring(read: read, write: ["security", "-i"]) {
            "add-generic-password -U -s \(service) -a \(account) -w \($0)\n"
        }
        #else
        let label = "--label=Ombi: the key of kept tokens"
        return keyring(
            read: read, write: ["secret-tool", "store", label, "service", service, "account", account], input: { $0 })
        #endif
    }()

    /// - Parameters:
    ///   - read: the command that writes the key.
    ///   - write: the command that keeps the key of its input.
    static func keyring(
        read: [String], write: [String], input: @escaping @Sendable (String) -> String
    ) -> TokenKeys {
        TokenKeys { () throws(Unavailable) in
            do throws(SecretCommand.Failure) {
                return SealingKey(text: try SecretCommand(words: read, folder: "/", limit: limit).value())
            } catch {
                guard error.isAbsence else { throw Unavailable(reason: error.reason) }
                return nil
            }
        } write: { key throws(Unavailable) in
            do throws(SecretCommand.Failure) {
                try SecretCommand(words: write, folder: "/", limit: limit).write(input(key.text))
            } catch { throw Unavailable(reason: error.reason) }
        }
    }

    private static let limit = Duration.seconds(30)

    /// The key in a file, readable by its owner only.
    static func file(_ path: String, _ fileSystem: any FileSystem) -> TokenKeys {
        TokenKeys { () throws(Unavailable) in
            do throws(FileError) {
                let bytes = try fileSystem.read(path)
                guard bytes.count < 1000 else { return nil }
                return SealingKey(text: String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self))
            } catch {
                guard error.isAbsence else { throw Unavailable(reason: error.description) }
                return nil
            }
        } write: { key throws(Unavailable) in
            do throws(FileError) {
                try fileSystem.makeFolder(of: path)
                try FileReplacement.replace(path, with: Array((key.text + "\n").utf8), newFileMode: 0o600, fileSystem)
            } catch { throw Unavailable(reason: error.description) }
        }
    }
}
