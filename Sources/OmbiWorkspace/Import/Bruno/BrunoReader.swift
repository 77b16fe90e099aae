/// Makes requests, settings and environments of Bruno's, and notes what has no counterpart.
struct BrunoReader {
    /// That of the file that is read.
    var log: ImportLog
    /// Fixed values in place of random ones.
    var samples: [Variable] = []
    /// The names of variables that say that they are secret.
    var secretNames: Set<String> = []
    /// Secrets that no file has.
    var prompts: Set<String> = []
    /// The variables of the process environment, by the names of the secrets.
    var processSecrets: [String: String] = [:]
    /// The texts of variables that are filled in while a URL is read.
    var constants: [String: String] = [:]

    // MARK: Requests

    mutating func request(_ source: BrunoRequest) -> SavedRequest {
        var request = SavedRequest(name: "", path: "")
        if !source.isWebSocket {
            request.method = RequestMethod.imported(source.method, &log, at: source.urlOffset)
        }
        request.headers = headers(source.scope.headers)
        setConstant(of: source)
        setAddress(source, of: &request)
        constants = [:]
        request.variables = variables(source.scope.variables)
        request.setName(source.name)
        request.description = source.scope.documentation
        request.tags = tags(source)
        // Without a word on credentials, none are sent.
        request.authentication = .noAuthentication
        if let credentials = source.scope.credentials { request.authentication = authentication(credentials) }
        if let credentials = request.authentication {
            request.silenceHeader(of: credentials, &log, at: source.offset)
        }
        if source.isWebSocket {
            let messages = source.body.messages.filter { !$0.text.isEmpty }
            request.setWebSocket(messages.map { ($0.name, template($0.text, at: $0.offset)) })
        } else {
            setBody(source.body, of: &request)
        }
        (request.connection, request.policy) = (Self.connection(source.settings), Self.policy(source.settings))
        setExpectations(source, of: &request)
        for part in source.unused {
            log.loss(part.offset, part.name.excerpted, "left out: the request does not send it")
        }
        if !source.examples.isEmpty { request.examples = source.examples }
        if source.lostExamples > 0 { log.loss(source.offset, "example", SavedExample.lost) }
        return request
    }

    private mutating func tags(_ source: BrunoRequest) -> [String] {
        var tags: [String] = []
        for tag in source.tags where !tags.contains(tag) {
            if log.passes(tag, Tag.check, tag.excerpted, at: source.offset) { tags.append(tag) }
        }
        return tags
    }

    /// Nil where the settings say nothing of it.
    private static func connection(_ settings: [String: String]) -> SavedConnection? {
        var connection = SavedConnection()
        // The maximum that Bruno has without a setting.
        if let text = settings["maxRedirects"], let maximum = Int(text), (0...1000).contains(maximum), maximum != 5 {
            connection.maximumRedirects = maximum
        }
        if settings["followRedirects"] == "false" { connection.maximumRedirects = 0 }
        return connection == SavedConnection() ? nil : connection
    }

    /// Nil where the settings have no limit of time.
    private static func policy(_ settings: [String: String]) -> RequestPolicy? {
        guard let text = settings["timeout"], let limit = Int(text), (1...86_400_000).contains(limit) else {
            return nil
        }
        return RequestPolicy(timeout: .milliseconds(limit))
    }

    // MARK: Settings

    /// The settings of a collection or a folder.
    mutating func settings(_ scope: BrunoScope, at offset: Int) -> SharedSettings {
        var settings = SharedSettings(description: scope.documentation, variables: variables(scope.variables))
        settings.headers = headers(scope.headers)
        // `none` at these levels asks the level above.
        if let credentials = scope.credentials, let found = authentication(credentials), found != .noAuthentication {
            settings.authentication = found
        }
        (settings.connection, settings.policy) = (Self.connection(scope.settings), Self.policy(scope.settings))
        if scope.settings["encodeUrl"] == "true" {
            log.loss(offset, "encodeUrl", "left out: each request says whether its URL is encoded")
        }
        for script in scope.scripts where !ScriptToken.tokens(of: script.text).isEmpty {
            log.loss(script.offset, "script of a folder", ForeignText.leftOut(script: script.text))
        }
        if let row = scope.captures.first(where: \.isEnabled) {
            log.loss(row.offset, "vars:post-response", "those of a folder are left out: a request captures")
        }
        return settings
    }

    mutating func environment(_ name: String, _ rows: [BrunoRow]) -> Environment {
        var environment = Environment(name: ForeignText.name(name, or: "default"), host: "")
        environment.variables = variables(rows)
        let missing = environment.variables.filter { $0.value.isEmpty && secretNames.contains($0.name) }.map(\.name)
        environment.variables.removeAll { missing.contains($0.name) }
        environment.secrets = missing.map { Secret($0, .prompt("")) }
        return environment
    }

    mutating func openEnvironment(_ value: ForeignValue, _ name: String) -> Environment {
        var environment = self.environment(name, value["variables"]?.brunoRows ?? [])
        environment.inherits = value["extends"]?.string
        let external = value["externalSecrets"]
        for row in external?["variables"]?.brunoRows ?? [] where row.isEnabled && !row.name.isEmpty {
            environment.secrets.append(Secret(log.variableName(row.name, at: row.offset), .prompt("")))
            let provider = external?["type"]?.string ?? "externalSecrets"
            log.loss(row.offset, provider.excerpted, "this source of a secret is not read; it is typed in")
        }
        if let file = value["dotEnvFilePath"], !file.text.isEmpty {
            log.remark(
                file.offset, file.text.excerpted,
                "not read: its variables are those of the process, or of an \"envFile\"")
        }
        if let certificates = value["clientCertificates"], !certificates.elements.isEmpty {
            log.loss(
                certificates.offset, "clientCertificates", "left out: set \"clientCertificate\" of the environment")
        }
        return environment
    }

    /// Gives environments the values of those that they extend.
    mutating func inherit(_ environments: inout [Environment]) {
        let all = Dictionary(environments.map { ($0.name, $0) }) { first, _ in first }
        for index in environments.indices {
            var (environment, seen) = (environments[index], Set<String>())
            var (name, base) = (environment.name, environment.inherits)
            environment.inherits = nil
            var known = Self.definedNames(environment)
            while let next = base, seen.insert(next).inserted {
                guard let found = all[next] else {
                    log.loss(0, name.excerpted, "extends \(next), which is not there".excerpted)
                    break
                }
                // Those of a long chain would be as many as the square of its length.
                guard seen.count <= Self.maximumBases else {
                    log.loss(0, name.excerpted, "extends more than \(Self.maximumBases) environments in a row")
                    break
                }
                environment.variables += found.variables.filter { !known.contains($0.name) }
                environment.secrets += found.secrets.filter { !known.contains($0.name) }
                known.formUnion(Self.definedNames(found))
                (name, base) = (next, found.inherits)
            }
            environments[index] = environment
        }
    }

    private static let maximumBases = 20

    private static func definedNames(_ environment: Environment) -> Set<String> {
        Set(environment.variables.filter(\.enabled).map(\.name) + environment.secrets.map(\.name))
    }

    /// The variables of a level; of several with one name the last that is enabled.
    mutating func variables(_ rows: [BrunoRow]) -> [Variable] {
        var variables = ForeignVariables()
        for row in rows where !row.name.isEmpty {
            let name = log.variableName(row.name, at: row.offset)
            let field = Field(name, template(row.value, at: row.offset), enabled: row.isEnabled)
                .described(row.description)
            if row.isSecret { secretNames.insert(name) }
            // A name for what has the same name outside.
            if field.value != "{{\(name)}}" { variables.add(field) }
        }
        return variables.all
    }

    // MARK: Rows

    /// The rows of a list; those without a name are none.
    mutating func fields(_ rows: [BrunoRow]) -> [Field] {
        rows.compactMap { row in
            let name = template(row.name, at: row.offset)
            guard !name.isEmpty else { return nil }
            let field = Field(name, template(row.value, at: row.offset), enabled: row.isEnabled)
            return field.described(row.description)
        }
    }

    private mutating func headers(_ rows: [BrunoRow]) -> [Field] {
        rows.compactMap { row in
            let name = template(row.name.trimmed, at: row.offset)
            guard !name.isEmpty, log.isHeader(name, at: row.offset) else { return nil }
            let value = template(ForeignText.line(row.value), at: row.offset)
            return Field(name, value, enabled: row.isEnabled).described(row.description)
        }
    }

    /// Notes the description of a row that becomes none.
    mutating func noteDescription(of row: BrunoRow) {
        guard !row.description.isEmpty else { return }
        log.loss(row.offset, "description", "left out with its row")
    }
}

/// The settings of a collection: its proxy and its client certificates.
extension BrunoReader {
    /// Takes the settings of `bruno.json`, or of the `config` of OpenCollection.
    mutating func configure(_ collection: inout Collection, _ value: ForeignValue?) {
        guard let value else { return }
        for environment in value["environments"]?.elements ?? [] {
            collection.environments.append(openEnvironment(environment, environment["name"]?.text ?? ""))
        }
        inherit(&collection.environments)
        if let proxy = value["proxy"] { setProxy(proxy, of: &collection) }
        let certificates = value["clientCertificates"]
        guard certificates?["enabled"]?.bool != false else { return }
        for certificate in (certificates?["certs"] ?? certificates)?.elements ?? []
        where certificate["disabled"]?.bool != true {
            setCertificate(certificate, of: &collection)
        }
    }

    private mutating func setProxy(_ value: ForeignValue, of collection: inout Collection) {
        let proxy = value["config"] ?? value
        let host = proxy["hostname"]?.text ?? ""
        // `inherit` takes the proxy of the program.
        guard value["enabled"]?.bool != false, value["enabled"]?.string == nil, value["disabled"]?.bool != true,
            value["inherit"]?.bool != true, !host.isEmpty
        else { return }
        let port = proxy["port"]?.text ?? ""
        let credentials = proxy["auth"]
        let isAuthenticated = credentials?["enabled"]?.bool ?? (credentials?["disabled"]?.bool != true)
        var user = isAuthenticated ? credentials?["username"]?.text ?? "" : ""
        let password = credentials?["password"]?.text ?? ""
        if !user.isEmpty, !password.isEmpty {
            user += ":" + secret("proxyPassword", password, &collection.variables, at: proxy.offset)
        }
        let scheme = proxy["protocol"]?.text ?? "http"
        let server = host + (port.isEmpty ? "" : ":" + port)
        let url = template("\(scheme)://\(user.isEmpty ? "" : user + "@")\(server)", at: proxy.offset)
        if log.passes(url, ConnectionText.checkProxy, "proxy", at: proxy.offset) {
            collection.connection = SavedConnection { $0.proxy = url }.merging(over: collection.connection)
        }
        if !(proxy["bypassProxy"]?.text ?? "").isEmpty {
            log.loss(proxy.offset, "bypassProxy", "the proxy is that of all hosts")
        }
    }

    /// Gives the certificate to the environments that have a URL on its domain: others may not see it.
    private mutating func setCertificate(_ value: ForeignValue, of collection: inout Collection) {
        let domain = value["domain"]?.text ?? ""
        let names = ["certFilePath", "certificateFilePath", "pfxFilePath", "pkcs12FilePath"]
        let file = names.lazy.compactMap { value[$0]?.text }.first { !$0.isEmpty } ?? ""
        guard !domain.isEmpty, !file.isEmpty else { return }
        var certificate = SavedCertificate(file: template(file, at: value.offset))
        let key = (value["keyFilePath"] ?? value["privateKeyFilePath"])?.text ?? ""
        if !key.isEmpty, !certificate.isPKCS12 { certificate.key = template(key, at: value.offset) }
        let password = value["passphrase"]?.text ?? ""
        var isUsed = false
        for index in collection.environments.indices
        where collection.environments[index].variables.contains(where: { Self.isURL($0.value, on: domain) }) {
            isUsed = true
            if !password.isEmpty {
                certificate.password = secret(
                    "certificatePassword", password, &collection.environments[index].variables, at: value.offset)
            }
            collection.environments[index].connection = SavedConnection { $0.clientCertificate = certificate }
        }
        guard !isUsed else { return }
        log.loss(
            value.offset, "client certificate for \(domain)".excerpted,
            "no environment has a URL on this domain; set \"clientCertificate\" of the right one")
    }

    private static func isURL(_ text: String, on domain: String) -> Bool {
        guard let mark = text.firstRange(of: "://"), text[mark.upperBound...].hasPrefix(domain) else { return false }
        let rest = text[mark.upperBound...].dropFirst(domain.count)
        return rest.isEmpty || ":/?#".contains(rest.first ?? "/")
    }

    /// Returns a template for a credential, which becomes a secret variable unless it is a template itself.
    private mutating func secret(
        _ name: String, _ value: String, _ variables: inout [Variable], at offset: Int
    ) -> String {
        guard !value.contains("{{") else { return template(value, at: offset) }
        secretNames.insert(name)
        if !variables.contains(where: { $0.name == name }) { variables.append(Field(name, value)) }
        return "{{\(name)}}"
    }

    // MARK: Exports

    /// The settings in the `root` of an exported collection or folder.
    mutating func exportedSettings(_ value: ForeignValue) -> SharedSettings {
        var scope = value["request"]?.exportedScope ?? BrunoScope()
        if scope.documentation.isEmpty { scope.documentation = value["docs"]?.string ?? "" }
        return settings(scope, at: value.offset)
    }

    mutating func noteOther(_ type: String?, at offset: Int) {
        log.loss(offset, (type ?? "item").excerpted, "left out: it is no request over HTTP")
    }
}

/// The templates of Bruno: `{{name}}`, `{{$guid}}`, `{{process.env.X}}`, `{{?a question}}`.
extension BrunoReader: TemplateReader {
    mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let name = inner.trimmed
        guard !name.isEmpty, !name.contains(where: { $0.isNewline || $0 == "{" || $0 == "\"" }) else { return nil }
        if let constant = constants[name] { return constant }
        if let manager = Self.managers.first(where: { name.hasPrefix($0) }), name.count > manager.count {
            let secret = log.variableName(name.dropFirst(manager.count).trimmed, at: offset)
            log.loss(
                offset, "{{\(name)}}".excerpted, "typed in; a command of the secret \(secret) may read it".excerpted)
            prompts.insert(secret)
            return "{{\(secret)}}"
        }
        if name.hasPrefix("$") { return log.dynamicVariable(name, among: &samples, at: offset) }
        if name.hasPrefix("?") {
            let secret = log.variableName(name.dropFirst().trimmed, at: offset)
            prompts.insert(secret)
            return "{{\(secret)}}"
        }
        let process = "process.env."
        guard name.hasPrefix(process), name.utf8.count > process.utf8.count else {
            return "{{\(log.variableName(name, at: offset))}}"
        }
        let variable = String(name.dropFirst(process.count))
        let secret = log.variableName(variable, at: offset)
        processSecrets[secret] = variable
        return "{{\(secret)}}"
    }

    /// The beginnings of the names of values that only a manager of secrets has.
    private static let managers = ["$secrets.", "vault:"]

    // MARK: Variables of a request

    /// Fills in the variable of the request that its URL begins with: the hosts of environments are found there.
    mutating func setConstant(of source: BrunoRequest) {
        constants = [:]
        let url = source.url.trimmed
        guard url.hasPrefix("{{"), let end = url.firstRange(of: "}}") else { return }
        let name = url[..<end.lowerBound].dropFirst(2).trimmed
        guard let row = source.scope.variables.last(where: { $0.isEnabled && $0.name == name }) else { return }
        constants[name] = renamed(row.value, at: row.offset)
    }
}
