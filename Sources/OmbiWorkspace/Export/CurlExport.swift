/// Writes requests as commands of curl.
package enum CurlExport {
    /// A comment of the shell in place of a command that cannot be written.
    static func refusal(of request: SavedRequest) -> String {
        "# \(ShellQuotes.comment(request.name.excerpt(80))) is a WebSocket: curl does not send its messages"
    }

    /// Returns the command of a request as it is saved, with its templates in it.
    /// - Parameters:
    ///   - environment: its host; nil shows the host as `{{host}}`.
    ///   - inheritance: nil for the environment alone.
    package static func shown(
        _ request: SavedRequest, in environment: Environment?, inheriting inheritance: Inheritance? = nil
    ) -> String {
        let inheritance = inheritance ?? Inheritance(environment)
        var line = CurlLine(method: request.method, url: url(of: request, host: environment?.host ?? "{{host}}"))
        let fields = request.sentHeaders.filter(\.enabled) + inheritance.headers(sentWith: request).map(\.value)
        line.headers = fields.map { (plain($0.name), plain($0.value)) }
        let names = Set(line.headers.map { $0.name.lowercased() })
        if request.compression != nil { line.omissions.append(uncompressed) }
        if !names.contains("authorization"),
            let credentials = inheritance.authentication(of: request)?.value.credentials?.exported
        {
            if credentials.hasColonInUser {
                line.omissions.append("the user is left out: curl takes the colon in it for its end")
            } else if case .awsProfile = credentials {
                line.omissions.append("not signed: its keys are in a profile of AWS")
            } else {
                add(credentials, to: &line)
            }
        }
        if let (body, type) = request.body.map({ content(of: $0.form) }) {
            line.body = body
            if let type, !names.contains("content-type") { line.headers.append(("Content-Type", type)) }
        }
        line.policy = (request.policy ?? RequestPolicy()).merging(over: inheritance.policy)
        let connection = inheritance.connections(of: request, isForeign: inheritance.isForeign(request)).merged
        line.connection = connection.curlOptions
        line.followsRedirects = connection.maximumRedirects != 0
        return line.text
    }

    /// curl has no option that compresses a body.
    fileprivate static let uncompressed = "the body is not compressed here"

    /// Returns the command of a request as it was sent, with its secrets masked.
    package static func sent(_ request: PreparedRequest) -> String {
        var line = CurlLine(method: request.method, url: request.url)
        line.headers = request.headers.map { ($0.name, $0.value) }
        line.body = request.body.flatMap { $0.isEmpty ? nil : .text($0) }
        line.verifiesTLS = request.verifiesTLS
        return line.text
    }

    private static func add(_ credentials: ExportedCredentials, to line: inout CurlLine) {
        switch credentials {
        case .token(let token): line.headers.append(("Authorization", "Bearer " + plain(token)))
        case .issuedToken: line.headers.append(("Authorization", "Bearer {{accessToken}}"))
        case .key(let name, let value, .header): line.headers.append((plain(name), plain(value)))
        case .key(let name, let value, .query):
            let item =
                parts(name, escaped: PercentEncoding.escapeParameter) + "="
                + parts(value, escaped: PercentEncoding.escapeParameter)
            line.url += (line.url.contains("?") ? "&" : "?") + item
        case .key(let name, let value, .cookie):
            let pair = plain(name) + "=" + plain(value)
            if let index = line.headers.firstIndex(where: { $0.name.lowercased() == "cookie" }) {
                line.headers[index].value += "; " + pair
            } else {
                line.headers.append(("Cookie", pair))
            }
        case .user(let name, let password, let scheme):
            line.user = plain(name) + ":" + plain(password)
            add(scheme, to: &line)
        case .negotiate:
            line.user = ":"
            line.options.append("--negotiate")
        case .netrc(let file):
            line.options.append(file.isEmpty ? "--netrc" : "--netrc-file " + ShellQuotes.word(plain(file)))
        case .awsProfile: break
        }
    }

    private static func add(_ scheme: ExportedCredentials.UserScheme, to line: inout CurlLine) {
        switch scheme {
        case .basic: break
        case .digest: line.options.append("--digest")
        case .ntlm: line.options.append("--ntlm")
        case .aws(let region, let service, let sessionToken):
            line.options.append("--aws-sigv4 " + ShellQuotes.word("aws:amz:\(plain(region)):\(plain(service))"))
            if !sessionToken.isEmpty { line.headers.append(("X-Amz-Security-Token", plain(sessionToken))) }
        }
    }

    fileprivate static func url(of request: SavedRequest, host: String) -> String {
        request.address(host: host, hidesSecrets: false).templates
    }

    private static func content(of form: ExportedBody) -> (body: CurlLine.Body, type: String?) {
        switch form {
        case .json(let value): (.text(JSONTemplateText.unquoted(plain(value).compact)), JSONContent.note)
        case .text(let text, let type): (.text(plain(text)), plain(type))
        case .file(let path, let type): (.file(plain(path)), plain(type))
        case .multipart(let parts): (.form(parts.map { $0.curlField(plain) }), nil)
        case .form(let fields):
            (
                .text(
                    fields.map {
                        Self.parts($0.name, escaped: PercentEncoding.escapeForm) + "="
                            + Self.parts($0.value, escaped: PercentEncoding.escapeForm)
                    }.joined(separator: "&")), FormContent.note
            )
        }
    }

    private static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(plain(text))
        case .array(let elements): .array(elements.map(plain))
        case .object(let members): .object(members.map { JSONValue.Member(plain($0.key), plain($0.value)) })
        case .null, .bool, .number: value
        }
    }

    private static func plain(_ text: String) -> String { parts(text) { $0 } }

    /// Returns a text with its templates as they are, and the text between them escaped.
    private static func parts(_ text: String, escaped: (String) -> String) -> String {
        guard let parts = try? Template(text).parts else { return escaped(text) }
        return parts.map { part in
            switch part {
            case .text(let text): escaped(text)
            case .template(let template): template.description
            }
        }.joined()
    }
}

extension RunOrder {
    /// The command of curl for the request as it is saved, with its templates in it.
    package var shownCurl: String {
        if request.isWebSocket { return CurlExport.refusal(of: request) }
        return CurlExport.shown(request, in: chosenEnvironment, inheriting: inheritance)
    }

    /// The URL of the request as it is saved, with its templates and its query.
    package var shownURL: String { CurlExport.url(of: request, host: chosenEnvironment?.host ?? "{{host}}") }

    var chosenEnvironment: Environment? { environment.flatMap(collection.environment(named:)) }
}

extension Session {
    /// Returns the command of a request with everything filled in, as it would be sent. Reads the secrets that it uses.
    /// - Parameter revealsSecrets: false masks them.
    package func curlCommand(for order: RunOrder, revealsSecrets: Bool = false) throws(ResolveError) -> String {
        let scope = sampleScope(of: order)
        let resolved = try resolve(order, scope, standIn: nil)
        if resolved.webSocket != nil { return CurlExport.refusal(of: order.request) }
        let redact = { (text: String) in revealsSecrets ? text : resolved.redactor.redact(text) }
        let url = resolved.host + resolved.path + (resolved.query.encoded.map { "?" + $0 } ?? "")
        var line = CurlLine(method: resolved.method, url: redact(scope.namingSamples(in: url)))
        line.headers = (resolved.headers.fields + resolved.additionalHeaders.fields).map {
            (redact($0.key.name), redact($0.value.text))
        }
        // The command has the body as it is.
        if resolved.body?.compression != nil {
            line.headers.removeAll { $0.name.lowercased() == "content-encoding" }
            line.omissions.append(CurlExport.uncompressed)
        }
        line.body = resolved.body?.curl(redact)
        if case .form = line.body { line.headers.removeAll { $0.name.lowercased() == "content-type" } }
        line.policy = RequestPolicy(
            retries: resolved.retry.retries, sla: resolved.liftedLimits.contains(.sla) ? nil : resolved.sla.value,
            timeout: resolved.liftedLimits.contains(.attemptTimeout) ? nil : resolved.attemptTimeout,
            backoff: resolved.retry.backoff)
        add(resolved.credentials, to: &line, redact)
        line.followsRedirects = resolved.connection.redirects.maximum > 0
        line.connection = resolved.connection.curlOptions(redact)
        line.verifiesTLS = resolved.verifyTLS
        return line.text
    }

    /// Adds credentials that are obtained or computed while a request is sent.
    private func add(_ credentials: PreparedCredentials?, to line: inout CurlLine, _ redact: (String) -> String) {
        switch credentials {
        case .digest(let username, let password):
            line.user = redact(username + ":" + password)
            line.options.append("--digest")
        case .aws(let aws):
            line.user = redact(aws.accessKeyID + ":" + aws.secretAccessKey)
            line.options.append("--aws-sigv4 " + ShellQuotes.word("aws:amz:\(aws.region):\(aws.service)"))
            if let token = aws.sessionToken { line.headers.append(("X-Amz-Security-Token", redact(token))) }
        case .oauth2: line.headers.append(("Authorization", "Bearer ACCESS_TOKEN"))
        case .connection(.ntlm(let username, let password)):
            line.user = redact(username + ":" + password)
            line.options.append("--ntlm")
        case .connection(.negotiate):
            line.user = ":"
            line.options.append("--negotiate")
        case .plain, .netrc, nil: break
        }
    }
}

extension RecordedRun {
    /// The headers that curl writes itself.
    private static let implied: Set<String> = ["content-length", "host", "connection", "accept-encoding", "user-agent"]

    /// The command of curl that sends the request as it was recorded, for bash and zsh; secrets stay masked. Nil for a run
    /// that could not be prepared.
    package var curlCommand: String? {
        guard let request = result.prepared else { return nil }
        var line = CurlLine(method: request.method, url: request.url)
        line.headers = request.headers.filter { !Self.implied.contains($0.name.lowercased()) }.map {
            ($0.name, $0.value)
        }
        line.body = request.namesFiles ? nil : request.body.flatMap { $0.isEmpty ? nil : .text($0) }
        line.verifiesTLS = request.verifiesTLS
        line.followsRedirects = !request.redirects.isEmpty
        return (request.namesFiles ? "# without its body, which was read from files\n" : "") + line.text
    }
}
