import OmbiCore

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
