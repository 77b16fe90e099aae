extension ExportedRequest {
    /// Creates a request as saved, with values for its templates and for secrets in clear text.
    init(_ order: RunOrder) {
        let (request, inheritance) = (order.request, order.inheritance)
        let environment = order.chosenEnvironment
        let isForeign = inheritance.isForeign(request)
        let connection = inheritance.connections(of: request, isForeign: isForeign).merged
        self.init(
            name: request.name, description: request.description, folders: (order.folders ?? []).map(\.name),
            method: request.method,
            url: request.address(host: environment?.host ?? "{{host}}", hidesSecrets: true))
        let fields = request.sentHeaders.filter(\.enabled) + inheritance.headers(sentWith: request).map(\.value)
        headers = fields.map { field in
            var row = Self.header(field)
            row.description = field.description ?? ""
            return row
        }
        parameters = (request.pathParameters + request.query).filter(\.enabled).compactMap { field in
            field.description.map { Parameter(name: field.name, description: $0) }
        }
        add(inheritance.authentication(of: request)?.value.credentials?.exported)
        if let form = request.body?.form {
            add(form)
            // Ombi sends the type of the body, and no body.
            if request.method == .head { body = nil }
        }
        let policy = inheritance.policy(of: request)
        timeout = policy.timeout
        (isDisabled, examples) = (request.isDisabled, request.shownExamples.map(\.masked))
        verifiesTLS = isForeign || environment?.verifyTLS ?? true
        add(connection)
        omit(request, policy)
        if isDisabled { omissions.append("it is disabled: runs of its folder leave it out") }
        if namesFiles, order.folder != "." { omissions.append("paths of files start at the folder of the collection") }
    }

    /// Other tools do without what Ombi does around a request.
    private mutating func omit(_ request: SavedRequest, _ policy: RequestPolicy) {
        let parts: KeyValuePairs<String, Bool> = [
            "retries": policy.retries ?? 0 > 0, "the retry budget": policy.retryBudget != nil,
            "the breaker": policy.breaker != nil, "expectations": request.expect != nil,
            "captures": request.captures.contains(where: \.enabled), "further pages": request.pages != nil,
            "the fallback response": request.fallback != nil, "compression": request.compression != nil,
        ]
        let used = parts.filter { $0.value }.map { $0.key }
        if !used.isEmpty { omissions.append("left out: " + used.joined(separator: ", ")) }
    }

    private var namesFiles: Bool {
        switch body {
        case .file: true
        case .multipart(let parts): parts.contains { $0.file != nil }
        case .text, .form, nil: false
        }
    }

    /// The scheme of credentials is no secret: "Bearer".
    private static func header(_ field: Field) -> Row {
        let name = ExportText(field.name)
        let words = field.value.split(separator: " ", maxSplits: 1)
        let isPlain = words.count == 2 && !field.value.contains("{{")
        guard let secret = field.secretName, isPlain, RequestHeaders.Key(field.name) == .authorization else {
            return Row(name: name, value: field.exported)
        }
        return Row(name: name, value: "\(words[0]) " + ExportText(String(words[1]), secret: secret))
    }

    private mutating func add(_ exported: ExportedCredentials?) {
        switch exported {
        case .user(_, _, .basic) where exported?.hasColonInUser ?? false:
            omissions.append("its user is left out: a colon in it ends the user name of Basic")
        case .user(let name, let password, .basic):
            credentials = .basic(ExportText(name), password: ExportText(password, secret: "password"))
        case .user(let name, let password, .digest):
            credentials = .digest(ExportText(name), password: ExportText(password, secret: "password"))
        case .user(_, _, .aws), .user(_, _, .ntlm), .negotiate, .netrc, .awsProfile:
            omissions += [exported?.omission].compactMap { $0 }
        case .token(let token): credentials = .bearer(ExportText(token, secret: "token"))
        case .issuedToken:
            credentials = .bearer(ExportText(ExportValue(secret: "", named: "accessToken")))
            omissions.append("the access token of OAuth 2 has to be obtained: accessToken")
        case .key(let name, let value, .cookie):
            let pair = ExportText(name) + "=" + ExportText(value, secret: "apiKey")
            if let index = headers.firstIndex(where: { $0.isNamed("cookie") }) {
                headers[index].value = headers[index].value + "; " + pair
            } else {
                headers.append(Row(name: ExportText(plain: "Cookie"), value: pair))
            }
        case .key(let name, let value, let location):
            credentials = .key(Row(name: ExportText(name), value: ExportText(value, secret: "apiKey")), location)
        case nil: break
        }
    }

    private mutating func add(_ connection: SavedConnection) {
        if let maximum = connection.maximumRedirects { maximumRedirects = maximum }
        if let text = connection.proxy.map(ConnectionText.proxyURL) {
            proxy = text == ConnectionText.none ? .none : .url(Self.proxy(text))
        }
        let parts: KeyValuePairs<String, Bool> = [
            "the host of ssh": SavedConnection.isOn(connection.via),
            "the CA file": SavedConnection.isOn(connection.caFile),
            "the client certificate": !(connection.clientCertificate?.isOff ?? true),
            "the pins": !(connection.pins ?? []).isEmpty,
            "the Unix socket": SavedConnection.isOn(connection.unixSocket),
            "the addresses of hosts": !(connection.resolve ?? []).isEmpty, "cookies": connection.cookies ?? false,
        ]
        let used = parts.filter { $0.value }.map { $0.key }
        if !used.isEmpty { omissions.append("left out of the connection: " + used.joined(separator: ", ")) }
    }

    /// A password in clear is a value.
    private static func proxy(_ text: String) -> ExportText {
        guard let range = ConnectionText.passwordRange(in: text) else { return ExportText(text) }
        return ExportText(String(text[..<range.lowerBound]))
            + ExportText(String(text[range]), secret: "proxyPassword").encoded(.none, values: .segment)
            + ExportText(String(text[range.upperBound...]))
    }

    // MARK: The body

    private mutating func add(_ form: ExportedBody) {
        switch form {
        case .json(let value): add(.text(Self.json(value)), type: JSONContent.note)
        case .text(let text, let type): add(.text(ExportText(text, named: "", .body)), type: type)
        case .file(let path, let type): add(.file(ExportText(path)), type: type)
        case .form(let fields):
            let rows = fields.map { field in
                Row(
                    name: ExportText(field.name), value: field.exported, description: field.description ?? "")
            }
            add(.form(rows), type: FormContent.note)
        case .multipart(let parts):
            body = .multipart(parts.map(Self.part))
            // It has the boundary, which the other tool chooses.
            headers.removeAll { $0.isNamed("content-type") }
        }
    }

    private mutating func add(_ body: Body, type: String) {
        self.body = body
        guard !headers.contains(where: { $0.isNamed("content-type") }) else { return }
        headers.append(Row(name: ExportText(plain: "Content-Type"), value: ExportText(type)))
    }

    private static func part(_ part: MultipartPart) -> Part {
        let name = ExportText(part.name)
        let isAbsent = { (text: String) in text == MultipartPart.absent }
        switch part.content {
        case .text(let text):
            let value = Field(part.name, text).exported
            return Part(
                name: name, text: value.holdsSecret ? value : ExportText(text, named: part.name, .body),
                contentType: part.contentType.map { ExportText($0) },
                fileName: part.fileName.map { ExportText($0) }, description: part.description ?? "")
        case .file(let path):
            let type = part.contentType ?? FileType.named(path)
            let fileName = part.fileName ?? path.split(separator: "/").last.map(String.init) ?? ""
            return Part(
                name: name, file: ExportText(path), contentType: isAbsent(type) ? nil : ExportText(type),
                fileName: isAbsent(fileName) ? nil : ExportText(fileName), description: part.description ?? "")
        }
    }

    /// - Parameter name: The name of the member.
    private static func json(_ value: JSONValue, named name: String = "") -> ExportText {
        switch value {
        case .string(let text):
            if let typed = Template.typed(text) { return ExportText(ExportValue(typed)) }
            let secret = ExportText(text, secret: Field(name, "").secretName)
            let plain = secret.holdsSecret ? secret : ExportText(text, named: name, .body)
            return "\"" + plain.encoded(.json) + "\""
        case .array(let elements):
            return "[" + elements.map { json($0, named: name) }.joined(separator: ",") + "]"
        case .object(let members):
            let texts = members.map { member in
                json(.string(member.key)) + ":" + json(member.value, named: member.key)
            }
            return "{" + texts.joined(separator: ",") + "}"
        case .null, .bool, .number: return ExportText(plain: value.compact)
        }
    }
}

extension ExportedCredentials {
    /// True for a user name with a colon outside of its templates: what follows it is read as a part of the password.
    var hasColonInUser: Bool {
        guard case .user(let name, _, let scheme) = self, [.basic, .digest, .ntlm].contains(scheme) else {
            return false
        }
        guard let parts = try? Template(name).parts else { return name.contains(":") }
        return parts.contains { if case .text(let text) = $0 { text.contains(":") } else { false } }
    }
}

extension SavedRequest {
    /// Returns the URL with its query, escaped as sent.
    /// - Parameters:
    ///   - host: The host of the environment.
    ///   - hidesSecrets: True to replace secrets that the collection has in clear text with values.
    func address(host: String, hidesSecrets: Bool) -> ExportText {
        let (target, host) = (self.target, RequestTarget.host(host))
        // With a mark behind it, a sign is another character, but no other part of a URL.
        let text = target.text.unicodeScalars.prefix { $0 != "#" }
        let path = text.prefix { $0 != "?" }
        let written = path.count < text.count ? String(text.dropFirst(path.count + 1)) : nil
        var items = written.map { hidesSecrets ? Self.items(of: $0) : [Self.written($0)] } ?? []
        items += query.filter(\.enabled).map { field in
            if field.isRaw {
                return Self.raw(field, secret: hidesSecrets ? field.secretName : nil, hidesSecrets: hidesSecrets)
            }
            let value = (hidesSecrets ? field.exported : ExportText(field.value)).encoded(.parameter)
            return [ExportText(field.name).encoded(.parameter), value].joined(separator: "=")
        }
        let filled = filledPath(String(path), isURL: target.isURL, hidesSecrets: hidesSecrets)
        let start = filled.templates
        let whole = host.hasSuffix("/") ? String(host.dropLast()) : host
        let (user, rest) = hidesSecrets ? Self.splitUser(in: whole) : (ExportText(), whole)
        let server = target.isURL || start.hasPrefix("{{") ? ExportText() : user + ExportText(rest)
        let slash = server.isEmpty || start.isEmpty || start.hasPrefix("/") ? "" : "/"
        let address = server + slash + filled
        return items.isEmpty ? address : [address, items.joined(separator: "&")].joined(separator: "?")
    }

    private func filledPath(_ path: String, isURL: Bool, hidesSecrets: Bool) -> ExportText {
        let parameters = Dictionary(
            pathParameters.filter(\.enabled).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        // A template in front may hold a whole URL.
        let values: ExportEncoding = path.hasPrefix("{{") || path.contains("://") ? .none : .path
        let isPlain = isURL && !path[..<Origin.pathStart(of: path)].contains("{{")
        let url = isPlain ? HostName.ascii(in: path) : path
        let (start, rest) = isURL && hidesSecrets ? Self.splitUser(in: url) : (ExportText(), url)
        // Those up to the one that begins the path of a URL.
        var slashes = !isURL ? 0 : start.isEmpty ? 3 : 1
        var filled = start
        for part in PathPattern(rest).parts {
            switch part {
            case .text(let text):
                let plain = hidesSecrets ? ExportText(text, named: "path", .field) : ExportText(text)
                filled = filled + plain.encodedPath(after: &slashes, values: values)
            case .parameter(let name):
                let value = parameters[name].map { text in
                    (hidesSecrets ? ExportText(text, named: name, .field) : ExportText(text)).encoded(.segment)
                }
                filled = filled + (value ?? ExportText(plain: ":" + name))
            }
        }
        return filled
    }

    /// Returns the start of a URL with a value for its user name and password, and the rest of it.
    private static func splitUser(in url: String) -> (start: ExportText, rest: String) {
        guard let scheme = url.firstRange(of: "://") else { return (ExportText(), url) }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return (ExportText(), url) }
        let user = ExportText(String(authority[..<at]), secret: "userinfo")
        return (ExportText(plain: String(url[..<scheme.upperBound])) + user, String(url[at...]))
    }

    /// Returns the parts of a query that is written in the path.
    private static func items(of query: String) -> [ExportText] {
        query.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let field = Field(String(name), String(item.dropFirst(name.count + 1)))
            let value = field.exported
            guard item.count > name.count, value.holdsSecret else { return written(String(item)) }
            return written(field.name + "=") + value.encoded(.writtenQuery)
        }
    }

    private static func raw(_ field: Field, secret: String?, hidesSecrets: Bool) -> ExportText {
        // Its value may have further parameters.
        if hidesSecrets, field.value.contains("&"), !field.value.contains("{{") {
            return items(of: field.rawText).joined(separator: "&")
        }
        guard let secret, !field.value.isEmpty else { return written(field.rawText) }
        let value = ExportText(field.value, secret: secret).encoded(.writtenQuery, values: .parameter)
        return written(field.name) + "=" + value
    }

    private static func written(_ text: String) -> ExportText {
        ExportText(text).encoded(.writtenQuery, values: .parameter)
    }
}

extension SavedExample {
    /// The same with its secrets masked.
    fileprivate var masked: SavedExample {
        var masked = self
        masked.body = SecretDetector.masked(body: body)
        for index in headers.indices {
            masked.headers[index].value = SecretDetector.masked(headers[index].value, named: headers[index].name)
        }
        return masked
    }
}

extension Field {
    /// The name for a value of the field that must not be in an export; nil if it may.
    var secretName: String? { RequestHeaders.Key(name).isSensitive ? name : nil }

    /// The value, with values for the secrets in it.
    var exported: ExportText {
        let whole = ExportText(value, secret: secretName)
        return whole.holdsSecret ? whole : ExportText(value, named: name, .field)
    }
}
