/// The way to a server, as a file has it. Nil values are inherited.
package struct SavedConnection: Sendable, Equatable {
    /// The limit from the name lookup to a usable connection.
    package var connectTimeout: Duration?
    /// A URL such as `http://proxy.example:3128`, or `none`.
    package var proxy: String?
    /// A host that the system's ssh connects through, such as `ssh://me@bastion.example:22`; `none` for none.
    package var via: String?
    /// A PEM file with the certificates to trust, relative to the collection; `none` for the system's.
    package var caFile: String?
    package var clientCertificate: SavedCertificate?
    /// SHA-256 hashes of the accepted public keys: `sha256//…`. Empty accepts any.
    package var pins: [String]?
    package var minimumTLS: Connection.TLS.Version?
    package var httpVersion: Connection.HTTPVersion?
    /// The maximum number of redirects in one attempt; 0 follows none.
    package var maximumRedirects: Int?
    /// The path of a Unix domain socket, relative to the collection; `none` for the network.
    package var unixSocket: String?
    /// Addresses that replace a name lookup: `api.example.com:443:127.0.0.1`. Empty for none.
    package var resolve: [String]?
    package var addressFamily: Connection.AddressFamily?
    /// The network interface or the address to connect from, such as `eth0`; `none` leaves the choice to the system.
    package var interface: String?
    /// True to keep the cookies of the environment while Ombi runs, and to send them.
    package var cookies: Bool?
    /// Bytes per second.
    package var maximumReceiveRate: Int?
    /// Bytes per second.
    package var maximumSendRate: Int?
    package var unknown = UnknownMembers()

    package init() {}

    package init(_ change: (inout SavedConnection) -> Void) { change(&self) }
}

extension SavedConnection: SavedObject {
    static let members = Members<SavedConnection>([
        .duration(
            "connectTimeout", "The limit from the name lookup to a usable connection, TLS included.",
            { $0.connectTimeout = $1 }, { $0.connectTimeout }),
        checked(
            "proxy",
            Schema.text(
                "The proxy: SCHEME://[USER:PASSWORD@]HOST[:PORT] with http, https, socks4, socks4a, socks5 or socks5h; none "
                    + "for a direct connection. By default that of the environment variables."),
            ConnectionText.checkProxy, { $0.proxy = $1 }, { $0.proxy }),
        checked(
            "via",
            Schema.text(
                "A host that connections go through, by the system's ssh: ssh://[USER@]HOST[:PORT]; none for none. Needs "
                    + "trust.", pattern: "^(none|ssh://.+|.*\\{\\{.*)$"),
            ConnectionText.checkVia, { $0.via = $1 }, { $0.via }),
        Member(
            "caFile",
            Schema.reference(
                "path",
                "A PEM file with the certificates to trust, instead of those of the system; none for those of the system."
            ), read: { $0.caFile = $1.optionalPath($2) }, write: { $0.caFile.map(JSONValue.string) }),
        Member(
            "clientCertificate", certificateSchema, read: { $0.clientCertificate = certificate($2, in: $1) },
            write: { $0.clientCertificate.map { $0.isOff ? .string(ConnectionText.none) : $0.json } }),
        checkedList(
            "pins", "The accepted public keys; any if there is none.", pattern: "^sha256//[A-Za-z0-9+/]{43}=$",
            ConnectionText.checkPin, { $0.pins = $1 }, { $0.pins }),
        .choice(
            "minimumTLS", "The lowest version of TLS; 1.2 by default.", of: Connection.TLS.Version.self,
            { $0.minimumTLS = $1 }, { $0.minimumTLS }),
        .choice(
            "httpVersion", "The version of HTTP; automatic by default.", of: Connection.HTTPVersion.self,
            { $0.httpVersion = $1 }, { $0.httpVersion }),
        .integer(
            "maximumRedirects", "The redirects that are followed; 20 by default.", in: 0...1000,
            { $0.maximumRedirects = $1 }, { $0.maximumRedirects }),
        checked(
            "unixSocket",
            Schema.reference(
                "path",
                "The Unix domain socket to connect to, whatever the host of the URL; none switches an inherited one off."
            ),
            ConnectionText.checkPath, { $0.unixSocket = $1 }, { $0.unixSocket }),
        checkedList(
            "resolve", "Addresses in place of a name lookup: HOST:PORT:ADDRESS.", pattern: "^.+:[0-9]+:.+$",
            ConnectionText.checkAddress, { $0.resolve = $1 }, { $0.resolve }),
        .choice(
            "addressFamily", "The IP versions; any by default.", of: Connection.AddressFamily.self,
            { $0.addressFamily = $1 }, { $0.addressFamily }),
        checked(
            "interface",
            Schema.name(
                "The network interface or the address to connect from, such as eth0; none leaves the choice to the system."
            ),
            ConnectionText.checkInterface, { $0.interface = $1 }, { $0.interface }),
        Member(
            "cookies",
            Schema.flag("Keeps the cookies of the environment while Ombi runs, and sends them.", default: false),
            read: { $0.cookies = $1.bool($2) }, write: { $0.cookies.map { .bool($0) } }),
        .integer(
            "maximumReceiveRate", "Bytes per second of a response.", in: 1...Int.max, { $0.maximumReceiveRate = $1 },
            { $0.maximumReceiveRate }),
        .integer(
            "maximumSendRate", "Bytes per second of a request.", in: 1...Int.max, { $0.maximumSendRate = $1 },
            { $0.maximumSendRate }),
    ])

    private static func checked(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue,
        _ check: @escaping @Sendable (String) throws(FieldError) -> Void,
        _ set: @escaping @Sendable (inout SavedConnection, String?) -> Void,
        _ get: @escaping @Sendable (SavedConnection) -> String?
    ) -> Member<SavedConnection> {
        Member(key, schema()) { connection, object, key in
            set(&connection, object.checked(key, check))
        } write: {
            get($0).map(JSONValue.string)
        }
    }

    private static func checkedList(
        _ key: String, _ description: String, pattern: String,
        _ check: @escaping @Sendable (String) throws(FieldError) -> Void,
        _ set: @escaping @Sendable (inout SavedConnection, [String]?) -> Void,
        _ get: @escaping @Sendable (SavedConnection) -> [String]?
    ) -> Member<SavedConnection> {
        Member(key, Schema.list(description, of: Schema.text(pattern: pattern))) { connection, object, key in
            set(&connection, object.checkedList(key, check))
        } write: {
            get($0).map(JSONValue.strings)
        }
    }

    private static var certificateSchema: JSONValue {
        [
            "description":
                "The certificate that identifies the client, and its private key; none switches an inherited one off.",
            "oneOf": [["const": .string(ConnectionText.none)], SavedCertificate.members.schema()],
        ]
    }

    init(reading object: ObjectReader) {
        unknown = object.read(Self.members, into: &self, explained: "verifyTLS")
        if let value = object.value("verifyTLS") {
            object.log.warning(
                at: value.offset, "\"verifyTLS\" belongs to an environment, beside its \"host\"; here it has no effect")
        }
        if Self.isOn(unixSocket), Self.isOn(proxy) {
            object.error("unixSocket", "and \"proxy\" exclude each other; remove one of them")
        }
        if Self.isOn(via), let other = [("proxy", proxy), ("unixSocket", unixSocket)].first(where: { Self.isOn($0.1) })
        {
            object.error("via", "and \"\(other.0)\" exclude each other; remove one of them")
        }
        checkSupport(in: object)
    }

    static func isOn(_ text: String?) -> Bool { text != nil && text != ConnectionText.none }

    private static func certificate(_ key: String, in object: ObjectReader) -> SavedCertificate? {
        guard let text = object.value(key)?.string else { return object.value(key, as: SavedCertificate.self) }
        if text == ConnectionText.none { return .off }
        return object.refuse(
            key, "write { \"file\": \(JSONValue.quoted(text)) }, or \"none\" to send no certificate")
    }

    /// Logs a warning for each member that the transport of this system cannot honor.
    private func checkSupport(in object: ObjectReader) {
        let members: [(String, SavedConnection)] = [
            ("proxy", SavedConnection { $0.proxy = proxy }), ("pins", SavedConnection { $0.pins = pins }),
            ("minimumTLS", SavedConnection { $0.minimumTLS = minimumTLS }),
            ("httpVersion", SavedConnection { $0.httpVersion = httpVersion }),
            ("unixSocket", SavedConnection { $0.unixSocket = unixSocket }),
            ("addressFamily", SavedConnection { $0.addressFamily = addressFamily }),
            ("interface", SavedConnection { $0.interface = interface }),
        ]
        for (key, member) in members where member != SavedConnection() {
            guard let value = object.value(key),
                let connection = try? member.resolved({ text, _ in text }, request: "", folder: "")
            else { continue }
            object.log.check(connection: connection, key: key, at: value.offset)
        }
        if Self.isOn(via), let value = object.value("via") {
            object.log.check(connection: Connection { $0.proxy = .socket("/") }, key: "via", at: value.offset)
        }
    }
}

extension ObjectReader {
    /// Reads a text that passes a check.
    fileprivate func checked(_ key: String, _ check: (String) throws(FieldError) -> Void) -> String? {
        guard let text = string(key, problem: { Self.problem(with: $0, check) }) else { return nil }
        do throws(FieldError) { try check(text) } catch { return refuse(key, error.message) }
        return text
    }

    /// Reads a list of texts that pass a check.
    func checkedList(_ key: String, _ check: (String) throws(FieldError) -> Void) -> [String]? {
        array(key)?.compactMap { value in
            guard let text = value.string else {
                log.error(
                    at: value.offset,
                    "\"\(key)\": expected a string, found \(value.kindName)"
                        + ObjectReader.quoteHint(key, "a string", value) { Self.problem(with: $0, check) })
                return nil
            }
            do throws(FieldError) { try check(text) } catch {
                log.error(at: value.offset, "\"\(key)\": \(error.message)")
                return nil
            }
            return text
        }
    }

    private static func problem(with text: String, _ check: (String) throws(FieldError) -> Void) -> String? {
        do throws(FieldError) { try check(text) } catch { return error.message }
        return nil
    }

    /// Reads the path of a file that a connection needs; nil for a member that is absent.
    func optionalPath(_ key: String) -> String? {
        guard let path = checked(key, ConnectionText.checkPath), let value = value(key) else { return nil }
        if path != ConnectionText.none { log.check(file: path, at: value.offset) }
        return path
    }
}

extension SavedConnection {
    /// The settings as lines of text; an empty one, and the choice `inherit`, inherit. The text `none` switches an inherited
    /// proxy, host of ssh, file, certificate or socket off.
    package static let fields: [FieldDescriptor<SavedConnection>] = [
        FieldDescriptor("connect within", duration: \.connectTimeout),
        FieldDescriptor("proxy", optional: \.proxy, check: ConnectionText.checkProxy),
        FieldDescriptor("via", optional: \.via, check: ConnectionText.checkVia),
        FieldDescriptor("CA file", optional: \.caFile, isPath: true),
        FieldDescriptor("client cert", isPath: true) {
            $0.clientCertificate?.file ?? ""
        } write: { connection, text in
            if text.isEmpty { return connection.clientCertificate = nil }
            if text == ConnectionText.none { return connection.clientCertificate = .off }
            if connection.clientCertificate == nil { connection.clientCertificate = SavedCertificate(file: text) }
            connection.clientCertificate?.file = text
        },
        certificate("client key", \.key, isPath: true),
        certificate("key password", \.password, isSecret: true),
        list("pins", \.pins, check: ConnectionText.checkPin),
        choice("minimum TLS", \.minimumTLS),
        choice("HTTP version", \.httpVersion),
        FieldDescriptor("redirects") {
            $0.maximumRedirects.map(String.init) ?? ""
        } write: { connection, text throws(FieldError) in
            connection.maximumRedirects = try FieldText.count(text)
        },
        FieldDescriptor("unix socket", optional: \.unixSocket, isPath: true),
        list("resolve", \.resolve, check: ConnectionText.checkAddress),
        choice("IP version", \.addressFamily),
        FieldDescriptor("interface", optional: \.interface, check: ConnectionText.checkInterface),
        FieldDescriptor(
            "cookies",
            choices: [
                inherits, FieldChoice("yes", note: "keep them while Ombi runs, and send them"), FieldChoice("no"),
            ]
        ) {
            $0.cookies.map { $0 ? "yes" : "no" } ?? inherits.name
        } write: { connection, text in
            connection.cookies = ["yes": true, "no": false][text]
        },
        rate("receive rate", \.maximumReceiveRate),
        rate("send rate", \.maximumSendRate),
    ]

    private static func certificate(
        _ label: String, _ part: WritableKeyPath<SavedCertificate, String?> & Sendable, isPath: Bool = false,
        isSecret: Bool = false
    ) -> FieldDescriptor<SavedConnection> {
        FieldDescriptor(label, isPath: isPath, isSecret: isSecret) {
            $0.clientCertificate?[keyPath: part] ?? ""
        } write: { connection, text throws(FieldError) in
            guard text.isEmpty || connection.clientCertificate.map({ !$0.isOff }) ?? false else {
                throw FieldError("set \"client cert\" before")
            }
            connection.clientCertificate?[keyPath: part] = text.isEmpty ? nil : text
        }
    }

    /// The text `none` is an empty list, which overrides an inherited one.
    private static func list(
        _ label: String, _ part: WritableKeyPath<SavedConnection, [String]?> & Sendable,
        check: @escaping @Sendable (String) throws(FieldError) -> Void
    ) -> FieldDescriptor<SavedConnection> {
        FieldDescriptor(label) {
            $0[keyPath: part].map { $0.isEmpty ? ConnectionText.none : $0.joined(separator: ", ") } ?? ""
        } write: { connection, text throws(FieldError) in
            let words = text.split(whereSeparator: { ", ".contains($0) }).map(String.init)
            if words == [ConnectionText.none] { return connection[keyPath: part] = [] }
            for word in words { try check(word) }
            connection[keyPath: part] = words.isEmpty ? nil : words
        }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ label: String, _ part: WritableKeyPath<SavedConnection, Choice?> & Sendable
    ) -> FieldDescriptor<SavedConnection> {
        let names = Choice.allCases.map { FieldChoice($0.rawValue) }
        return FieldDescriptor(label, choices: [inherits] + names) {
            $0[keyPath: part]?.rawValue ?? inherits.name
        } write: {
            $0[keyPath: part] = Choice(rawValue: $1)
        }
    }

    private static let inherits = FieldChoice("inherit", note: "from the level above, or the default")

    private static func rate(
        _ label: String, _ part: WritableKeyPath<SavedConnection, Int?> & Sendable
    ) -> FieldDescriptor<SavedConnection> {
        FieldDescriptor(label) {
            $0[keyPath: part].map(String.init) ?? ""
        } write: { connection, text throws(FieldError) in
            if text.isEmpty { return connection[keyPath: part] = nil }
            guard let rate = Int(text), rate > 0 else {
                throw FieldError("expected bytes per second, for example 100000")
            }
            connection[keyPath: part] = rate
        }
    }

    /// Returns a field as a text; nil if it is inherited.
    package static func text(of field: FieldDescriptor<SavedConnection>, in connection: SavedConnection?) -> String? {
        let text = connection.map(field.read) ?? ""
        return text.isEmpty || (!field.choices.isEmpty && text == inherits.name) ? nil : text
    }

    /// Returns a field as a text that can be shown: passwords that are written out are masked.
    package static func shown(_ field: FieldDescriptor<SavedConnection>, _ text: String) -> String {
        if field.label == "proxy" { return ConnectionText.masked(proxy: text) }
        return field.isSecret && !text.contains("{{") && !text.isEmpty ? LogMask.mask : text
    }
}

extension FieldDescriptor<SavedConnection> {
    /// The value where no level sets one, for display.
    package var standard: String {
        switch label {
        case "proxy": "that of http_proxy and https_proxy"
        case "CA file": "those of the system"
        case "minimum TLS": "1.2"
        case "HTTP version": "automatic"
        case "redirects": "20"
        case "IP version": "any"
        case "interface": "any"
        case "cookies": "no"
        default: "none"
        }
    }
}
