import OmbiAuthentication

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The key that seals the kept tokens, and the place where it lies.
struct TokenKeys: Sendable {
    /// Returns the key that is there; nil for none. Throws where that cannot be told: a new key would take the place of the old
    /// one, and open nothing that is kept.
    var read: @Sendable () throws(Unavailable) -> SealingKey?
    /// Keeps a new key. Throws where nothing can be kept.
    var write: @Sendable (SealingKey) throws(Unavailable) -> Void

    struct Unavailable: Error { var reason: String }

    /// Returns the key, made anew where there is none and one is needed.
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
            var content: [UInt8]? = Array((key.text + "\n").utf8)
            do throws(FileError) {
                if let slash = path.lastIndex(of: "/") { try fileSystem.makeFolder(String(path[..<slash])) }
                try FileReplacement.replace(path, newFileMode: 0o600, fileSystem) { () throws(FileError) in
                    content.take()
                }
            } catch { throw Unavailable(reason: error.description) }
        }
    }
}
