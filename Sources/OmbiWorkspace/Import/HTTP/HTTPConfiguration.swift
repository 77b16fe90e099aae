/// A configuration of `Security.Auth` in a file of environments, by which the tools obtain the tokens of requests.
struct HTTPConfiguration {
    let id: String
    /// The name of its environment; empty for all.
    let environment: String
    let offset: Int
    /// Templates, by the names of the members in lower case.
    fileprivate(set) var texts: [String: String] = [:]
    /// Further parameters of the requests for a token.
    fileprivate(set) var parameters: [Field] = []
    /// The names of those that one of the requests has, and whether that is the one for the code.
    fileprivate(set) var partial: [String: Bool] = [:]

    fileprivate var grant: String { texts["grant type"]?.lowercased() ?? "" }

    /// The members that a configuration of Ombi has as well.
    fileprivate static let known: Set<String> = [
        "type", "grant type", "token url", "auth url", "device auth url", "redirect url", "client id", "client secret",
        "client credentials", "scope", "username", "password",
    ]
    /// Parts that Ombi has itself, and tokens that were kept.
    fileprivate static let implied: Set<String> = ["pkce", "acquire automatically", "auth_data"]
}

extension HTTPFileReader {
    /// Takes the configurations of an environment. Those of a later file complete the ones before.
    mutating func addConfigurations(_ security: ForeignValue, of environment: String) {
        log.loseMembers(of: security, besides: ["Auth"], withNull: true)
        for (id, value) in security["Auth"]?.members ?? [] where value.kind == .object {
            let index = configurations.firstIndex { $0.id == id && $0.environment == environment }
            var configuration =
                index.map { configurations[$0] }
                ?? HTTPConfiguration(id: id, environment: environment, offset: value.offset)
            for (key, member) in value.members { take(member, as: key, of: &configuration) }
            if let index {
                configurations[index] = configuration
            } else {
                configurations.append(configuration)
            }
        }
    }

    private mutating func take(_ member: ForeignValue, as key: String, of configuration: inout HTTPConfiguration) {
        let name = key.lowercased()
        if name == "custom request parameters" {
            (configuration.parameters, configuration.partial) = parameters(member)
        } else if HTTPConfiguration.known.contains(name) {
            configuration.texts[name] = template(member.text, at: member.offset)
        } else if name == "use id token" {
            if member.bool == true { log.loss(member.offset, key, "the access token is sent, not the ID token") }
        } else if !HTTPConfiguration.implied.contains(name), !member.text.isEmpty {
            log.loss(member.offset, key.excerpted, "left out: it has no counterpart")
        }
    }

    private mutating func parameters(_ list: ForeignValue) -> (all: [Field], partial: [String: Bool]) {
        var (fields, partial): ([Field], [String: Bool]) = ([], [:])
        for (name, member) in list.members {
            let value = member["Value"] ?? member
            let name = template(name, at: member.offset)
            if member.kind == .object, let use = member["Use"]?.string?.lowercased(), use != "everywhere" {
                partial[name] = use.contains("auth")
            }
            for one in value.kind == .array ? value.elements : [value] {
                fields.append(Field(name, template(one.text, at: one.offset)))
            }
        }
        return (fields, partial)
    }

    /// The authentication of a header such as `Bearer {{$auth.token("id")}}`; nil for another one.
    func configured(_ header: Substring) -> SavedAuthentication? {
        guard let open = header.firstRange(of: "{{"), let end = header.firstRange(of: "}}"),
            open.upperBound <= end.lowerBound, header[end.upperBound...].trimmed.isEmpty,
            header[..<open.lowerBound].trimmed.lowercased() == "bearer"
        else { return nil }
        let (call, function) = (header[open.upperBound..<end.lowerBound].trimmed, "$auth.token(")
        guard call.hasPrefix(function), call.hasSuffix(")") else { return nil }
        let id = call.dropFirst(function.count).dropLast().trimmed
        guard let quote = id.first, "\"'".contains(quote), id.count > 2, id.last == quote else { return nil }
        return tokens[String(id.dropFirst().dropLast())]
    }
}

extension HTTPEnvironmentList {
    /// Returns the authentications of configurations, by their identifiers. A text that differs between environments
    /// becomes a variable of each.
    mutating func authentications(
        of configurations: [HTTPConfiguration], _ log: inout ImportLog
    ) -> [String: SavedAuthentication] {
        var found: [String: SavedAuthentication] = [:]
        for configuration in configurations where found[configuration.id] == nil {
            let alike = configurations.filter { $0.id == configuration.id }
            let type = configuration.texts["type"] ?? ""
            guard ["", "oauth2"].contains(type.lowercased()) else {
                found[configuration.id] = log.unknownAuthentication(type, at: configuration.offset)
                continue
            }
            found[configuration.id] = .oauth2(oauth2(alike, first: configuration, &log))
        }
        return found
    }

    private mutating func oauth2(
        _ configurations: [HTTPConfiguration], first: HTTPConfiguration, _ log: inout ImportLog
    ) -> OAuth2Authentication {
        var oauth2 = OAuth2Authentication(
            tokenURL: text("token url", of: configurations, &log),
            clientID: text("client id", of: configurations, &log))
        switch first.grant {
        case "client credentials": oauth2.grant = .clientCredentials
        case "password":
            oauth2.grant = .password
            oauth2.username = text("username", of: configurations, &log)
            oauth2.password = text("password", of: configurations, isSecret: true, &log)
        case "device authorization":
            oauth2.grant = .deviceCode
            oauth2.deviceURL = text("device auth url", of: configurations, &log)
        default:
            oauth2.grant = .authorizationCode
            oauth2.authorizationURL = text("auth url", of: configurations, &log)
            oauth2.redirectURI = text("redirect url", of: configurations, &log)
            if first.grant != "authorization code" {
                let grant = first.grant.isEmpty ? "Grant Type" : first.grant
                log.loss(
                    first.offset, grant.excerpted, "this grant is not known; an authorization code stands in for it")
            }
        }
        let way = first.texts["client credentials"]?.lowercased() ?? ""
        oauth2.sendsSecretInBody = way == "in body"
        if way != "none" { oauth2.clientSecret = text("client secret", of: configurations, isSecret: true, &log) }
        oauth2.scope = text("scope", of: configurations, &log)
        let isCode = oauth2.grant == .authorizationCode
        oauth2.parameters = first.parameters.filter { isCode || first.partial[$0.name] != true }
        for name in first.partial.keys.sorted() where isCode {
            log.remark(first.offset, name.excerpted, "sent with each request of the authentication")
        }
        for other in configurations
        where other.grant != first.grant || other.parameters != first.parameters
            || other.texts["client credentials"]?.lowercased() ?? "" != way
        {
            log.loss(
                other.offset, other.id.excerpted,
                "the grant and the parameters are those of the environment \(first.environment)".excerpted)
        }
        return oauth2
    }

    /// The text of a member, or the template of a variable that has it in each environment.
    private mutating func text(
        _ key: String, of configurations: [HTTPConfiguration], isSecret: Bool = false, _ log: inout ImportLog
    ) -> String {
        let first = configurations.first?.texts[key] ?? ""
        guard let other = configurations.first(where: { $0.texts[key] ?? "" != first }) else { return first }
        var name = log.variableName("\(other.id)_\(ForeignText.word(key))", at: other.offset)
        while !isFree(name) { name += "2" }
        for configuration in configurations {
            set(Field(name, configuration.texts[key] ?? ""), in: configuration.environment)
        }
        if isSecret { secretNames.insert(name) }
        return "{{\(name)}}"
    }
}
