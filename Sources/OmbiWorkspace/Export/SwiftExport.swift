extension RunOrder {
    /// The request as code for OmbiCore: a type whose properties are the variables that the request uses, and the secrets
    /// that are written in it.
    package var swiftCode: String { swiftCode(named: SwiftNames.type(request.name)) }

    /// - Parameter type: the name of the type.
    fileprivate func swiftCode(named type: String) -> String {
        if request.isWebSocket {
            return "// \(request.name.excerpt(80)) is a WebSocket: RequestManager.webSocket(for:) opens one"
        }
        let inheritance = inheritance
        var code = SwiftCode(request: request, environment: chosenEnvironment, inheritance: inheritance)
        return code.text(inheritance.policy(of: request), type)
    }
}

/// Writes requests as code for OmbiCore.
enum SwiftExport {
    static func text(of orders: [RunOrder]) -> ExportedText {
        let losses = orders.flatMap { order -> [String] in
            let name = order.request.name
            if order.request.isWebSocket { return ["\(name) is a WebSocket, which is left out"] }
            let code = SwiftCode(
                request: order.request, environment: order.chosenEnvironment, inheritance: order.inheritance)
            return code.omissions.map { "\(name): \($0.dropFirst(3))" }
        }
        // One file has each name once.
        var types = UniqueNames()
        let codes = orders.map { order in
            order.swiftCode(named: order.request.isWebSocket ? "" : types.take(SwiftNames.type(order.request.name)))
        }
        return ExportedText(text: codes.joined(separator: "\n\n"), losses: losses)
    }
}

private struct SwiftCode {
    let request: SavedRequest
    let environment: Environment?
    let inheritance: Inheritance
    var names = SwiftNames()

    mutating func text(_ policy: RequestPolicy, _ type: String) -> String {
        let (host, path, query) = address()
        let headers = headers()
        let body = body()
        let credentials = credentials()
        let authenticator = authenticator()
        var members = ["var host: String { \(host) }", "var method: RequestMethod { \(method) }"]
        members.append("var path: String { \(path) }")
        members += [list("query", "[URLQueryItem]", query), headers, body, credentials].compactMap { $0 }
        if let timeout = policy.timeout {
            members.append("var attemptTimeout: Duration? { \(SwiftPolicy.duration(timeout)) }")
        }
        let types = (self.bodyType.map { ["typealias RequestBody = \($0)"] } ?? []) + ["typealias ResponseBody = Data"]
        let properties = names.properties.flatMap { ["/// \($0.note)", "var \($0.name): String"] }
        let needsJSON = body?.contains("Self.json(") ?? false
        let parts = [types, properties, members, needsJSON ? [Self.jsonFunction] : [], [send(policy, authenticator)]]
        let inside = parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        return """
            \(modules(authenticator).map { "import \($0)" }.joined(separator: "\n"))

            /// \(SwiftNames.line(request.name))
            struct \(type): HTTPRequest {
            \(Self.indented(inside))
            }

            """
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    " + $0 }
            .joined(separator: "\n")
    }

    private var method: String {
        RequestMethod.allCases.contains(request.method)
            ? "." + request.method.rawValue.lowercased() : SwiftLiteral.quoted(request.method.rawValue)
    }

    private func list(_ name: String, _ type: String, _ elements: [String]) -> String? {
        guard !elements.isEmpty else { return nil }
        return "var \(name): \(type) {\n    [\n"
            + elements.map { "        \($0),\n" }.joined() + "    ]\n}"
    }

    // MARK: Texts

    /// An expression for a text, and whether it is a mere literal.
    fileprivate struct Expression {
        var code: String
        var isLiteral: Bool
    }

    /// The text with its templates as interpolations.
    /// - Parameters:
    ///   - plain: applied to the text between templates.
    ///   - secret: the name of a field whose literal text must not be in the code.
    private mutating func expression(
        _ text: String, secret: String? = nil, plain: (String) -> String = { $0 }
    ) -> Expression {
        let parts = (try? Template(text).parts) ?? [.text(text)]
        if let secret, !text.isEmpty, !parts.contains(where: { if case .template = $0 { true } else { false } }) {
            return Expression(code: names.secret(secret), isLiteral: false)
        }
        let pieces = ExportText(text, named: secret ?? "", secret == nil ? .body : .field).pieces
        if pieces.count == 1, case .value(let value) = pieces[0] {
            return Expression(code: self.value(of: value), isLiteral: false)
        }
        var code = ""
        var isLiteral = true
        for piece in pieces {
            switch piece {
            case .text(let text): code += SwiftLiteral.escaped(plain(text))
            case .value(let value):
                code += "\\(\(self.value(of: value)))"
                isLiteral = false
            }
        }
        return Expression(code: "\"\(code)\"", isLiteral: isLiteral)
    }

    private mutating func value(of value: ExportValue) -> String {
        switch value.source {
        case .template(let template): self.value(of: template.value)
        case .secret: names.secret(value.name)
        }
    }

    /// A function that Swift has no short form for becomes a property, as a variable does.
    private mutating func value(of value: TemplateExpression.Value) -> String {
        guard case .call(let name, let arguments) = value else { return names.variable(value.name) }
        let texts = arguments.compactMap { if case .literal(let text) = $0, Int(text) != nil { text } else { nil } }
        let function = TemplateFunction.named(name)
        guard texts.count == arguments.count, function?.argumentCount.contains(texts.count) ?? false,
            let swift = function?.swift
        else { return names.variable(String(name.drop { $0 == "$" })) }
        return swift(texts)
    }

    /// The name of a field that holds a secret; nil for any other field.
    private static func secretName(_ name: String) -> String? { RequestHeaders.Key(name).isSensitive ? name : nil }

    // MARK: The address

    private mutating func address() -> (host: String, path: String, query: [String]) {
        let whole = request.target
        // With a mark behind it, a sign is another character, but no other part of a URL.
        let text = String(whole.text.unicodeScalars.prefix { $0 != "#" })
        let start = whole.isURL ? Origin.pathStart(of: text) : text.startIndex
        let host = whole.isURL ? self.host(String(text[..<start])) : environmentHost()
        let target = text[start...].unicodeScalars
        let pattern = String(target.prefix { $0 != "?" })
        let rows = request.query.filter(\.enabled)
        let query = String(target.dropFirst(pattern.unicodeScalars.count + 1))
        let raw = rows.filter(\.isRaw).map(\.rawText)
        let written = ([query] + raw).filter { !$0.isEmpty }.joined(separator: "&")
        var path = self.path(pattern)
        let fields = rows.filter { !$0.isRaw }
        let items = written.unicodeScalars.split(separator: "&").map { item -> Field in
            let name = item.prefix { $0 != "=" }
            return Field(String(name), String(item.dropFirst(name.count + 1)))
        }
        let isSplit = !fields.isEmpty || items.contains { Self.secretName($0.name) != nil }
        if !written.isEmpty, !isSplit { path += "?" + String(expression(written).body) }
        let parameters =
            (isSplit ? items.map { item($0, plain: PercentEncoding.unescapeForm) } : []) + fields.map { item($0) }
        return (host, "\"\(path)\"", parameters)
    }

    private mutating func item(_ field: Field, plain: (String) -> String = { $0 }) -> String {
        let name = expression(field.name, plain: plain).code
        let value = expression(field.value, secret: Self.secretName(field.name), plain: plain).code
        return "URLQueryItem(name: \(name), value: \(value))"
    }

    private mutating func environmentHost() -> String {
        environment.map { host(RequestTarget.host($0.host)) } ?? names.variable("host")
    }

    /// A user name and a password in a URL are no part of the code.
    private mutating func host(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@"), scheme.upperBound <= at else {
            return expression(text).code
        }
        let user = String(text[scheme.upperBound..<at])
        let start = SwiftLiteral.escaped(String(text[..<scheme.upperBound]))
        return "\"\(start)\\(\(expression(user, secret: "the user").code))\(expression(String(text[at...])).body)\""
    }

    /// The inside of a literal.
    private mutating func path(_ pattern: String) -> String {
        let known = Dictionary(
            request.pathParameters.filter(\.enabled).map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        var code = ""
        for part in PathPattern(pattern).parts {
            switch part {
            case .text(let text): code += expression(text).body
            case .parameter(let name):
                let value =
                    known[name].map { expression($0, secret: SecretDetector.find(in: $0, named: name).first?.name) }
                    ?? Expression(code: names.variable(name), isLiteral: false)
                code +=
                    value.isLiteral
                    ? PercentEncoding.escape(known[name] ?? "") : "\\(PathSegment(\(value.code)))"
            }
        }
        return code
    }

    // MARK: Headers and credentials

    private mutating func headers() -> String? {
        var fields = request.sentHeaders.filter(\.enabled) + inheritance.headers(sentWith: request).map(\.value)
        if let type = contentType, !fields.contains(where: { RequestHeaders.Key($0.name) == .contentType }) {
            fields.append(Field("Content-Type", type))
        }
        let keys = fields.map { RequestHeaders.Key($0.name) }
        guard Set(keys).count < keys.count else {
            return list("headers", "RequestHeaders", fields.map { "\(name(of: $0)): \(value(of: $0))" })
        }
        let elements = fields.map { "        .init(\(name(of: $0)), \(value(of: $0))),\n" }
        return "var headers: RequestHeaders {\n    RequestHeaders([\n" + elements.joined() + "    ])\n}"
    }

    private mutating func name(of field: Field) -> String {
        let name = expression(field.name)
        return name.isLiteral ? name.code : "RequestHeaders.Key(\(name.code))"
    }

    private mutating func value(of field: Field) -> String {
        guard let secret = Self.secretName(field.name) else {
            let value = expression(field.value)
            return value.isLiteral ? value.code : ".string(\(value.code))"
        }
        // The scheme of credentials is no secret: "Bearer".
        let words = field.value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, !field.value.contains("{{") else {
            return ".secret(\(expression(field.value, secret: secret).code))"
        }
        let credentials = expression(String(words[1]), secret: secret).code
        return ".secret(\"\(SwiftLiteral.escaped(String(words[0]))) \\(\(credentials))\")"
    }

    /// Nil if a header has the credentials, because it takes precedence.
    private mutating func credentials() -> String? {
        let code: String
        switch inheritance.authentication(of: request)?.value.credentials?.exported {
        case .user(let user, let password, .basic):
            let user = expression(user).code
            code = ".basic(username: \(user), password: \(expression(password, secret: "password").code))"
        case .token(let token): code = ".token(type: .bearer, value: \(expression(token, secret: "token").code))"
        case .key(let name, let value, let location):
            let name = expression(name).code
            code =
                ".apiKey(name: \(name), value: \(expression(value, secret: "API key").code), "
                + "location: .\(location.rawValue))"
        case .user, .issuedToken, .negotiate, .netrc, .awsProfile, nil: return nil
        }
        return "var authentication: RequestAuthentication? {\n    \(code)\n}"
    }

    /// Credentials that are computed while the request is sent; nil for others.
    private mutating func authenticator() -> String? {
        guard
            case .user(let user, let password, let scheme)? = inheritance.authentication(of: request)?.value
                .credentials?.exported
        else { return nil }
        switch scheme {
        case .basic, .ntlm: return nil
        case .digest:
            let user = expression(user).code
            return "DigestAuthenticator(username: \(user), "
                + "password: \(expression(password, secret: "password").code))"
        case .aws(let region, let service, let sessionToken):
            let key = expression(user).code
            let secret = expression(password, secret: "secret key").code
            let token =
                sessionToken.isEmpty
                ? "" : ", sessionToken: \(expression(sessionToken, secret: "session token").code)"
            return
                "AWSSignatureV4(\n    credentials: AWSCredentials(accessKeyID: \(key), secretAccessKey: \(secret)\(token)),\n"
                + "    region: \(expression(region).code), service: \(expression(service).code))"
        }
    }

    private func modules(_ authenticator: String?) -> [String] {
        ["Foundation"] + (authenticator == nil ? [] : ["OmbiAuthentication"]) + ["OmbiCore"]
    }

    /// Comments about parts that the code omits.
    fileprivate var omissions: [String] {
        let parts: KeyValuePairs<String, Bool> = [
            "expectations": request.expect != nil, "captures": request.captures.contains(where: \.enabled),
            "further pages": request.pages != nil, "the fallback response": request.fallback != nil,
        ]
        let used = parts.filter { $0.value }.map { $0.key }
        var lines = used.isEmpty ? [] : ["// Not in this code: \(used.joined(separator: ", "))."]
        if request.compression != nil { lines.append("// Not in this code: compression; the body is sent as it is.") }
        switch inheritance.authentication(of: request)?.value.credentials?.exported {
        case .issuedToken(let words)?: lines.append("// Not in this code: \(words); set manager.authenticator.")
        case .user(_, _, .ntlm)?: lines.append("// Not in this code: NTLM.")
        case .negotiate?: lines.append("// Not in this code: Negotiate.")
        case .netrc?: lines.append("// Not in this code: the user of a .netrc file; set manager.authentication.")
        case .awsProfile?: lines.append("// Not in this code: the keys of an AWS profile; set manager.authenticator.")
        case .user, .token, .key, nil: break
        }
        let connection = inheritance.connection(of: request)
        if case .object(let members) = connection.json, !members.isEmpty {
            let keys = members.map { SwiftNames.line($0.key) }.joined(separator: ", ")
            lines.append("// Not in this code: \(keys) of the connection; set manager.connection.")
        }
        let policy = inheritance.policy(of: request)
        if policy.retryBudget != nil || policy.breaker != nil {
            lines.append("// Not in this code: the retry budget and the breaker, which requests of one manager share.")
        }
        return lines
    }

    // MARK: The body

    private var bodyType: String? {
        switch request.body?.form {
        case .json, .text: "String"
        case .form: "RequestParameters"
        case .multipart: "MultipartForm"
        case .file, nil: nil
        }
    }

    private var contentType: String? {
        switch request.body?.form {
        case .json: JSONContent.note
        case .text(_, let type): type
        case .form: FormContent.note
        case .file(_, let type): type
        // The form has a boundary, which is in its own type.
        case .multipart, nil: nil
        }
    }

    private mutating func body() -> String? {
        switch request.body?.form {
        case .json(let value): return json(body: value)
        case .multipart(let parts):
            let parts = parts.map { part($0) }
            let form = "MultipartForm(parts: [\n" + parts.map { "    \($0),\n" }.joined() + "])"
            return "var body: MultipartForm? {\n    get throws {\n\(Self.indented(Self.indented(form)))\n    }\n}"
        case .file(let path, _):
            let file = "try BodyStream(fileURL: \(url(ofFile: path)))"
            return "var bodyStream: BodyStream? {\n    get throws { \(file) }\n}"
        case .text(let plain, _):
            let text = plain.contains("\n") ? "\"\"\"\n\(lines(plain))\n\"\"\"" : expression(plain).code
            return "var body: String? {\n\(Self.indented(text))\n}"
        case .form(let fields):
            guard !fields.isEmpty else { return "var body: RequestParameters? { [:] }" }
            return list("body", "RequestParameters?", fields.map { parameter($0) })
        case nil: return nil
        }
    }

    private mutating func json(body value: JSONValue) -> String {
        let text = json(value)
        let throwing = text.contains("Self.json(")
        let literal = "\"\"\"\n\(text)\n\"\"\""
        return throwing
            ? "var body: String? {\n    get throws {\n\(Self.indented(Self.indented(literal)))\n    }\n}"
            : "var body: String? {\n\(Self.indented(literal))\n}"
    }

    private mutating func url(ofFile path: String) -> String { "URL(filePath: \(expression(path).code))" }

    private mutating func part(_ part: MultipartPart) -> String {
        let name = expression(part.name).code
        let type = part.contentType.map { ", mimeType: \(expression($0).code)" } ?? ""
        let fileName = part.fileName.map { ", fileName: \(expression($0).code)" } ?? ""
        switch part.content {
        case .text(let text):
            let value = expression(text, secret: Self.secretName(part.name)).code
            guard !type.isEmpty || !fileName.isEmpty else { return ".init(value: \(value), name: \(name))" }
            return ".init(data: Data((\(value) as String).utf8), name: \(name)\(type)\(fileName))"
        case .file(let path):
            let type = type.isEmpty ? ", mimeType: \(SwiftLiteral.quoted(FileType.named(path)))" : type
            return "try .init(fileURL: \(url(ofFile: path)), name: \(name)\(type)\(fileName))"
        }
    }

    private mutating func parameter(_ field: Field) -> String {
        let value = expression(field.value, secret: Self.secretName(field.name))
        return expression(field.name).code + ": " + (value.isLiteral ? value.code : ".string(\(value.code))")
    }

    private mutating func lines(_ text: String) -> String {
        ExportText(text, named: "", .body).pieces.map { piece in
            switch piece {
            case .text(let text): SwiftLiteral.lines(text)
            case .value(let value): "\\(\(self.value(of: value)))"
            }
        }.joined()
    }

    /// JSON for a multi-line literal.
    private mutating func json(_ value: JSONValue, secret: String? = nil) -> String {
        switch value {
        case .string(let text):
            if let typed = Template.typed(text) { return "\\(\(self.value(of: typed.value)))" }
            let expression = expression(text, secret: secret)
            return expression.isLiteral
                ? SwiftLiteral.lines(JSONValue.quoted(plain(text))) : "\\(try Self.json(\(expression.code)))"
        case .array(let elements):
            return elements.isEmpty ? "[]" : "[\n" + members(elements.map { json($0, secret: secret) }) + "\n]"
        case .object(let list):
            let texts = list.map { json(.string($0.key)) + ": " + json($0.value, secret: Self.secretName($0.key)) }
            return texts.isEmpty ? "{}" : "{\n" + members(texts) + "\n}"
        case .null, .bool, .number: return value.compact
        }
    }

    private func members(_ texts: [String]) -> String { texts.map { Self.jsonIndented($0) }.joined(separator: ",\n") }

    private static func jsonIndented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
    }

    /// A text without templates, with the braces that they escape.
    private func plain(_ text: String) -> String {
        guard let parts = try? Template(text).parts else { return text }
        return parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    private static let jsonFunction = """
        /// Returns a text as a string of JSON.
        private static func json(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }
        """

    // MARK: Sending

    private func send(_ policy: RequestPolicy, _ authenticator: String?) -> String {
        let retry = SwiftPolicy.retry(policy).map { ", retry: \($0)" } ?? ""
        let sla = policy.sla.map { ", sla: \(SwiftPolicy.duration($0))" } ?? ""
        let verifies = request.isAbsolute || environment?.verifyTLS ?? true
        var steps = ["let manager = RequestManager(host: host)"]
        if !verifies { steps.append("manager.connection.tls.verifiesServer = false") }
        if let authenticator { steps.append("manager.authenticator = \(authenticator)") }
        steps += omissions + ["return try await manager.response(for: self\(retry)\(sla))"]
        return """
            /// Sends the request; a status that is no success is an error.
            func send() async throws -> RequestResponse<Data> {
            \(Self.indented(steps.joined(separator: "\n")))
            }
            """
    }
}

extension SwiftCode.Expression {
    /// The inside of a literal; an interpolation for anything else.
    fileprivate var body: String { code.hasPrefix("\"") ? String(code.dropFirst().dropLast()) : "\\(\(code))" }
}
