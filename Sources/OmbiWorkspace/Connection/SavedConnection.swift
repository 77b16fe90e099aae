import OmbiCore
import OmbiDocument

/// The way to a server, as a file has it. Nil values are inherited.
public struct SavedConnection: Sendable, Equatable {
    /// The limit from the name lookup to a usable connection.
    public var connectTimeout: Duration?
    /// A URL such as `http://proxy.example:3128`, or `none`.
    public var proxy: String?
    /// A host that the system's ssh connects through, such as `ssh://me@bastion.example:22`; `none` for none.
    public var via: String?
    /// A PEM file with the certificates to trust, relative to the collection; `none` for those of the system.
    public var caFile: String?
    public var clientCertificate: SavedCertificate?
    /// SHA-256 hashes of the accepted public keys: `sha256//…`. Empty accepts any.
    public var pins: [String]?
    public var minimumTLS: Connection.TLS.Version?
    public var httpVersion: Connection.HTTPVersion?
    /// The maximum number of redirects in one attempt; 0 follows none.
    public var maximumRedirects: Int?
    /// The path of a Unix domain socket, relative to the collection; `none` for the network.
    public var unixSocket: String?
    /// Addresses in place of a name lookup: `api.example.com:443:127.0.0.1`. Empty for none.
    public var resolve: [String]?
    public var addressFamily: Connection.AddressFamily?
    /// The network interface or the address to connect from, such as `eth0`; `none` leaves the choice to the system.
    public var interface: String?
    /// True to keep the cookies of the environment while Ombi runs, and to send them.
    public var cookies: Bool?
    /// Bytes per second.
    public var maximumReceiveRate: Int?
    /// Bytes per second.
    public var maximumSendRate: Int?
    public var unknown = UnknownMembers()

    public init() {}

    public init(_ change: (inout SavedConnection) -> Void) { change(&self) }

    /// The password in the URL of the proxy; a template as it is written.
    public var proxyPassword: String? {
        get {
            let range = proxy.flatMap { ConnectionText.passwordRange(in: $0) }
            return range.flatMap { range in proxy.map { ConnectionText.unescaped(String($0[range])) } }
        }
        set {
            guard let text = proxy, let range = ConnectionText.passwordRange(in: text) else { return }
            proxy = "\(text[..<range.lowerBound])\(newValue ?? "")\(text[range.upperBound...])"
        }
    }
}

extension SavedConnection: JSONObjectConvertible {
    static let keys = [
        "connectTimeout", "proxy", "via", "caFile", "clientCertificate", "pins", "minimumTLS", "httpVersion",
        "maximumRedirects", "unixSocket", "resolve", "addressFamily", "interface", "cookies", "maximumReceiveRate",
        "maximumSendRate",
    ]

    init(reading object: ObjectReader) {
        connectTimeout = object.duration("connectTimeout")
        proxy = object.checked("proxy", ConnectionText.checkProxy)
        via = object.checked("via", ConnectionText.checkVia)
        caFile = object.optionalPath("caFile")
        clientCertificate = Self.certificate(in: object)
        pins = object.checkedList("pins", ConnectionText.checkPin)
        minimumTLS = object.choice("minimumTLS", of: Connection.TLS.Version.self)
        httpVersion = object.choice("httpVersion", of: Connection.HTTPVersion.self)
        maximumRedirects = object.integer("maximumRedirects", in: 0...1000)
        unixSocket = object.checked("unixSocket", ConnectionText.checkPath)
        resolve = object.checkedList("resolve", ConnectionText.checkAddress)
        addressFamily = object.choice("addressFamily", of: Connection.AddressFamily.self)
        interface = object.checked("interface", ConnectionText.checkInterface)
        cookies = object.bool("cookies")
        maximumReceiveRate = object.integer("maximumReceiveRate", in: 1...Int.max)
        maximumSendRate = object.integer("maximumSendRate", in: 1...Int.max)
        unknown = object.unknown(besides: Self.keys, explained: "verifyTLS")
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

    private static func certificate(in object: ObjectReader) -> SavedCertificate? {
        guard let text = object.value("clientCertificate")?.string else {
            return object.value("clientCertificate", as: SavedCertificate.self)
        }
        guard text == ConnectionText.none else {
            let quoted = JSONValue.quoted(text)
            object.error("clientCertificate", "write { \"file\": \(quoted) }, or \"none\" to send no certificate")
            return nil
        }
        return .off
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

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("connectTimeout", duration: connectTimeout)
        writer.add("proxy", text: proxy)
        writer.add("via", text: via)
        writer.add("caFile", text: caFile)
        writer.add("clientCertificate", clientCertificate.map { $0.isOff ? .string(ConnectionText.none) : $0.json })
        writer.add("pins", pins.map { .array($0.map(JSONValue.string)) })
        writer.add("minimumTLS", text: minimumTLS?.rawValue)
        writer.add("httpVersion", text: httpVersion?.rawValue)
        writer.add("maximumRedirects", maximumRedirects.map { .number($0) })
        writer.add("unixSocket", text: unixSocket)
        writer.add("resolve", resolve.map { .array($0.map(JSONValue.string)) })
        writer.add("addressFamily", text: addressFamily?.rawValue)
        writer.add("interface", text: interface)
        writer.add("cookies", cookies.map { .bool($0) })
        writer.add("maximumReceiveRate", maximumReceiveRate.map { .number($0) })
        writer.add("maximumSendRate", maximumSendRate.map { .number($0) })
        return writer.object(unknown)
    }
}

extension ObjectReader {
    /// Reads a text that passes a check.
    fileprivate func checked(_ key: String, _ check: (String) throws(FieldError) -> Void) -> String? {
        guard let text = string(key, problem: { Self.problem(with: $0, check) }) else { return nil }
        do throws(FieldError) { try check(text) } catch {
            self.error(key, error.message)
            return nil
        }
        return text
    }

    /// Reads a list of texts that pass a check.
    func checkedList(_ key: String, _ check: (String) throws(FieldError) -> Void) -> [String]? {
        array(key)?.compactMap { value in
            guard let text = value.string else {
                log.error(
                    at: value.offset,
                    "\"\(key)\": expected a string, found \(value.kindName)"
                        + ObjectReader.quoteHint("a string", value) { Self.problem(with: $0, check) })
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
    public static let fields: [FieldDescriptor<SavedConnection>] = [
        FieldDescriptor("connect within") {
            $0.connectTimeout.map(DurationText.format) ?? ""
        } write: { connection, text throws(FieldError) in
            connection.connectTimeout = try FieldText.duration(text)
        },
        text("proxy", \.proxy, check: ConnectionText.checkProxy),
        text("via", \.via, check: ConnectionText.checkVia),
        text("CA file", \.caFile, isPath: true),
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
        text("unix socket", \.unixSocket, isPath: true),
        list("resolve", \.resolve, check: ConnectionText.checkAddress),
        choice("IP version", \.addressFamily),
        text("interface", \.interface, check: ConnectionText.checkInterface),
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

    private static func text(
        _ label: String, _ part: WritableKeyPath<SavedConnection, String?> & Sendable, isPath: Bool = false,
        check: @escaping @Sendable (String) throws(FieldError) -> Void = { _ in }
    ) -> FieldDescriptor<SavedConnection> {
        FieldDescriptor(label, isPath: isPath) {
            $0[keyPath: part] ?? ""
        } write: { connection, text throws(FieldError) in
            if !text.isEmpty { try check(text) }
            connection[keyPath: part] = text.isEmpty ? nil : text
        }
    }

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

    /// The text `none` is an empty list, which stands over an inherited one.
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

    /// Returns a field as a text; nil where it inherits.
    public static func text(of field: FieldDescriptor<SavedConnection>, in connection: SavedConnection?) -> String? {
        let text = connection.map(field.read) ?? ""
        return text.isEmpty || (!field.choices.isEmpty && text == inherits.name) ? nil : text
    }

    /// Returns a field as a text that can be shown: passwords that are written out are masked.
    public static func shown(_ field: FieldDescriptor<SavedConnection>, _ text: String) -> String {
        if field.label == "proxy" { return ConnectionText.masked(proxy: text) }
        return field.isSecret && !text.contains("{{") && !text.isEmpty ? LogMask.mask : text
    }
}
