/// The URL, the headers, the credentials and the settings of a request.
extension HTTPFileReader {
    /// - Parameter isRaw: true for a query that is sent as it is written.
    mutating func setAddress(_ url: String, isRaw: Bool, of request: inout SavedRequest, at offset: Int) {
        var url = renamed(ForeignText.line(url).trimmed, at: offset)
        if url == "*" {
            log.loss(offset, "*", "a server as a whole cannot be asked; the path / stands in for it")
            url = "/"
        }
        if url.hasPrefix("/") {
            let host = request.headers.firstIndex { $0.name.lowercased() == "host" }
            // Without a header, the host is a variable.
            url = (host.map { request.headers.remove(at: $0).value } ?? "{{host}}") + url
        }
        log.noteEscapes(inQuery: ForeignText.split(url).query ?? "", at: offset)
        // No tool has path parameters.
        request.setAddress(url, hasParameters: false, isRaw: isRaw, &log, at: offset)
    }

    /// The WebSocket of a request, whose body has messages with lines of `===` between them.
    mutating func webSocket(_ body: [TextLine]) -> SavedWebSocket {
        var messages: [SavedMessage] = []
        for line in body where line.text.hasPrefix("===") && line.text.contains("wait-for-server") {
            log.loss(line.offset, line.text.excerpt(30), "messages do not wait for those of the server")
        }
        for lines in body.split(whereSeparator: { $0.text.hasPrefix("===") }) {
            let text = lines.map(\.text).joined(separator: "\n").trimmed
            guard !text.isEmpty, let offset = lines.first?.offset else { continue }
            messages.append(SavedMessage(name: "message \(messages.count + 1)", text: template(text, at: offset)))
        }
        return SavedWebSocket(messages: messages)
    }

    mutating func add(_ line: TextLine, to request: inout SavedRequest) {
        let pair = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else {
            return log.loss(line.offset, line.text.excerpt(30), "left out: a header has a colon")
        }
        let name = template(pair[0].trimmed, at: line.offset)
        guard log.isHeader(name, at: line.offset) else { return }
        if name.lowercased() == "authorization", let word = Self.tokenFunctions.first(where: { pair[1].contains($0) }) {
            request.authentication = configured(pair[1]) ?? log.unknownAuthentication(word, at: line.offset)
            return
        }
        if ["clientcert", "x-clientcert"].contains(name.lowercased()) {
            return log.loss(line.offset, name, "left out: name the client certificate in Connection")
        }
        if let reason = CurlHeaders.own[name.lowercased()] { return log.remark(line.offset, name, reason) }
        request.headers.append(Field(name, template(ForeignText.line(pair[1].trimmed), at: line.offset)))
    }

    private static let tokenFunctions = ["$auth.", "$aadToken", "$aadV2Token", "$oidcAccessToken"]

    // MARK: Credentials

    /// Takes the credentials that the tools compute from words of the header, and a bearer's token.
    mutating func setCredentials(of request: inout SavedRequest, at offset: Int) {
        let indices = request.headers.indices.filter { request.headers[$0].name.lowercased() == "authorization" }
        guard indices.count == 1, let index = indices.first else { return }
        let words = request.headers[index].value.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
        let isAlone = words.count == 1 && ["oauth2", "openid"].contains(words[0])
        guard words.count == 2 || isAlone,
            let found = authentication(words[0], isAlone ? "" : words[1].trimmed, at: offset)
        else { return }
        request.headers.remove(at: index)
        request.authentication = found
    }

    /// Nil for a header that is sent as it is.
    private mutating func authentication(_ scheme: String, _ rest: String, at offset: Int) -> SavedAuthentication? {
        switch scheme {
        case "Bearer": return rest.contains(" ") ? nil : .bearer(BearerAuthentication(token: rest))
        case "Basic",
            "Digest" where !rest.contains("="):
            guard let (name, password) = user(in: rest) else { return nil }
            return SavedAuthentication(foreign: scheme.lowercased()) { $0 == "username" ? name : password }
        case "AWS": return aws(rest.split(separator: " ").map(String.init))
        case "oauth2", "openid": return token(rest.split(separator: " ").map(String.init), at: offset)
        case "COGNITO", "NTLM":
            return log.unknownAuthentication(scheme, at: offset)
        default: return nil
        }
    }

    /// `name password` or `name:password`; nil for base64.
    private func user(in text: String) -> (name: String, password: String)? {
        let mark = text.firstIndex(of: " ") ?? text.firstIndex(of: ":")
        guard let mark else { return nil }
        return (String(text[..<mark]), text[text.index(after: mark)...].trimmed)
    }

    /// `ID KEY [token:T] [region:R] [service:S]`
    private func aws(_ words: [String]) -> SavedAuthentication? {
        guard words.count >= 2 else { return nil }
        let part = { (name: String) in
            words.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) } ?? ""
        }
        return .aws(
            AWSAuthentication(
                accessKeyID: words[0], secretAccessKey: words[1], sessionToken: part("token"), region: part("region"),
                service: part("service")))
    }

    // MARK: Settings

    /// The variables that a script sets to texts and numbers, such as `request.variables.set("a", "b")`, and the number
    /// of its other statements. A script in a file of its own is one of these; what is only logged is none.
    static func constants(in script: String) -> (variables: [Variable], others: Int) {
        guard let start = script.firstRange(of: "{%")?.upperBound, let end = script.firstRange(of: "%}")?.lowerBound,
            start <= end
        else { return ([], 1) }
        var (variables, others): ([Variable], Int) = ([], 0)
        for statement in ScriptToken.statements(ScriptToken.tokens(of: String(script[start..<end]))[...]) {
            let call = Array(statement)
            var cursor = ScriptCursor(statement, [:])
            if call.count == 10, call.prefix(6).map(\.text) == ["request", ".", "variables", ".", "set", "("],
                call[6].kind == .text, call[7].text == ",", [.text, .number].contains(call[8].kind),
                call[9].text == ")"
            {
                variables.append(Field(call[6].text, TemplateText.literal(call[8].text)))
            } else if !cursor.take(dotted: "client.log"), !cursor.take(dotted: "console.log") {
                others += 1
            }
        }
        return (variables, others)
    }

    /// Applies the comments above a request. Returns the name that others know it by, and the one to show.
    mutating func apply(_ settings: [Setting], to request: inout SavedRequest) -> (reference: String, title: String) {
        var names = (reference: "", title: "")
        var connection = request.connection ?? SavedConnection()
        for setting in settings {
            switch setting.name {
            case "name": names.reference = setting.value
            case "title": names.title = setting.value
            case "description": request.description = setting.value
            case "no-redirect", "noRedirect": connection.maximumRedirects = 0
            case "no-cookie-jar", "noCookieJar": connection.cookies = false
            case "no-log", "noLog": request.isRecorded = false
            case "disabled" where ["", "true"].contains(setting.value): request.isDisabled = true
            case "tag": setTags(setting, of: &request)
            case "noRejectUnauthorized":
                _ = log.request(withOptions: ["--insecure"], "@noRejectUnauthorized", at: setting.offset)
            case "disabled" where setting.value == "false", "graphql", "no-auto-encoding", "noAutoEncoding": break
            case "timeout", "connection-timeout":
                guard let time = limit(setting) else {
                    log.loss(setting.offset, "@\(setting.name)", "left out: it is no time limit")
                    continue
                }
                if setting.name == "timeout" {
                    request.policy = RequestPolicy(timeout: time)
                } else {
                    connection.connectTimeout = time
                }
            case "proxy" where !setting.value.isEmpty:
                let proxy = template(setting.value, at: setting.offset)
                if log.passes(proxy, ConnectionText.checkProxy, "@proxy", at: setting.offset) {
                    connection.proxy = proxy
                }
            case "prompt", "secret":
                let name = String(setting.value.prefix { !$0.isWhitespace })
                let variable = log.variableName(name.isEmpty ? "prompt" : name, at: setting.offset)
                prompts[variable] = ForeignText.line(setting.value.dropFirst(name.count).trimmed)
            case "ref", "forceRef":
                log.remark(setting.offset, "@\(setting.name)".excerpted, "a variable sends the request that it is from")
            case let name where name.hasPrefix("curl-"): applyCurl(setting, &connection, &request)
            default: log.loss(setting.offset, "@\(setting.name)".excerpted, "this setting has no counterpart")
            }
        }
        if connection != SavedConnection() { request.connection = connection }
        return names
    }

    private mutating func setTags(_ setting: Setting, of request: inout SavedRequest) {
        do throws(FieldError) { request.tags = try Tag.list(setting.value) } catch {
            log.loss(setting.offset, "@tag", "left out: \(error.message)")
        }
    }

    /// Applies an option of curl, such as the `@curl-max-time 10` of kulala.
    private mutating func applyCurl(
        _ setting: Setting, _ connection: inout SavedConnection, _ request: inout SavedRequest
    ) {
        let (option, subject) = ("--\(setting.name.dropFirst(5))", "@\(setting.name)".excerpted)
        let value = renamed(setting.value, at: setting.offset)
        let words = [option] + (value.isEmpty ? [] : [value])
        guard let found = log.request(withOptions: words, subject, at: setting.offset) else {
            return log.loss(setting.offset, subject, "this setting has no counterpart")
        }
        connection = (found.connection ?? SavedConnection()).merging(over: connection)
        if let policy = found.policy { request.policy = policy }
        if let authentication = found.authentication { request.authentication = authentication }
    }

    /// The limit of `600`, `2 m` or `500 ms`: seconds for JetBrains, and milliseconds for httpyac.
    private mutating func limit(_ setting: Setting) -> Duration? {
        let digits = setting.value.prefix { $0.isNumber }
        guard let count = Int(digits), (1...86_400_000).contains(count) else { return nil }
        switch setting.value[digits.endIndex...].trimmed {
        case "ms": return .milliseconds(count)
        case "s": return .seconds(count)
        case "m": return .seconds(count * 60)
        case "" where count < 1000: return .seconds(count)
        case "":
            log.remark(setting.offset, "@\(setting.name)", "read as milliseconds; write s behind seconds")
            return .milliseconds(count)
        default: return nil
        }
    }
}
