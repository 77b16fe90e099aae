extension InsomniaReader {
    mutating func request(_ value: ForeignValue) -> SavedRequest {
        var request = SavedRequest(name: "", path: "")
        if let id = (value["_id"] ?? value["meta"]?["id"])?.string { sources[request.id] = id }
        request.method = RequestMethod.imported(
            value["method"]?.text ?? "", &log, at: value["method"]?.offset ?? value.offset)
        request.description = value["description"]?.string ?? ""
        request.headers = headers(value["headers"]).filter { header in
            !(header.name.lowercased() == "user-agent" && header.value.lowercased().hasPrefix("insomnia/"))
        }
        setAddress(value, of: &request)
        request.name = ForeignText.name(value["name"]?.text ?? "", or: "\(request.method.rawValue) \(request.path)")
        request.authentication = authentication(value["authentication"])
        if case .apiKey(let key)? = request.authentication, key.location == .header {
            let isWritten = request.headers.contains { $0.enabled && $0.name.lowercased() == key.name.lowercased() }
            if isWritten {
                log.loss(value.offset, key.name.excerpted, "sent once: the header, not also the authentication")
            }
        }
        if let body = value["body"], body.kind == .object {
            let isLiteral =
                value["settingDisableRenderRequestBody"]?.bool == true
                || value["settingRenderRequestBody"]?.bool == false
            setBody(body, isLiteral: isLiteral, of: &request)
        }
        if value["_type"]?.string == "websocket_request" {
            let messages = (payloads[value["_id"]?.string ?? ""] ?? []).filter { $0["value"]?.text.isEmpty == false }
            request.setWebSocket(
                messages.map { ($0["name"]?.text ?? "", template($0["value"]?.text ?? "", at: $0.offset)) })
        }
        let connection = SavedConnection {
            if value["settingFollowRedirects"]?.string == "off" { $0.maximumRedirects = 0 }
            if value["settingSendCookies"]?.bool == false { $0.cookies = false }
        }
        if connection != SavedConnection() { request.connection = connection }
        setScripts(value, of: &request)
        return request
    }

    private mutating func setAddress(_ value: ForeignValue, of request: inout SavedRequest) {
        let offset = value["url"]?.offset ?? value.offset
        let url = renamed(ForeignText.line(value["url"]?.text ?? "").trimmed, at: offset)
        let isRaw = value["settingEncodeUrl"]?.bool == false
        let base = ForeignText.split(url).base
        var names = ForeignParameters()
        let rest = String(decoding: url.utf8.dropFirst(base.utf8.count), as: UTF8.self)
        let named = names.renamed(in: base, end: ":", &log, at: offset) + rest
        request.setAddress(named, hasParameters: true, isRaw: isRaw, &log, at: offset)
        request.query += rows(value["parameters"]).map { isRaw ? Self.raw($0) : Self.keepingEscapes($0) }
        let values = rows(value["pathParameters"])
        request.setPathParameters(&log, at: offset) { name in values.first { $0.name == names.written(name) } }
    }

    /// A row that is sent as it is written, also without a value.
    private static func raw(_ row: Field) -> Field {
        var row = row
        row.isRaw = true
        if row.value.isEmpty { row.name += "=" }
        return row
    }

    /// A row whose escapes are sent as they are, such as `%20`.
    private static func keepingEscapes(_ row: Field) -> Field {
        guard (row.name + row.value).contains("%") else { return row }
        let texts = [row.name, row.value].map { text in
            TemplateText.mapping(text) { plain in
                plain.replacing("+", with: "%2B").replacing("&", with: "%26").replacing("=", with: "%3D")
            }
        }
        guard let sent = Field.rows(writtenAs: texts.joined(separator: "="))?.first else { return row }
        var row = row
        (row.name, row.value, row.isRaw) = (sent.name, sent.value, sent.isRaw)
        return row
    }

    /// The rows of a list that headers can be.
    mutating func headers(_ list: ForeignValue?) -> [Field] {
        var headers: [Field] = []
        for var field in rows(list) where log.isHeader(field.name, at: list?.offset ?? 0) {
            field.value = ForeignText.line(field.value)
            headers.append(field)
        }
        return headers
    }

    /// The rows of a list; those without a name are none.
    mutating func rows(_ list: ForeignValue?) -> [Field] {
        (list?.elements ?? []).compactMap { row in
            let name = template(row["name"]?.text.trimmed ?? "", at: row.offset)
            guard !name.isEmpty else { return nil }
            let value = template(row["value"]?.text ?? "", at: row.offset)
            let field = Field(name, value, enabled: !(row["disabled"]?.bool ?? false))
            return field.described(row["description"]?.string ?? "")
        }
    }

    // MARK: Bodies

    /// - Parameter isLiteral: true for a body in which no templates are filled in.
    private mutating func setBody(_ body: ForeignValue, isLiteral: Bool, of request: inout SavedRequest) {
        let type = body["mimeType"]?.string ?? ""
        let text = body["text"]?.text ?? ""
        let offset = body["text"]?.offset ?? body.offset
        let parameters = body["params"]?.elements ?? []
        if isLiteral, text.isEmpty || type == "application/graphql", body.text.contains("{{") {
            log.loss(offset, "body", "its templates are filled in, though Insomnia sends them as they are")
        }
        switch ForeignBody.kind(of: type) {
        case "multipart/form-data":
            request.body = .multipart(MultipartContent(parameters.flatMap { parts($0) }))
        case FormContent.note where !parameters.isEmpty || text.isEmpty:
            request.body = .form(FormContent(rows(body["params"])))
        case "application/graphql":
            request.body = graphQL(text, at: offset)
            request.headers.removeAll { $0.name.lowercased() == "content-type" }
        default:
            if let path = body["fileName"]?.string, !path.isEmpty {
                log.notePath(of: "Insomnia", at: offset)
                request.body = .file(FileContent(template(path, at: offset), contentType: type.isEmpty ? nil : type))
            } else if !text.isEmpty, isLiteral {
                request.body = ForeignBody(isLiteral: true).body(text, type.isEmpty ? nil : type)
            } else if !text.isEmpty {
                request.body = ForeignBody().body(renamed(text, at: offset), type.isEmpty ? nil : type)
            }
        }
        request.dropContentType()
    }

    private mutating func parts(_ row: ForeignValue) -> [MultipartPart] {
        let name = template(row["name"]?.text ?? "", at: row.offset)
        guard !name.isEmpty else {
            if !(row["value"]?.text ?? "").isEmpty { log.loss(row.offset, "body", "a part without a name is left out") }
            return []
        }
        let isFile = row["type"]?.string == "file"
        let type = isFile ? nil : row["multiline"]?.string
        let part = MultipartPart(
            name, .text(isFile ? "" : template(row["value"]?.text ?? "", at: row.offset)),
            contentType: type?.isEmpty ?? true ? nil : type, enabled: !(row["disabled"]?.bool ?? false)
        ).described(row["description"]?.string ?? "")
        guard isFile else { return [part] }
        let path = template(row["fileName"]?.text ?? "", at: row.offset)
        if !path.isEmpty { log.notePath(of: "Insomnia", at: row.offset) }
        return log.parts(part, files: path.isEmpty ? [] : [path], at: row.offset)
    }

    /// The text is JSON with a query and variables, which may be a text of JSON again.
    private mutating func graphQL(_ text: String, at offset: Int) -> SavedBody {
        let named = renamed(text, at: offset)
        guard case .json(let content) = JSONContent.parse(named).body, case .object = content.value else {
            return .graphql(GraphQLContent(TemplateText.escaped(foreign: named)))
        }
        let value = content.value
        var graphQL = GraphQLContent(TemplateText.escaped(foreign: value["query"]?.stringValue ?? ""))
        switch value["variables"] {
        case .object?: graphQL.variables = value["variables"].map { TemplateText.escaped(foreign: $0) }
        case .string(let inner)?:
            graphQL.variables = log.graphQLVariables(inner, at: offset)
        default: break
        }
        if let name = value["operationName"]?.stringValue, !name.isEmpty {
            graphQL.operationName = TemplateText.escaped(foreign: name)
        }
        return .graphql(graphQL)
    }

    // MARK: Scripts

    private mutating func setScripts(_ value: ForeignValue, of request: inout SavedRequest) {
        if let script = value["preRequestScript"]?.string, !script.isEmpty {
            log.loss(value.offset, "preRequestScript", "left out: scripts are not run")
        }
        guard let script = value["afterResponseScript"], let text = script.string, !text.isEmpty else { return }
        // Its functions are those of Postman under another name.
        let reader = PostmanScript(text.replacing("insomnia.", with: "pm."))
        request.take(reader, &log, at: script.offset)
        guard !reader.left.isEmpty else { return }
        let message = "statements are left out: line \(reader.leftLines) of the script"
        log.loss(script.offset, "afterResponseScript", message)
    }

    // MARK: Credentials

    /// Returns the credentials; nil for those that are inherited.
    mutating func authentication(_ value: ForeignValue?) -> SavedAuthentication? {
        guard let value, let type = value["type"]?.string, !type.isEmpty else { return nil }
        if type == "none" || value["disabled"]?.bool == true { return .noAuthentication }
        let credentials = credentials(type, value)
        log.noteEmptyParts(of: credentials, type, at: value.offset)
        return credentials
    }

    private mutating func credentials(_ type: String, _ value: ForeignValue) -> SavedAuthentication {
        switch type {
        case "basic":
            let (user, password) = (text("username", value), text("password", value))
            if value["useISO88591"]?.bool == true, !(user + password).allSatisfy(\.isASCII) {
                log.loss(value.offset, "useISO88591", "the user and the password are sent as UTF-8")
            }
            return .basic(BasicAuthentication(username: user, password: password))
        case "netrc": return .netrc(NetrcAuthentication())
        case "bearer":
            let (prefix, token) = (text("prefix", value), text("token", value))
            guard token.isEmpty || prefix.isEmpty || prefix.lowercased() == "bearer" else {
                return .apiKey(APIKeyAuthentication(name: "Authorization", value: "\(prefix) \(token)"))
            }
            return .bearer(BearerAuthentication(token: token))
        case "apikey":
            let (name, key) = (text("key", value), text("value", value))
            let places: [String: APIKeyAuthentication.Location] = ["queryParams": .query, "cookie": .cookie]
            return .apiKey(
                APIKeyAuthentication(
                    name: name.isEmpty ? "X-API-Key" : name, value: key,
                    location: places[text("addTo", value)] ?? .header))
        case "iam":
            return .aws(
                AWSAuthentication(
                    accessKeyID: text("accessKeyId", value), secretAccessKey: text("secretAccessKey", value),
                    sessionToken: text("sessionToken", value), region: text("region", value),
                    service: text("service", value)))
        case "oauth2": return oauth2(value)
        default:
            return SavedAuthentication(foreign: type) { text($0, value) }
                ?? log.unknownAuthentication(type, at: value.offset)
        }
    }

    private mutating func text(_ key: String, _ value: ForeignValue) -> String {
        template(value[key]?.text ?? "", at: value.offset)
    }

    private mutating func oauth2(_ value: ForeignValue) -> SavedAuthentication {
        guard !text("accessTokenUrl", value).isEmpty else {
            log.loss(value.offset, "oauth2", "the URL that issues a token is not in the file; the request has none")
            return .noAuthentication
        }
        var oauth2 = OAuth2Authentication(tokenURL: text("accessTokenUrl", value), clientID: text("clientId", value))
        switch value["grantType"]?.string {
        case "client_credentials": oauth2.grant = .clientCredentials
        case "password":
            oauth2.grant = .password
            (oauth2.username, oauth2.password) = (text("username", value), text("password", value))
        case let grant:
            oauth2.grant = .authorizationCode
            oauth2.authorizationURL = text("authorizationUrl", value)
            oauth2.redirectURI = text("redirectUrl", value)
            if grant == "implicit" {
                log.loss(value.offset, "implicit", "this grant is not known; an authorization code stands in for it")
            }
        }
        oauth2.clientSecret = text("clientSecret", value)
        oauth2.scope = text("scope", value)
        oauth2.sendsSecretInBody = value["credentialsInBody"]?.text == "true"
        if !["", "bearer"].contains(text("tokenPrefix", value).lowercased()) {
            log.loss(value.offset, "tokenPrefix", "the token is sent behind Bearer")
        }
        for key in ["audience", "resource"] where !(value[key]?.text ?? "").isEmpty {
            oauth2.parameters.append(Field(key, text(key, value)))
        }
        return .oauth2(oauth2)
    }
}

/// The unit tests of Insomnia, each a script that sends a request and judges its response.
enum InsomniaTest {
    private static let sending = " = await insomnia.send()"

    /// Returns what a test expects; nil for one that sends several requests or another one, and for one with a statement
    /// that is not known.
    static func script(of code: String) -> PostmanScript? {
        guard let range = code.firstRange(of: sending) else { return nil }
        let start = code[..<range.lowerBound].trimmed
        let words = start.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "const" || words[0] == "let" || words[0] == "var" else { return nil }
        let response = String(words[1])
        // Its parts are those of Postman under other names.
        let text = String(code[range.upperBound...].drop { $0 == ";" })
            .replacing("JSON.parse(\(response).data)", with: "pm.response.json()")
            .replacing("\(response).status", with: "pm.response.code")
        let rest = ScriptToken.tokens(of: text).filter { $0.kind == .word }.map(\.text)
        guard !rest.contains(response), !rest.contains("insomnia") else { return nil }
        let script = PostmanScript(text)
        return script.left.isEmpty && script.captures.isEmpty && script.expect.count > 0 ? script : nil
    }
}
