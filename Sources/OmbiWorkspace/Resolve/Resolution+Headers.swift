/// The headers and the credentials of a request, its own and inherited ones.
extension Resolution {
    struct Headers {
        /// All headers except the environment's.
        var headers = RequestHeaders()
        /// The headers of the environment.
        var additional = RequestHeaders()
        var credentials: PreparedCredentials?
        var credentialsSource: Provenance?
        /// The levels of the inherited headers.
        var sources: [RequestHeaders.Key: Provenance] = [:]

        /// Adds an API key in a cookie after the other cookies, replacing one of its name: all are one header.
        mutating func joinKey() {
            guard case .plain(.apiKey(let name, let value, .cookie)) = credentials else { return }
            let isAdditional = headers[.cookie] == nil && additional[.cookie] != nil
            let written = (isAdditional ? additional : headers).values(for: .cookie)
            let others = written.flatMap { $0.text.split(separator: ";") }.map { $0.drop { $0 == " " } }
                .filter { !$0.hasPrefix(name + "=") }.map(String.init)
            let all = RequestHeaders.Value.secret((others + [name + "=" + value]).joined(separator: "; "))
            if isAdditional { additional[.cookie] = all } else { headers[.cookie] = all }
            if written.isEmpty, let credentialsSource, credentialsSource != .request {
                sources[.cookie] = credentialsSource
            }
        }
    }

    /// - Parameter body: The body that the headers describe.
    mutating func headers(
        _ inheritance: Inheritance, isForeign: Bool, of body: PreparedBody?
    ) throws(ResolveError) -> Headers {
        var result = Headers()
        var precedence = HeaderPrecedence()
        for level in [request.level] + inheritance.levels(isForeign: isForeign) {
            try add(level, to: &result, &precedence)
            guard level.source == .request, let body, let contentType = body.encoded.contentType else { continue }
            if let compression = body.compression {
                _ = precedence.takes(.contentEncoding)
                result.headers[.contentEncoding] = .string(compression.rawValue)
            }
            if precedence.takes(.contentType) {
                result.headers[.contentType] = contentType
            } else {
                result.headers.addBoundary(of: contentType)
            }
        }
        result.joinKey()
        return result
    }

    /// Adds a header, unless an explicit one takes precedence over authentication and body.
    private mutating func add(
        _ level: Inheritance.Level, to result: inout Headers, _ precedence: inout HeaderPrecedence
    ) throws(ResolveError) {
        let place = level.source.place
        let fields = precedence.take(try names(of: level.settings.headers, place))
        let sourcesOfNames = scope.takeSources()
        for field in fields {
            let key = RequestHeaders.Key(field.name)
            let part = "header \"\(field.name)\"" + place
            literals.add(field.value, named: field.name)
            let value = RequestHeaders.Value(try fill(field.value, part))
            try check(value, part)
            var made = scope.takeSources().union(sourcesOfNames)
            if field.isLocal { made.insert(.local(field.name, isSecret: false)) }
            if let document, level.source == .request, request.operation?.documents(header: field.name) ?? false {
                made.insert(document)
            }
            sources.add(made, to: key)
            if case .environment = level.source {
                result.additional.append(value, forKey: key)
            } else {
                result.headers.append(value, forKey: key)
            }
            if level.source != .request { result.sources[key] = level.source }
        }
        guard let saved = precedence.decide(level.settings.authentication),
            let prepared = try credentials(saved, place)
        else { return }
        let key = prepared.headerKey
        guard precedence.takes(key) else {
            _ = scope.takeSources()
            return
        }
        let complete = try completed(prepared, place)
        take(sourcesOf: complete, isLocal: level.settings.isAuthenticationLocal)
        (result.credentials, result.credentialsSource) = (complete, level.source)
        // An authenticator adds the others while the request is sent.
        guard case .plain(let plain) = complete, let key else { return }
        result.headers[key] = plain.headerValue
        if level.source != .request { result.sources[key] = level.source }
    }

    private mutating func names(of fields: [Field], _ place: String) throws(ResolveError) -> [Field] {
        var result: [Field] = []
        for field in fields where field.enabled {
            let name = try fill(field.name, "header \"\(field.name)\"" + place)
            guard HeaderCheck.isToken(name) else { throw error("header \"\(name)\"" + place, HeaderCheck.nameForm) }
            var filled = Field(name, field.value)
            filled.isLocal = field.isLocal
            result.append(filled)
        }
        return result
    }

    private mutating func credentials(
        _ authentication: SavedAuthentication, _ place: String
    ) throws(ResolveError) -> PreparedCredentials? {
        guard let saved = authentication.credentials else { return nil }
        let name = "authentication \(type(of: saved).kind.rawValue)" + place
        for field in authentication.kind.descriptors where field.isSecret {
            literals.add(field.read(authentication), named: "password")
        }
        var prepared = try saved.prepare { text, field throws(ResolveError) in try fill(text, field + place) }
        switch prepared {
        case .plain(let credentials): try check(credentials, name)
        case .connection(.ntlm(let username, let password)):
            for text in [username, password] { try check(RequestHeaders.Value(text), name) }
        case .digest, .aws, .connection, .netrc: break
        case .oauth2(var oauth2):
            try complete(&oauth2, place)
            if case .oauth2(let written) = authentication, written.grant == .authorizationCode {
                try addSources(ofPage: written, place)
            }
            prepared = .oauth2(oauth2)
        }
        return prepared
    }

    /// Takes the sources of credentials for the part that carries them.
    private mutating func take(sourcesOf credentials: PreparedCredentials, isLocal: Bool) {
        var made = scope.takeSources()
        if isLocal { made.insert(.local("authentication", isSecret: false)) }
        switch credentials {
        case .plain(let plain):
            if let key = plain.headerKey { sources.add(made, to: key) } else { sources.url.formUnion(made) }
        case .digest, .aws, .oauth2, .connection, .netrc: sources.credentials = made
        }
    }

    mutating func check(_ credentials: RequestAuthentication, _ name: String) throws(ResolveError) {
        do throws(MalformedRequest) { try credentials.check() } catch { throw self.error(name, error.reason) }
        try check(credentials.headerValue, name)
        if case .basic = credentials, let encoded = credentials.headerValue?.text.split(separator: " ").last {
            encodedCredentials.append(String(encoded))
        }
    }

    /// A path of the authorization server is one on the host of the environment.
    private mutating func complete(_ oauth2: inout PreparedCredentials.OAuth2, _ place: String) throws(ResolveError) {
        let field = "authentication token URL" + place
        if oauth2.tokenPath.isEmpty, oauth2.server.isEmpty { throw error(field, "it is empty") }
        if oauth2.server.isEmpty { oauth2.server = try environmentHost() }
        oauth2.server = try checked(RequestTarget(oauth2.server), field)
        guard Origin(oauth2.server) != nil, !Origin.isWebSocket(oauth2.server) else {
            throw error(field, HostText.noURL(oauth2.server))
        }
        try completePage(&oauth2, place)
        guard let device = oauth2.devicePath else { return }
        let deviceField = "authentication device URL" + place
        if device.isEmpty { throw error(deviceField, "it is empty") }
        let target = RequestTarget(device)
        _ = try checked(target, deviceField)
        if target.isURL { throw error(deviceField, "it is not on the host of the token URL") }
    }

    /// Notes the sources of what the URL of the page to sign in has, however its parts are encoded there.
    private mutating func addSources(ofPage written: OAuth2Authentication, _ place: String) throws(ResolveError) {
        var filling = self
        filling.scope.sources = []
        for text in written.textsOfPage { _ = try filling.fill(text, "authentication authorization URL" + place) }
        sources.page.formUnion(filling.scope.sources)
    }

    /// A path of the page to sign in is one on the host of the environment, too; a browser needs a whole URL.
    private mutating func completePage(
        _ oauth2: inout PreparedCredentials.OAuth2, _ place: String
    ) throws(ResolveError) {
        guard let page = oauth2.authorizationURL else { return }
        let field = "authentication authorization URL" + place
        if page.isEmpty { throw error(field, "it is empty") }
        let target = RequestTarget(page)
        let text = try checked(target, field)
        let credentials = scope.takeSources()
        let whole = target.isURL ? text : try environmentHost() + (text.hasPrefix("/") ? text : "/" + text)
        sources.page = scope.sources
        scope.sources.formUnion(credentials)
        let start = Origin.pathStart(of: whole)
        guard Origin(String(whole[..<start])) != nil, !Origin.isWebSocket(whole) else {
            throw error(field, HostText.noURL(whole))
        }
        oauth2.authorizationURL = whole
        let address = oauth2.redirectURI
        let isBroken = address.isEmpty ? false : !address.contains(":") || address.contains("#")
        if isBroken {
            throw error("authentication redirect URI" + place, "it is no address that a browser comes back to")
        }
    }
}

extension RequestHeaders {
    /// Sets the boundary of the form in an explicit `multipart/…`, which cannot be read without it.
    fileprivate mutating func addBoundary(of contentType: RequestHeaders.Value) {
        guard let own = self[.contentType]?.text, let boundary = contentType.text.firstRange(of: "; boundary="),
            own.lowercased().hasPrefix("multipart/")
        else { return }
        let others = FieldText.parts(ofHeader: own).filter {
            !$0.trimmed.isEmpty && !$0.trimmed.lowercased().hasPrefix("boundary=")
        }
        self[.contentType] = .string(others.joined(separator: ";") + contentType.text[boundary.lowerBound...])
    }
}

extension Provenance {
    /// ` of the folder users`, after the name of a part in an error; empty for the request itself.
    var place: String {
        switch self {
        case .request, .row, .commandLine, .captured, .ombi: ""
        case .collection: " of the collection"
        case .folder(let name, _): " of the folder \(name)"
        case .environment(let name): " of the environment \(name)"
        }
    }
}
