/// The certificate that identifies the client to a server.
package struct SavedCertificate: Sendable, Equatable {
    /// A PEM file, or a PKCS#12 file (`.p12`, `.pfx`), relative to the collection.
    package var file: String
    /// The PEM file of the key where the first has none.
    package var key: String?
    /// Decrypts the key; usually a template of a secret.
    package var password: String?
    package var unknown = UnknownMembers()

    /// No certificate, overriding an inherited one; `"none"` in the file.
    static let off = SavedCertificate(file: ConnectionText.none)

    var isOff: Bool { self == .off }

    var isPKCS12: Bool { [".p12", ".pfx"].contains { file.lowercased().hasSuffix($0) } }
}

extension SavedCertificate: SavedObject {
    static let members = Members<SavedCertificate>([
        Member(
            "file", Schema.reference("path", "A PEM file, or a PKCS#12 file (.p12, .pfx)."), isRequired: true,
            read: { $0.file = $1.optionalPath($2) ?? "" }, write: { .string($0.file) }),
        Member(
            "key", Schema.reference("path", "The PEM file of the key where the first has none."),
            read: { $0.key = $1.optionalPath($2) }, write: { $0.key.map(JSONValue.string) }),
        .text(
            "password", Schema.text("Decrypts the key; usually the {{name}} of a secret."), { $0.password = $1 },
            { $0.password }),
    ])

    init(reading object: ObjectReader) {
        self.init(file: "")
        unknown = object.read(Self.members, into: &self)
        if key != nil, isPKCS12 { object.error("key", "a PKCS#12 file has its key in itself; remove this one") }
    }
}

/// A host that requests go through by the system's ssh: `ssh://[USER@]HOST[:PORT]`.
struct SSHHost: Hashable, Sendable {
    /// Nil for the user of the settings of ssh.
    var user: String?
    /// A name, an address, or an alias of `~/.ssh/config`.
    var name: String
    /// Nil for the port of the settings of ssh.
    var port: Int?

    private static let scheme = "ssh://"
    private static let form = "write ssh://host, or ssh://user@host:22"

    /// Refuses all that ssh, or a shell of its settings, could take for anything but a user or a host.
    init(_ text: String) throws(FieldError) {
        guard text.hasPrefix(Self.scheme) else { throw FieldError("the way is an address of ssh; \(Self.form)") }
        var rest = text.dropFirst(Self.scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        if let at = rest.lastIndex(of: "@") {
            let user = String(rest[..<at])
            guard !user.contains(":") else {
                throw FieldError("a password cannot be given; ssh takes a key, its agent and ~/.ssh/config")
            }
            guard Self.isName(user, besides: "._-+@\\") else {
                throw FieldError("\"\(user)\" is no user of ssh; \(Self.form)")
            }
            self.user = user
            rest = rest[rest.index(after: at)...]
        }
        var host = rest
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        name = String(host)
        guard Self.isName(name, besides: "._-:%") else {
            throw FieldError("\"\(name)\" is no host of ssh; \(Self.form)")
        }
        guard !rest.isEmpty else { return }
        guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port) else {
            throw FieldError("\"\(rest.dropFirst())\" is no port of ssh; \(Self.form)")
        }
        self.port = port
    }

    /// A leading minus would be an option.
    private static func isName(_ text: String, besides marks: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || marks.unicodeScalars.contains(scalar)
            }
    }

    /// The words that name it on a command line of ssh. They come last.
    var arguments: [String] {
        (user.map { ["-l", $0] } ?? []) + (port.map { ["-p", "\($0)"] } ?? []) + ["--", name]
    }
}

extension SSHHost: CustomStringConvertible {
    var description: String {
        let host = name.contains(":") ? "[\(name)]" : name
        return Self.scheme + (user.map { $0 + "@" } ?? "") + host + (port.map { ":\($0)" } ?? "")
    }
}
