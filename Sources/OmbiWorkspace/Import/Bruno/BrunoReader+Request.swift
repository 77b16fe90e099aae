/// The URLs of requests, their parameters and their queries.
extension BrunoReader {
    mutating func setAddress(_ source: BrunoRequest, of request: inout SavedRequest) {
        let offset = source.urlOffset
        let (written, writtenQuery, hasFragment) = ForeignText.split(ForeignText.line(source.url).trimmed)
        var query = writtenQuery
        if hasFragment { log.remark(offset, "#", "the fragment of a URL is not sent") }
        var sent = source.query.filter { $0.isEnabled && !$0.name.isEmpty }
        if let rows = Self.rows(sent, writtenIn: writtenQuery ?? "") {
            sent = rows
        } else if !source.query.isEmpty {
            // The list is what counts where the URL has other rows.
            query = sent.map { Self.part($0.name) + "=" + Self.part($0.value) }.joined(separator: "&")
        }
        var names = ForeignParameters()
        let isEncoded = source.settings["encodeUrl"] == "true"
        let base = parameters(in: written, source.pathParameters, isEncoded: isEncoded, &names, at: offset)
        var url = renamed(base, at: offset)
        let text = renamed(query ?? "", at: offset)
        let rows = isEncoded ? encodedRows(sent, or: text) : Self.rows(writtenAs: text)
        if !isEncoded { log.noteEscapes(inQuery: text, at: offset) }
        if rows == nil { url += "?" + text }
        request.setAddress(url, hasParameters: true, &log, at: offset)
        request.query += rows ?? []
        describeQuery(sent, of: &request)
        for row in source.query where !row.isEnabled && !row.name.isEmpty {
            let (name, value) = (template(row.name, at: row.offset), template(row.value, at: row.offset))
            request.query.append(Field(name, value, enabled: false).described(row.description))
        }
        setParameters(names, source.pathParameters, of: &request, at: offset)
    }

    /// Returns the rows with the values that the URL has, which Bruno sends; nil for a URL with other rows.
    private static func rows(_ list: [BrunoRow], writtenIn query: String) -> [BrunoRow]? {
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        guard items.count == list.count else { return nil }
        var rows = list
        for (index, item) in items.enumerated() {
            let name = item.prefix { $0 != "=" }
            guard name == ForeignText.line(list[index].name) else { return nil }
            rows[index].value = String(item[name.endIndex...].dropFirst())
        }
        return rows
    }

    /// Returns rows that are sent as the query is written; nil for a parameter without a name.
    private static func rows(writtenAs query: String) -> [Field]? {
        guard !query.isEmpty else { return [] }
        return Field.rows(writtenAs: query)?.map(\.escapedForeign)
    }

    /// Returns rows of which all but letters and digits is encoded, `%` too; nil for a parameter without a name.
    private mutating func encodedRows(_ rows: [BrunoRow], or query: String) -> [Field]? {
        guard rows.isEmpty else {
            return rows.map { row in
                Field(
                    template(ForeignText.line(row.name), at: row.offset),
                    template(ForeignText.line(row.value), at: row.offset))
            }
        }
        var fields: [Field] = []
        for item in query.split(separator: "&") {
            let name = item.prefix { $0 != "=" }
            guard !name.isEmpty else { return nil }
            fields.append(Field(String(name), String(item[name.endIndex...].dropFirst())).escapedForeign)
        }
        return fields
    }

    /// Describes the rows that are sent, unless the query is in the path.
    private mutating func describeQuery(_ rows: [BrunoRow], of request: inout SavedRequest) {
        guard rows.count == request.query.count else {
            for row in rows { noteDescription(of: row) }
            return
        }
        request.query = zip(request.query, rows).map { $0.described($1.description) }
    }

    /// A name or a value that ends neither itself nor the query.
    private static func part(_ text: String) -> String {
        ForeignText.line(text).replacing("#", with: "%23").replacing("&", with: "%26")
    }

    // MARK: Path parameters

    /// Returns a path whose parameters have names of letters, digits and underscores. One amid a segment, as OData has
    /// it, gets its value, as does one with a mark of URLs, which Bruno does not encode.
    private mutating func parameters(
        in base: String, _ rows: [BrunoRow], isEncoded: Bool, _ names: inout ForeignParameters, at offset: Int
    ) -> String {
        guard base.contains(":") else { return base }
        let start = base.firstRange(of: "://")?.upperBound ?? base.startIndex
        var segments = base[start...].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for index in segments.indices.dropFirst() where segments[index].contains(":") {
            let segment = segments[index]
            if segment.hasPrefix(":") {
                let old = String(segment.dropFirst())
                guard !old.isEmpty, !old.contains("{{") else { continue }
                let value = rows.first { $0.name == old && $0.isEnabled }?.value ?? ""
                let marks = isEncoded ? "/?%" : "/?%#"
                if TemplateText.plainParts(of: value).contains(where: { $0.contains { marks.contains($0) } }) {
                    segments[index] = ForeignText.line(value)
                    continue
                }
                segments[index] = ":" + names.name(for: old, &log, at: offset)
            } else if let open = segment.firstIndex(of: "(") {
                segments[index] = String(segment[..<open]) + filled(segment[open...], rows, at: offset)
            }
        }
        return String(base[..<start]) + segments.joined(separator: "/")
    }

    /// Fills in `(:id)` and `(':id')`.
    private mutating func filled(_ text: Substring, _ rows: [BrunoRow], at offset: Int) -> String {
        var result = String(text)
        // The longest first: a name may begin as another does.
        for row in rows.sorted(by: { $0.name.utf8.count > $1.name.utf8.count }) where !row.name.isEmpty {
            for (start, end) in [("('", "')"), ("(", ")")] {
                let mark = start + ":" + row.name + end
                // A value may have the names of others in it.
                guard result.contains(mark), result.utf8.count + row.value.utf8.count <= 4096 else { continue }
                result = result.replacing(mark, with: start + row.value + end)
                log.remark(offset, ":\(row.name)".excerpted, "its value is written into the path")
            }
        }
        return result
    }

    private mutating func setParameters(
        _ names: ForeignParameters, _ rows: [BrunoRow], of request: inout SavedRequest, at offset: Int
    ) {
        var values: [String: Field] = [:]
        for row in rows where values[row.name] == nil {
            values[row.name] = Field("", template(row.value, at: row.offset)).described(row.description)
        }
        request.setPathParameters(&log, at: offset) { values[names.written($0)] }
    }
}

/// The bodies of requests.
extension BrunoReader {
    mutating func setBody(_ body: BrunoBody, of request: inout SavedRequest) {
        defer { request.dropContentType() }
        let rows = body.rows[body.mode] ?? []
        switch body.mode {
        case "none": break
        case "json", "text", "xml", "sparql": setText(body, of: &request)
        case "graphql": request.body = .graphql(graphQL(body))
        case "form-urlencoded": request.body = .form(FormContent(fields(rows)))
        case "multipart-form": request.body = .multipart(MultipartContent(rows.flatMap { parts($0) }))
        case "file": setFile(rows, of: &request, at: body.modeOffset)
        default:
            log.loss(body.modeOffset, body.mode.excerpted, "an unknown kind of body is left out")
        }
    }

    // MARK: Texts

    private mutating func setText(_ body: BrunoBody, of request: inout SavedRequest) {
        guard let text = body.texts[body.mode], !text.text.isEmpty else { return }
        let type = request.sentContentType ?? Self.types[body.mode]
        var named = renamed(text.text, at: text.offset)
        // Bruno sends no comments.
        if body.mode == "json" { named = log.withoutComments(named, at: text.offset) }
        request.body = ForeignBody().body(named, type)
        if body.mode == "json", case .text? = request.body {
            log.remark(text.offset, "body", "kept as text, as it is no JSON yet")
        }
    }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "text": "text/plain",
        "sparql": "application/sparql-query",
    ]

    private mutating func graphQL(_ body: BrunoBody) -> GraphQLContent {
        let query = body.texts["graphql"]
        var content = GraphQLContent(template(query?.text ?? "", at: query?.offset ?? body.modeOffset))
        guard let variables = body.texts["graphql:vars"] else { return content }
        let text = renamed(variables.text, at: variables.offset)
        content.variables = log.graphQLVariables(text, at: variables.offset)
        return content
    }

    // MARK: Parts and files

    /// The parts for a row: one for each of its files.
    private mutating func parts(_ row: BrunoRow) -> [MultipartPart] {
        let name = template(row.name, at: row.offset)
        guard !name.isEmpty else { return [] }
        let type = contentType(of: row)
        let value = row.files == nil ? template(row.value, at: row.offset) : ""
        let part = MultipartPart(name, .text(value), contentType: type, enabled: row.isEnabled)
            .described(row.description)
        if row.files?.isEmpty == false { log.notePath(at: row.offset) }
        let files = row.files?.map { template($0, at: row.offset) }
        return log.parts(part, files: files, at: row.offset)
    }

    /// Of several files, the one that is selected is sent.
    private mutating func setFile(_ rows: [BrunoRow], of request: inout SavedRequest, at offset: Int) {
        for row in rows { noteDescription(of: row) }
        guard let row = rows.first(where: \.isEnabled), let file = row.files?.first else {
            return log.noteMissingFile(at: rows.first?.offset ?? offset)
        }
        if rows.count > 1 { log.loss(row.offset, "body:file", "the files that are not selected are left out") }
        log.notePath(at: row.offset)
        request.body = .file(FileContent(template(file, at: row.offset), contentType: contentType(of: row)))
    }

    /// Nil for none, and for a text that is none.
    private mutating func contentType(of row: BrunoRow) -> String? {
        guard let written = row.contentType, !written.isEmpty else { return nil }
        let type = template(written, at: row.offset)
        return log.passes(type, Field.checkContentType, type.excerpted, at: row.offset) ? type : nil
    }
}

/// The credentials of collections, folders and requests.
extension BrunoReader {
    /// Returns the credentials; nil for those that are inherited.
    mutating func authentication(_ source: BrunoCredentials) -> SavedAuthentication? {
        if source.mode == "inherit" { return nil }
        let credentials = credentials(source)
        log.noteEmptyParts(of: credentials, source.mode, at: source.offset)
        return credentials
    }

    private mutating func credentials(_ source: BrunoCredentials) -> SavedAuthentication {
        if let known = SavedAuthentication(foreign: source.mode, { text(source, $0) }) { return known }
        switch source.mode {
        case "none", "": return .noAuthentication
        case "apikey":
            let isInQuery = source.value(["placement"]).lowercased().hasPrefix("query")
            return log.apiKey(
                text(source, "key"), text(source, "value"), isInQuery: isInQuery, at: source.offset)
        case "awsv4":
            return .aws(
                AWSAuthentication(
                    accessKeyID: text(source, "accessKeyId"), secretAccessKey: text(source, "secretAccessKey"),
                    sessionToken: text(source, "sessionToken"), region: text(source, "region"),
                    service: text(source, "service"), profile: text(source, "profileName")))
        case "oauth2": return oauth2(source)
        default:
            return log.unknownAuthentication(source.mode, at: source.offset)
        }
    }

    private mutating func text(_ source: BrunoCredentials, _ names: String...) -> String {
        template(ForeignText.line(source.value(names)), at: source.offset)
    }

    private mutating func oauth2(_ source: BrunoCredentials) -> SavedAuthentication {
        let tokenURL = text(source, "access_token_url", "accessTokenUrl", "accessTokenURL")
        var oauth2 = OAuth2Authentication(tokenURL: tokenURL, clientID: text(source, "client_id", "clientId"))
        let grant = source.value(["grant_type", "grantType", "flow"])
        if tokenURL.isEmpty {
            log.loss(source.offset, "oauth2", "the URL that issues tokens is not in the file; the request has none")
            return .noAuthentication
        }
        switch grant {
        case "client_credentials": oauth2.grant = .clientCredentials
        case "password", "resource_owner_password", "resource_owner_password_credentials":
            oauth2.grant = .password
            (oauth2.username, oauth2.password) = (text(source, "username"), text(source, "password"))
        default:
            oauth2.grant = .authorizationCode
            oauth2.authorizationURL = text(source, "authorization_url", "authorizationUrl", "authorizationURL")
            oauth2.redirectURI = text(source, "callback_url", "callbackUrl", "callbackURL")
            if grant == "implicit" {
                log.loss(source.offset, grant, "this grant is not known; an authorization code stands in for it")
            }
        }
        oauth2.clientSecret = text(source, "client_secret", "clientSecret")
        oauth2.scope = text(source, "scope")
        let places = ["credentials_placement", "credentialsPlacement", "credentials.placement"]
        oauth2.sendsSecretInBody = source.value(places) == "body"
        oauth2.parameters = fields(source.parameters)
        noteLosses(of: source)
        return .oauth2(oauth2)
    }

    /// Notes what is said of the token, which is sent in the header as RFC 6750 has it.
    private mutating func noteLosses(of source: BrunoCredentials) {
        let place = source.value(["token_placement", "tokenPlacement"])
        if !place.isEmpty, place != "header" {
            log.loss(source.offset, "token_placement", "the token is sent in the header, not in the query")
        }
        let prefix = source.value(["token_header_prefix", "tokenHeaderPrefix"])
        if !prefix.isEmpty, prefix.lowercased() != "bearer" {
            log.loss(source.offset, "token_header_prefix", "the token is sent as Bearer")
        }
        if source.value(["token_source", "tokenSource"]) == "id_token" {
            log.loss(source.offset, "token_source", "the access token is sent, not the one of the identity")
        }
        let refreshURL = source.value(["refresh_token_url", "refreshTokenUrl"])
        if !refreshURL.isEmpty, refreshURL != source.value(["access_token_url", "accessTokenUrl", "accessTokenURL"]) {
            log.loss(source.offset, "refresh_token_url", "tokens are refreshed at the URL that issues them")
        }
        if source.values.keys.contains(where: { $0.hasPrefix("parameter:") }) {
            log.loss(source.offset, "additional parameters", "left out: write them into \"parameters\" of the grant")
        }
    }
}
