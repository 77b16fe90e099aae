/// The credentials and the connections of collections, folders and requests.
extension PostmanReader {
    /// Returns the credentials; nil for those that are inherited.
    mutating func authentication(_ value: ForeignValue?) -> SavedAuthentication? {
        guard let value, let type = value["type"]?.string, !type.isEmpty else { return nil }
        let credentials = credentials(type, value)
        log.noteEmptyParts(of: credentials, type, at: value.offset)
        return credentials
    }

    private mutating func credentials(_ type: String, _ value: ForeignValue) -> SavedAuthentication {
        let parts = attributes(value[type])
        if let known = SavedAuthentication(foreign: type, { parts[$0] }) { return known }
        switch type {
        case "noauth": return .noAuthentication
        case "apikey":
            return log.apiKey(parts["key"], parts["value"], isInQuery: parts["in"] == "query", at: value.offset)
        case "awsv4":
            if parts["addAuthDataToQuery"] == "true" {
                log.loss(value.offset, "addAuthDataToQuery", "the signature is sent in headers, not in the query")
            }
            return .aws(
                AWSAuthentication(
                    accessKeyID: parts["accessKey"], secretAccessKey: parts["secretKey"],
                    sessionToken: parts["sessionToken"],
                    // The values that Postman takes for none.
                    region: parts["region"].isEmpty ? "us-east-1" : parts["region"],
                    service: parts["service"].isEmpty ? "execute-api" : parts["service"]))
        case "oauth2": return oauth2(parts, value[type], at: value.offset)
        default:
            return log.unknownAuthentication(type, at: value.offset)
        }
    }

    private struct Attributes {
        var values: [String: String] = [:]

        /// Empty for none.
        subscript(key: String) -> String { values[key] ?? "" }
    }

    /// Reads an object, as 2.0 has it, or a list of keys and values.
    private mutating func attributes(_ value: ForeignValue?) -> Attributes {
        var attributes = Attributes()
        guard let value else { return attributes }
        for row in value.elements {
            guard let key = row["key"]?.text else { continue }
            attributes.values[key] = template(row["value"]?.text ?? "", at: row.offset)
        }
        for (key, part) in value.members { attributes.values[key] = template(part.text, at: value.offset) }
        return attributes
    }

    /// The further parameters of the requests for a token.
    private mutating func parameters(_ attributes: ForeignValue?) -> [Field] {
        var fields: [Field] = []
        for name in ["tokenRequestParams", "authRequestParams"] {
            let list = attributes?[name] ?? attributes?.elements.first { $0["key"]?.text == name }?["value"]
            for row in list?.elements ?? [] where row["enabled"]?.bool != false {
                let key = template(row["key"]?.text ?? "", at: row.offset)
                guard !key.isEmpty else { continue }
                guard row["send_as"]?.string != "request_header" else {
                    log.loss(row.offset, name, "a header of the request for a token is left out")
                    continue
                }
                guard !fields.contains(where: { $0.name == key }) else { continue }
                fields.append(Field(key, template(row["value"]?.text ?? "", at: row.offset)))
            }
        }
        return fields
    }

    /// The credentials for a token that no URL issues.
    private mutating func authentication(
        withToken token: String, _ parts: Attributes, at offset: Int
    ) -> SavedAuthentication {
        guard !token.isEmpty else {
            log.loss(offset, "oauth2", "neither a token nor the URL that issues one is in the file")
            return .noAuthentication
        }
        if parts["addTokenTo"] == "queryParams" {
            return .apiKey(APIKeyAuthentication(name: "access_token", value: token, location: .query))
        }
        let prefix = parts["headerPrefix"].trimmed
        guard ["", "bearer"].contains(prefix.lowercased()) else {
            return .apiKey(APIKeyAuthentication(name: "Authorization", value: "\(prefix) \(token)"))
        }
        return .bearer(BearerAuthentication(token: token))
    }

    private mutating func oauth2(
        _ parts: Attributes, _ attributes: ForeignValue?, at offset: Int
    ) -> SavedAuthentication {
        let token = parts["accessToken"]
        guard !parts["accessTokenUrl"].isEmpty else { return authentication(withToken: token, parts, at: offset) }
        if !["", "bearer"].contains(parts["headerPrefix"].trimmed.lowercased()) {
            log.loss(offset, "headerPrefix", "the token is sent behind Bearer")
        }
        var oauth2 = OAuth2Authentication(tokenURL: parts["accessTokenUrl"], clientID: parts["clientId"])
        let grant = parts["grant_type"]
        switch grant {
        case "client_credentials": oauth2.grant = .clientCredentials
        case "password", "password_credentials": oauth2.grant = .password
        default:
            oauth2.grant = .authorizationCode
            if grant == "implicit" {
                log.loss(offset, grant, "this grant is not known; an authorization code stands in for it")
            }
        }
        oauth2.clientSecret = parts["clientSecret"]
        oauth2.scope = parts["scope"]
        oauth2.sendsSecretInBody = parts["client_authentication"] == "body"
        if oauth2.grant == .password { (oauth2.username, oauth2.password) = (parts["username"], parts["password"]) }
        if oauth2.grant == .authorizationCode {
            oauth2.authorizationURL = parts["authUrl"]
            let redirect = parts["redirect_uri"]
            if redirect.contains("oauth.pstmn.io") {
                log.remark(
                    offset, "redirect_uri", "left out: it leads to Postman; the browser comes back to this machine")
            } else {
                oauth2.redirectURI = redirect
            }
        }
        for key in ["audience", "resource"] where !parts[key].isEmpty {
            oauth2.parameters.append(Field(key, parts[key]))
        }
        let known = Set(oauth2.parameters.map(\.name))
        oauth2.parameters += parameters(attributes).filter { !known.contains($0.name) }
        if !token.isEmpty { log.remark(offset, "accessToken", "left out: the token is obtained when it is needed") }
        if parts["addTokenTo"] == "queryParams" {
            log.loss(offset, "addTokenTo", "the token is sent in the header, not in the query")
        }
        return .oauth2(oauth2)
    }

    // MARK: Connection

    /// Reads a `protocolProfileBehavior`.
    mutating func connection(_ value: ForeignValue?) -> SavedConnection? {
        guard let value else { return nil }
        var connection = SavedConnection()
        if let maximum = value["maxRedirects"].flatMap({ Int($0.text) }), (0...1000).contains(maximum) {
            connection.maximumRedirects = maximum
        }
        if value["followRedirects"]?.bool == false { connection.maximumRedirects = 0 }
        switch value["protocolVersion"]?.string {
        case "http1"?: connection.httpVersion = .http1
        case "http2"?: connection.httpVersion = .http2
        default: break
        }
        if value["strictSSL"]?.bool == false { log.noteUnchecked("strictSSL", at: value.offset) }
        let others = [
            "disableCookies", "followOriginalHttpMethod", "followAuthorizationHeader", "insecureHTTPParser",
            "tlsDisabledProtocols", "tlsCipherSelection",
        ]
        for key in others where value[key]?.bool == true || !(value[key]?.elements.isEmpty ?? true) {
            log.loss(value.offset, key, "has no counterpart")
        }
        return connection == SavedConnection() ? nil : connection
    }

    /// Takes the proxy and the client certificate of a request.
    mutating func addCertificate(of value: ForeignValue, to request: inout SavedRequest) {
        var connection = request.connection ?? SavedConnection()
        if let proxy = value["proxy"], proxy["disabled"]?.bool != true, let host = proxy["host"]?.text, !host.isEmpty {
            let port = proxy["port"].map { ":" + $0.text } ?? ""
            let url = template(host.contains("://") ? host + port : "http://" + host + port, at: proxy.offset)
            if log.passes(url, ConnectionText.checkProxy, "proxy", at: proxy.offset) { connection.proxy = url }
        }
        if let certificate = value["certificate"], let file = certificate["cert"]?["src"]?.string, !file.isEmpty {
            var saved = SavedCertificate(file: template(file, at: certificate.offset))
            // A PKCS#12 file has its key in itself.
            if !saved.isPKCS12, let key = certificate["key"]?["src"]?.string, !key.isEmpty {
                saved.key = template(key, at: certificate.offset)
            }
            let password = certificate["passphrase"]?.text ?? ""
            if !password.isEmpty { saved.password = template(password, at: certificate.offset) }
            connection.clientCertificate = saved
        }
        if connection != SavedConnection() { request.connection = connection }
    }
}

extension SavedRequest {
    /// Switches off a header, or a row of the query, that the credentials of Postman take the place of.
    fileprivate mutating func silenceRow(of key: APIKeyAuthentication, _ log: inout ImportLog, at offset: Int) {
        for index in query.indices where query[index].enabled && query[index].name == key.name {
            query[index].enabled = false
            log.remark(offset, key.name.excerpted, "disabled, as the authentication sends this row")
        }
    }

    /// Switches off what is written where the credentials send something. Without a value, they send nothing.
    mutating func silence(besides credentials: SavedAuthentication, _ log: inout ImportLog, at offset: Int) {
        switch credentials {
        case .bearer(let bearer) where bearer.token.isEmpty: return
        case .apiKey(let key) where key.location == .query: silenceRow(of: key, &log, at: offset)
        default: silenceHeader(of: credentials, &log, at: offset)
        }
    }
}
