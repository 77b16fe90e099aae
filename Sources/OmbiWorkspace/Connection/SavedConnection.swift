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
        "maximumRedirects", "unixSocket", "resolve", "addressFamily", "cookies", "maximumReceiveRate",
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
        cookies = object.bool("cookies")
        maximumReceiveRate = object.integer("maximumReceiveRate", in: 1...Int.max)
        maximumSendRate = object.integer("maximumSendRate", in: 1...Int.max)
        unknown = object.unknown(besides: Self.keys)
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
