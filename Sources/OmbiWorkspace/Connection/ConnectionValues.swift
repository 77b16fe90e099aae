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

/// Parts of a connection as texts of a file.
enum ConnectionText {
    /// The text for a setting that is off, whatever is inherited. A file of that name is `./none`.
    static let none = "none"

    private static func hasTemplate(_ text: String) -> Bool { text.contains("{{") }

    @Sendable static func checkPath(_ text: String) throws(FieldError) {
        if text.isEmpty { throw FieldError("the path of the file is empty") }
    }

    @Sendable static func checkPin(_ text: String) throws(FieldError) {
        let prefix = "sha256//"
        let hash = text.dropFirst(prefix.count)
        let isBase64 = Data(base64Encoded: String(hash))?.count == 32
        guard text.hasPrefix(prefix), isBase64 else {
            throw FieldError("a pin is sha256// and the Base64 of 32 bytes, as curl --pinnedpubkey takes it")
        }
    }

    /// Checks a proxy as far as it has no templates.
    @Sendable static func checkProxy(_ text: String) throws(FieldError) {
        if !hasTemplate(text) { _ = try proxy(text) }
    }

    /// Returns a proxy without white space around it. As with curl, `host:port` needs no scheme; one with a user does,
    /// as only URLs have their passwords masked.
    static func proxyURL(_ written: String) -> String {
        let target = RequestTarget(written)
        let isServer = target.isURL && target.problem == nil && written.contains(":") && !written.contains("@")
        return isServer ? target.text : RequestTarget.trimmed(written)
    }

    /// Reads `[SCHEME://[USER[:PASSWORD]@]]HOST[:PORT]`, or `none`.
    static func proxy(_ written: String) throws(FieldError) -> Connection.Proxy {
        let text = proxyURL(written)
        if text == none { return .none }
        let form = "write http://proxy.example:3128, or none for no proxy"
        guard let mark = text.firstRange(of: "://") else { throw FieldError("a proxy needs a scheme; \(form)") }
        let name = String(text[..<mark.lowerBound])
        guard let scheme = Connection.Proxy.Scheme(rawValue: name) else {
            let names = Connection.Proxy.Scheme.allCases.map(\.rawValue).joined(separator: ", ")
            let hint = Spelling.hint(for: name, in: Connection.Proxy.Scheme.allCases.map(\.rawValue))
            throw FieldError("\"\(name)\" is no scheme of a proxy\(hint); the schemes are \(names)")
        }
        var rest = String(text[mark.upperBound...])
        while rest.hasSuffix("/") { rest.removeLast() }
        var (username, password): (String?, String?)
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            username = PercentEncoding.unescape(parts[0])
            password = parts.count > 1 ? PercentEncoding.unescape(parts[1]) : nil
            rest = String(rest[rest.index(after: at)...])
        }
        let (host, port) = try hostAndPort(rest, form)
        return .server(
            .init(
                scheme: scheme, host: host, port: port ?? (scheme == .http || scheme == .https ? 3128 : 1080),
                username: username, password: password))
    }

    private static func hostAndPort(_ text: String, _ form: String) throws(FieldError) -> (String, Int?) {
        let end =
            text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        let host = String(text[..<(end ?? text.endIndex)])
        let rest = text[(end ?? text.endIndex)...]
        guard !host.isEmpty else { throw FieldError("the proxy has no host; \(form)") }
        if rest.isEmpty { return (host, nil) }
        guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port) else {
            throw FieldError("\"\(rest.dropFirst())\" is no port of a proxy; \(form)")
        }
        return (host, port)
    }

    /// Returns a proxy with a mask for a password that is written out.
    static func masked(proxy text: String) -> String {
        guard let range = passwordRange(in: text), !hasTemplate(String(text[range])) else { return text }
        return "\(text[..<range.lowerBound])\(LogMask.mask)\(text[range.upperBound...])"
    }

    /// The place of the password in a proxy, percent-encoded.
    static func passwordRange(in text: String) -> Range<String.Index>? {
        guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@"), scheme.upperBound <= at,
            let colon = text[scheme.upperBound..<at].firstIndex(of: ":")
        else { return nil }
        return text.index(after: colon)..<at
    }

    /// Checks the name or the address of a network interface as far as it has no templates.
    @Sendable static func checkInterface(_ text: String) throws(FieldError) {
        let isName = !text.isEmpty && text.utf8.count < 256 && text.unicodeScalars.allSatisfy { $0.value > 0x20 }
        guard hasTemplate(text) || isName else {
            throw FieldError("write the name of an interface, such as eth0, or its address; or none for any")
        }
    }

    /// Checks a host of ssh as far as it has no templates.
    @Sendable static func checkVia(_ text: String) throws(FieldError) {
        if text != none, !hasTemplate(text) { _ = try SSHHost(text) }
    }

    @Sendable static func checkAddress(_ text: String) throws(FieldError) { _ = try address(text) }

    /// Reads `HOST:PORT:ADDRESS`.
    static func address(_ text: String) throws(FieldError) -> Connection.AddressOverride {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !["", "*"].contains(parts[0]), let port = Int(parts[1]), (1...65_535).contains(port)
        else {
            throw FieldError("\"\(text)\": write HOST:PORT:ADDRESS, such as api.example.com:443:127.0.0.1")
        }
        let inner =
            parts[2].hasPrefix("[") && parts[2].hasSuffix("]") ? String(parts[2].dropFirst().dropLast()) : parts[2]
        let override = Connection.AddressOverride(host: parts[0], port: port, address: inner)
        do throws(TransportError) {
            try Connection { $0.addresses = [override] }.check()
        } catch {
            throw FieldError("\"\(text)\": \"\(inner)\" is not an IP address; write HOST:PORT:ADDRESS")
        }
        return override
    }
}
