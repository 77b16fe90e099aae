/// Writes requests as commands of curl.
package enum CurlExport {
    /// A comment of the shell that replaces a command that cannot be written.
    static func refusal(of request: SavedRequest) -> String {
        "# \(ShellQuotes.comment(request.name.excerpt(80))) is a WebSocket: curl does not send its messages"
    }

    /// Returns the command of a request as saved, with its templates in it.
    /// - Parameters:
    ///   - environment: Provides the host; nil shows it as `{{host}}`.
    ///   - inheritance: nil for the environment alone.
    ///   - hidesSecrets: True to mask the secrets that stand in a file as they are.
    package static func shown(
        _ request: SavedRequest, in environment: Environment?, inheriting inheritance: Inheritance? = nil,
        hidesSecrets: Bool = false
    ) -> String {
        let inheritance = inheritance ?? Inheritance(environment)
        let url = Self.url(of: request, host: environment?.host ?? "{{host}}")
        var line = CurlLine(method: request.method, url: hidesSecrets ? SecretDetector.masked(url: url) : url)
        let fields = request.sentHeaders.filter(\.enabled) + inheritance.headers(sentWith: request).map(\.value)
        line.headers = fields.map { field in
            let value = hidesSecrets ? SecretDetector.masked(field.value, named: field.name) : field.value
            return (plain(field.name), plain(value))
        }
        let names = Set(line.headers.map { $0.name.lowercased() })
        if request.compression != nil { line.omissions.append(uncompressed) }
        if !names.contains("authorization"),
            let credentials = inheritance.authentication(of: request)?.value.credentials?.exported
        {
            if credentials.hasColonInUser {
                line.omissions.append(colonInUser)
            } else if case .awsProfile = credentials {
                line.omissions.append("not signed: its keys are in a profile of AWS")
            } else {
                add(hidesSecrets ? credentials.masked : credentials, to: &line)
            }
        }
        if let (body, type) = request.body.map({ content(of: $0.form) }) {
            line.body = body
            if hidesSecrets, case .text(let text) = body { line.body = .text(SecretDetector.masked(body: text)) }
            if let type, !names.contains("content-type") { line.headers.append(("Content-Type", type)) }
        }
        line.policy = inheritance.policy(of: request)
        let connection = inheritance.connection(of: request)
        line.connection = connection.curlOptions
        line.followsRedirects = connection.maximumRedirects != 0
        return line.text
    }

    fileprivate static let colonInUser = "the user is left out: curl takes the colon in it for its end"

    /// curl has no option that compresses a body.
    fileprivate static let uncompressed = "the body is not compressed here"

    /// Returns the command of a request as sent, with its secrets masked.
    package static func sent(_ request: PreparedRequest) -> String { CurlLine(request).text }

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
    /// The command of curl for the request as saved, with its templates in it. Secrets that a file has as they are, such as a
    /// password in the local one, are masked.
    package var shownCurl: String {
        if request.isWebSocket { return CurlExport.refusal(of: request) }
        return CurlExport.shown(request, in: chosenEnvironment, inheriting: inheritance, hidesSecrets: true)
    }

    /// The URL of the request as saved, with its templates and its query.
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
        let url = resolved.host + resolved.path + resolved.query.suffix
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
        case .digest(let username, let password): add("--digest", username, password, to: &line, redact)
        case .aws(let aws):
            line.user = redact(aws.accessKeyID + ":" + aws.secretAccessKey)
            line.options.append("--aws-sigv4 " + ShellQuotes.word("aws:amz:\(aws.region):\(aws.service)"))
            if let token = aws.sessionToken { line.headers.append(("X-Amz-Security-Token", redact(token))) }
        case .oauth2: line.headers.append(("Authorization", "Bearer ACCESS_TOKEN"))
        case .connection(.ntlm(let username, let password)): add("--ntlm", username, password, to: &line, redact)
        case .connection(.negotiate):
            line.user = ":"
            line.options.append("--negotiate")
        case .plain, .netrc, nil: break
        }
    }

    private func add(
        _ scheme: String, _ username: String, _ password: String, to line: inout CurlLine, _ redact: (String) -> String
    ) {
        guard !username.contains(":") else {
            line.omissions.append(CurlExport.colonInUser)
            return
        }
        line.user = redact(username + ":" + password)
        line.options.append(scheme)
    }
}

extension RecordedRun {
    /// The headers that curl writes itself.
    private static let implied: Set<String> = ["content-length", "host", "connection", "accept-encoding", "user-agent"]

    /// The command of curl that sends the recorded request, for bash and zsh; secrets stay masked. nil for a run that
    /// could not be prepared.
    package var curlCommand: String? {
        guard let request = result.prepared else { return nil }
        var line = CurlLine(request)
        line.headers.removeAll { Self.implied.contains($0.name.lowercased()) }
        if request.namesFiles { line.body = nil }
        line.followsRedirects = !request.redirects.isEmpty
        return (request.namesFiles ? "# without its body, which was read from files\n" : "") + line.text
    }
}

extension CurlLine {
    fileprivate init(_ request: PreparedRequest) {
        self.init(method: request.method, url: request.url)
        headers = request.headers.map { ($0.name, $0.value) }
        body = request.body.flatMap { $0.isEmpty ? nil : .text($0) }
        verifiesTLS = request.verifiesTLS
    }
}

/// A command of curl in its parts, written for bash and zsh.
struct CurlLine {
    var method: RequestMethod
    var url: String
    var headers: [(name: String, value: String)] = []
    /// `name:password`
    var user: String?
    /// Options of its authentication: `--digest`.
    var options: [String] = []
    var body: Body?
    var policy = RequestPolicy()
    var followsRedirects = false
    var verifiesTLS = true
    /// Options of the connection: `--http1.1`.
    var connection: [String] = []
    /// A sentence for each part of the request that curl is not given.
    var omissions: [String] = []

    enum Body {
        case text(String)
        case file(String)
        case form([FormField])
    }

    struct FormField {
        var option: String
        var name: String
        /// With the prefix for its kind.
        var value: String
        /// True for a text with the name of a file and without a type, which curl gives it.
        var hasTypeOfName = false

        /// False for a name that curl would split, and for text that no argument can hold.
        var isExpressible: Bool { !name.contains("=") && !CurlLine.hasNUL(name + value) }
    }

    /// True for a value that libcurl would drop.
    private static func isBlank(_ value: String) -> Bool { value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// An option on each line; curl prints the response alone.
    var text: String {
        var parts = [omissions.map { "# \($0)\n" }.joined() + notes + "curl " + ShellQuotes.word(url)] + methodOptions
        if let user { parts.append("-u " + ShellQuotes.word(user)) }
        parts += options
        parts += headers.filter { !isImplied($0) }.map { name, value in
            "-H " + ShellQuotes.word(Self.isBlank(value) ? name + ";" : "\(name): \(value)")
        }
        parts += bodyOptions
        parts += policyOptions + connection
        if followsRedirects { parts.append("-L") }
        if !verifiesTLS { parts.append("-k") }
        return parts.joined(separator: " \\\n  ")
    }

    /// A comment for each part of the form that curl cannot send.
    private var notes: String {
        if case .text(let text) = sentBody, Self.hasNUL(text) {
            return "# the body is left out: no argument of a program can hold its NUL\n"
        }
        if case .text(let text) = sentBody, Self.isTooLong(text) { return "# \(Self.tooLong)\n" }
        guard case .form(let fields) = sentBody else { return "" }
        if fields.isEmpty { return "# curl sends no form without parts\n" }
        return fields.filter { !$0.isExpressible || $0.hasTypeOfName }.map { field in
            let name = ShellQuotes.comment(field.name.excerpt(80))
            if field.isExpressible { return "# curl may give the part \(name) a type by its file name\n" }
            if Self.hasNUL(field.value) { return "# the part \(name) is left out: no argument can hold its NUL\n" }
            return "# the part \(name) is left out: in curl a name ends at its first =\n"
        }.joined()
    }

    /// True for a text with which Linux starts no program.
    static func isTooLong(_ text: String) -> Bool { text.utf8.count >= 1 << 17 }

    static let tooLong = "the body is too long for a command of Linux; put it into a file"

    fileprivate static func hasNUL(_ text: String) -> Bool { text.utf8.contains(0) }

    private var sentBody: Body? { method == .head ? nil : body }

    private var bodyOptions: [String] {
        switch sentBody {
        case .text(let text) where Self.hasNUL(text): []
        case .text(let text): ["--data-raw " + ShellQuotes.word(text)]
        case .file(let path): ["--data-binary " + ShellQuotes.word("@" + path)]
        case .form(let fields):
            fields.filter(\.isExpressible).map { "\($0.option) " + ShellQuotes.word($0.name + "=" + $0.value) }
        case nil: []
        }
    }

    private var methodOptions: [String] {
        if method == .head { return ["-I"] }
        return method == (bodyOptions.isEmpty ? .get : .post) ? [] : ["-X " + ShellQuotes.word(method.rawValue)]
    }

    /// True for the type that curl gives any data.
    private func isImplied(_ header: (name: String, value: String)) -> Bool {
        header.name.lowercased() == "content-type" && sentBody != nil && header.value == FormContent.note
    }

    private var policyOptions: [String] {
        var options: [String] = []
        // curl would repeat any method, Ombi does not.
        if let retries = policy.retries, retries > 0, method.isIdempotent {
            options.append("--retry \(retries)")
            if let backoff = policy.backoff, backoff.factor == 1, backoff.first >= .seconds(1) {
                options.append("--retry-delay \(backoff.first.components.seconds)")
            }
            if let sla = policy.sla { options.append("--retry-max-time \(max(1, sla.components.seconds))") }
        }
        if let timeout = policy.timeout { options.append("--max-time " + Self.seconds(timeout)) }
        return options
    }

    /// `2`, `2.5`
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        let text = "\(milliseconds / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
