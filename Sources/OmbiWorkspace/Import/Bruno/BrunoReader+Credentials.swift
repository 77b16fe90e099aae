import OmbiCore

/// The credentials of collections, folders and requests.
extension BrunoReader {
    /// Returns the credentials; nil for those that are inherited.
    mutating func authentication(_ source: BrunoCredentials) -> SavedAuthentication? {
        switch source.mode {
        case "inherit": return nil
        case "none", "": return .noAuthentication
        case "basic":
            return .basic(
                BasicAuthentication(username: text(source, "username"), password: text(source, "password")))
        case "digest":
            return .digest(
                DigestAuthentication(username: text(source, "username"), password: text(source, "password")))
        case "ntlm":
            return .ntlm(
                NTLMAuthentication(
                    username: text(source, "username"), password: text(source, "password"),
                    domain: text(source, "domain")))
        case "bearer": return .bearer(BearerAuthentication(token: text(source, "token")))
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
        if source.values.keys.contains(where: { $0.hasPrefix("parameter:") }) {
            log.loss(source.offset, "additional parameters", "left out: write them into \"parameters\" of the grant")
        }
    }
}
