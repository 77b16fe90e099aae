/// The tokens that httpyac obtains by OAuth 2.
extension HTTPFileReader {
    /// Returns the authentication for words such as `client_credentials local`: a grant, and the beginning of the names
    /// of the variables that it is made of.
    mutating func token(_ words: [String], at offset: Int) -> SavedAuthentication {
        let known = environmentNames.union(variables.map(\.name))
        let prefixes = [words.dropFirst().first, "oauth2"].compactMap { $0 }
        let value = { (name: String) -> String in
            prefixes.map { "\($0)_\(name)" }.first { known.contains($0) }.map { "{{\($0)}}" } ?? ""
        }
        guard let grant = Self.grants[words.first ?? "client_credentials"],
            ["tokenEndpoint", grant.needed].allSatisfy({ !value($0).isEmpty })
        else { return log.unknownAuthentication("oauth2", at: offset) }
        var oauth2 = OAuth2Authentication(
            grant: grant, tokenURL: value("tokenEndpoint"), clientID: value("clientId"),
            clientSecret: value("clientSecret"), scope: value("scope"))
        switch grant {
        case .clientCredentials: break
        case .password: (oauth2.username, oauth2.password) = (value("username"), value("password"))
        case .deviceCode: oauth2.deviceURL = value(grant.needed)
        case .authorizationCode:
            (oauth2.authorizationURL, oauth2.redirectURI) = (value(grant.needed), value("redirectUri"))
        }
        oauth2.parameters = ["audience", "resource"].filter { !value($0).isEmpty }.map { Field($0, value($0)) }
        return .oauth2(oauth2)
    }

    private static let grants: [String: OAuth2Authentication.Grant] = [
        "client_credentials": .clientCredentials, "client": .clientCredentials, "password": .password,
        "authorization_code": .authorizationCode, "code": .authorizationCode, "device_code": .deviceCode,
    ]
}

extension OAuth2Authentication.Grant {
    /// The end of the name of a variable of httpyac that no request for a token goes without.
    fileprivate var needed: String {
        switch self {
        case .clientCredentials: "clientId"
        case .password: "username"
        case .deviceCode: "deviceCodeEndpoint"
        case .authorizationCode: "authorizationEndpoint"
        }
    }
}
