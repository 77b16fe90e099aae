import OmbiPlatform

/// The server that a request is really sent to, and the properties of the route: scheme, host and port, a fixed address
/// instead of a name lookup, a socket, ssh or a proxy in between, and the verification of the server.
package struct Destination: Hashable, Sendable {
    /// The text of the destination, which is its identity: `https://api.example.com, through the proxy http://proxy.example:3128`.
    package let text: String

    init(text: String) { self.text = text }

    /// A destination that is known once a secret has been obtained.
    static let undecided = Destination(text: "an address that a secret decides")
    static let proxyStart = "the proxy "

    /// - Parameters:
    ///   - via: the host of ssh whose tunnel takes the place of the proxy; nil for none.
    ///   - secrets: the texts that are masked where they are a part of the host.
    ///   - mask: masks secrets in the paths of sockets and files.
    init?(
        _ url: URL, _ connection: Connection, via: String? = nil, secrets: [String] = [],
        mask: (String) -> String = { $0 }
    ) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host().map(Self.plain), !host.isEmpty else {
            return nil
        }
        let isSecure = scheme == "https" || scheme == "wss"
        let port = url.port ?? (isSecure ? 443 : 80)
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isStandard = port == (isSecure ? 443 : 80)
        self.init(
            server: (isSecure ? "https://" : "http://") + Self.masked(shown, secrets) + (isStandard ? "" : ":\(port)"),
            host: host, port: port, isSecure: isSecure, connection, via, secrets, mask)
    }

    /// The proxy of a connection, which gets its own credentials; nil for none.
    init?(proxyOf connection: Connection, secrets: [String] = [], mask: (String) -> String = { $0 }) {
        guard case .server(let server) = connection.proxy else { return nil }
        self.init(text: Self.proxyStart + Self.proxy(server, secrets, mask))
    }

    private init(
        server: String, host: String, port: Int, isSecure: Bool, _ connection: Connection, _ via: String?,
        _ secrets: [String], _ mask: (String) -> String
    ) {
        var parts = [server]
        for override in connection.addresses where override.port == port && Self.isSame(override.host, host) {
            parts.append("at the address \(override.address.lowercased())")
        }
        let stop = Self.stop(of: connection, via, secrets, mask)
        if let stop { parts.append(stop.text) }
        if isSecure || stop?.isSecure ?? false { parts += Self.promises(of: connection.tls, mask) }
        text = parts.joined(separator: ", ")
    }

    /// The way by which connections go, without where to: the same text is the same way.
    static func way(_ connection: Connection, via: String?) -> String {
        let addresses = connection.addresses.map { "\($0.host.lowercased()):\($0.port) at \($0.address.lowercased())" }
        let stop = stop(of: connection, via, [], { $0 }).map { [$0.text] } ?? []
        return (addresses + stop + promises(of: connection.tls, { $0 })).joined(separator: ", ")
    }

    /// The socket, the host of ssh or the proxy on the way; nil for none that the connection names.
    private static func stop(
        of connection: Connection, _ via: String?, _ secrets: [String], _ mask: (String) -> String
    ) -> (text: String, isSecure: Bool)? {
        if let socket = connection.unixSocket {
            return ("through the socket \(Words.path(Words.distinct(socket, mask)))", false)
        }
        if let via { return ("through ssh to \(Words.name(via))", false) }
        guard case .server(let proxy) = connection.proxy else { return nil }
        return ("through the proxy " + Self.proxy(proxy, secrets, mask), proxy.scheme == .https)
    }

    /// The ways in which a server is verified otherwise than by the certificates of the system.
    private static func promises(of tls: Connection.TLS, _ mask: (String) -> String) -> [String] {
        var parts: [String] = []
        if !tls.verifiesServer { parts.append("without verifying its certificate") }
        if let file = tls.caFile {
            let content = WorkspaceContent.digest(of: file).map { " (content \($0))" } ?? ""
            parts.append("verified by \(Words.path(Words.distinct(file, mask)))\(content)")
        }
        if !tls.pinnedPublicKeys.isEmpty {
            parts.append("with the key " + tls.pinnedPublicKeys.map(Words.name).sorted().joined(separator: " or "))
        }
        switch tls.minimumVersion {
        case .v1_0, .v1_1: parts.append("with TLS \(tls.minimumVersion.rawValue)")
        case .v1_2, .v1_3: break
        }
        return parts
    }

    private static func proxy(
        _ server: Connection.Proxy.Server, _ secrets: [String], _ mask: (String) -> String
    ) -> String {
        if server.host.hasPrefix("/") {
            return "\(server.scheme.rawValue) at the socket \(Words.path(Words.distinct(server.host, mask)))"
        }
        return "\(server.scheme.rawValue)://\(masked(server.host.lowercased(), secrets)):\(server.port)"
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        func rooted(_ host: String) -> Substring {
            plain(host).hasSuffix(".") ? plain(host).dropLast() : plain(host)[...]
        }
        return rooted(one) == rooted(other)
    }

    /// Returns a host as libcurl compares it: in lower case and ASCII, not percent-encoded, and an address of IPv4 in four
    /// numbers however it is written.
    private static func plain(_ written: String) -> String {
        var host = written
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.utf8.contains(UInt8(ascii: "%")), !host.contains(":") {
            let text = PercentEncoding.unescape(host)
            // A name that libcurl refuses stays as it is written.
            if text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/?#@:\\,%".utf8.contains($0) }) { host = text }
        }
        host = HostName.ascii(host).lowercased()
        guard let first = host.utf8.first, first.isASCIIDigit else { return host }
        var address = in_addr()
        guard inet_aton(host, &address) != 0 else { return host }
        return withUnsafeBytes(of: address.s_addr) { bytes in bytes.map { "\($0)" }.joined(separator: ".") }
    }

    /// Masks secrets in a host, as `Words.distinct` does in a path.
    private static func masked(_ host: String, _ secrets: [String]) -> String {
        var shown = host
        for secret in secrets where secret.utf8.count > 2 && secret.utf8.count <= shown.utf8.count {
            let secret = secret.lowercased()
            guard shown[...].utf8.contains(bytes: secret[...].utf8) else { continue }
            shown = shown.replacing(secret, with: LogMask.mask)
        }
        return Words.distinct(host) { _ in shown }
    }
}

extension Words {
    /// Returns a text with its secrets masked. Two texts that look alike then differ by a digest.
    static func distinct(_ text: String, _ mask: (String) -> String) -> String {
        let shown = mask(text)
        return shown == text ? text : shown + " (\(WorkspaceContent.digest(Data(text.utf8))))"
    }
}

/// A source that is sent to a destination: the unit of grants and of questions about them.
package struct Flow: Hashable, Sendable {
    package var source: Source
    package var destination: Destination

    package init(_ source: Source, to destination: Destination) {
        self.source = source
        self.destination = destination
    }

    /// True if it needs no grant.
    var isFree: Bool { source.isFree || source.home == destination }

    /// The order in which flows are shown: by destination, then by source.
    static func isBefore(_ one: Flow, _ other: Flow) -> Bool {
        (one.destination.text, one.source.text) < (other.destination.text, other.source.text)
    }

    /// `$TOKEN to https://api.example.com`
    package var text: String { "\(source.text) to \(destination.text)" }
}

/// Something of this machine or of its user that a collection can reach, and that must not go to a server unasked.
///
/// A value knows the sources that it was made from: through templates, functions, other variables, captures and computed
/// credentials.
package enum Source: Hashable, Sendable {
    /// A variable of the process environment.
    case environment(String)
    /// A file, by its real path.
    case file(String)
    /// A name in a `.env` file, by the file's real path.
    case envFile(String, name: String)
    /// The output of a program: its words, and the SHA-256 of those that are files of the workspace.
    case command([String], content: String? = nil)
    case keyring(service: String, account: String?)
    /// A secret that a person types when it is needed, by its name.
    case typed(String)
    /// A member of `NAME.local.json`, such as a variable, by its name.
    case local(String, isSecret: Bool)
    /// A secret that was captured from a response, and the destination that sent it.
    case captured(String, from: Destination?)
    /// The tokens of an authorization server, by the destination that issues them.
    case token(Destination)
    case certificate(String)
    /// The Kerberos ticket of the user.
    case kerberos
    /// A Unix domain socket.
    case socket(String)
    /// A host of ssh, whose program runs.
    case ssh(String)
    /// A value of the command line, which may go anywhere.
    case override(String)

    /// True for a value that was provided for this run only.
    package var isFree: Bool { if case .override = self { true } else { false } }

    /// False for a value that is shown.
    var isSecret: Bool { if case .local(_, false) = self { false } else { true } }

    /// The destination that knows it already.
    var home: Destination? {
        switch self {
        case .captured(_, let home): home
        case .token(let home): home
        default: nil
        }
    }

    /// True if its use starts a program or opens an access to this machine.
    package var isActive: Bool {
        switch self {
        case .command, .keyring, .socket, .ssh: true
        default: false
        }
    }

    /// The text of the source, which is its identity in the file of grants.
    package var text: String {
        switch self {
        case .environment(let name): "$" + Words.name(name)
        case .file(let path): "the file " + Words.path(path)
        case .envFile(let path, let name): "\(Words.name(name)) in " + Words.path(path)
        case .command(let words, let content):
            "the output of \(Words.line(words))" + (content.map { " (content \($0))" } ?? "")
        case .keyring(let service, let account):
            "the keyring entry \(Words.name(service))" + (account.map { " of " + Words.name($0) } ?? "")
        case .typed(let name): "what is typed for \(Words.name(name))"
        case .local(let name, _): "\(Words.name(name)) of the local file"
        case .captured(let name, let home):
            "the captured \(Words.name(name))" + (home.map { " from " + $0.text } ?? "")
        case .token(let home): "the token of \(home.text)"
        case .certificate(let path): "the client certificate " + Words.path(path)
        case .kerberos: "the Kerberos ticket"
        case .socket(let path): "the socket " + Words.path(path)
        case .ssh(let host): "ssh to " + Words.name(host)
        case .override(let name): "--set " + Words.name(name)
        }
    }

    /// The same source with the secrets in the path of its file masked.
    func masked(by mask: (String) -> String) -> Source {
        if case .file(let path) = self { .file(Words.distinct(path, mask)) } else { self }
    }

    /// The names by which a person refers to it, as in `--grant NAME=URL`.
    var names: [String] {
        switch self {
        case .environment(let name): [name, "$" + name]
        case .file(let path), .certificate(let path), .socket(let path): [path, Words.path(path)]
        case .envFile(_, let name), .typed(let name), .local(let name, _), .captured(let name, _): [name]
        case .command(let words, _): [words.joined(separator: " "), Words.line(words)]
        case .keyring(let service, _): [service]
        case .ssh(let host): [host]
        case .token: ["token"]
        case .kerberos: ["kerberos"]
        case .override: []
        }
    }
}

/// Names and paths in sentences that must not be mistaken for one another.
enum Words {
    /// Returns a plain name unchanged, and any other in quotes with its control characters escaped.
    static func name(_ text: String) -> String {
        let isName = text.utf8.allSatisfy(isPlain) || text.unicodeScalars.allSatisfy { isPlain($0) }
        return isName && !text.isEmpty ? text : JSONValue.quoted(text)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        UInt8(exactly: scalar.value).map(isPlain) ?? false || scalar.properties.isAlphabetic
    }

    /// Returns false for bytes beyond ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || punctuation.contains(byte) }

    private static let punctuation = Array("_-./:@~+%*#=&?\\".utf8)

    /// The same with the home folder as `~`.
    static func path(_ path: String) -> String {
        guard let home = Workspace.home, path.hasPrefix(home + "/") else { return name(path) }
        return name("~" + path.dropFirst(home.count))
    }

    static func line(_ words: [String]) -> String { words.map(name).joined(separator: " ") }
}
