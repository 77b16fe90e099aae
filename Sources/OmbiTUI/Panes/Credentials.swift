import OmbiCore
import OmbiWorkspace

/// Masks literal credentials on the screen, by the names that are masked in the log. Templates are shown: they only name
/// a secret.
enum Credentials {
    /// The text of a field of credentials, masked if it is a secret that is written out.
    static func masked(_ field: FieldDescriptor<SavedAuthentication>, of authentication: SavedAuthentication) -> String
    {
        let text = field.read(authentication)
        return field.isSecret && !text.contains("{{") && !text.isEmpty ? LogMask.mask : text
    }

    static func masked(_ field: Field) -> String {
        guard RequestHeaders.Key(field.name).isSensitive, !field.value.contains("{"), !field.value.isEmpty else {
            return field.value
        }
        let scheme = field.value.split(separator: " ").first.map(String.init) ?? ""
        return scheme == field.value ? LogMask.mask : scheme + " " + LogMask.mask
    }
}

/// A credential that is written out in a request, where a template could stand.
struct OpenCredential: Equatable, Sendable {
    /// Its name in messages, such as "bearer token".
    var name: String
    /// The name of a variable for it.
    var variable: String
    var value: String
}

extension SavedRequest {
    /// The first credential that is written out; a file would have it in clear.
    var openCredential: OpenCredential? {
        var copy = self
        return copy.takeCredential(leaving: "")
    }

    /// Puts a text in the place of the first credential that is written out, and returns the credential.
    @discardableResult
    mutating func takeCredential(leaving text: String) -> OpenCredential? {
        let isOpen = { (text: String) in !text.isEmpty && !text.contains("{{") }
        switch authentication {
        case .bearer(var bearer) where isOpen(bearer.token):
            let credential = OpenCredential(name: "bearer token", variable: "token", value: bearer.token)
            bearer.token = text
            authentication = .bearer(bearer)
            return credential
        case .basic(var basic) where isOpen(basic.password):
            let credential = OpenCredential(name: "password", variable: "password", value: basic.password)
            basic.password = text
            authentication = .basic(basic)
            return credential
        case .apiKey(var key) where isOpen(key.value):
            let credential = OpenCredential(name: "API key", variable: "apiKey", value: key.value)
            key.value = text
            authentication = .apiKey(key)
            return credential
        case .digest(var digest) where isOpen(digest.password):
            let credential = OpenCredential(name: "password", variable: "password", value: digest.password)
            digest.password = text
            authentication = .digest(digest)
            return credential
        case .oauth2(var oauth2) where isOpen(oauth2.clientSecret) || isOpen(oauth2.password):
            let part: WritableKeyPath<OAuth2Authentication, String> =
                isOpen(oauth2.clientSecret) ? \.clientSecret : \.password
            let (name, variable) = part == \.clientSecret ? ("client secret", "clientSecret") : ("password", "password")
            let credential = OpenCredential(name: name, variable: variable, value: oauth2[keyPath: part])
            oauth2[keyPath: part] = text
            authentication = .oauth2(oauth2)
            return credential
        case .aws(var aws) where isOpen(aws.secretAccessKey):
            let credential = OpenCredential(name: "secret key", variable: "secretKey", value: aws.secretAccessKey)
            aws.secretAccessKey = text
            authentication = .aws(aws)
            return credential
        default: break
        }
        if let credential = connection?.takeCredential(leaving: text) { return credential }
        let isSensitive = { (field: Field) in RequestHeaders.Key(field.name).isSensitive && isOpen(field.value) }
        guard let index = headers.firstIndex(where: isSensitive) else { return nil }
        // A scheme such as `Token` is no secret.
        let parts = headers[index].value.split(separator: " ", maxSplits: 1).map(String.init)
        let value = parts.count == 2 ? parts[1] : headers[index].value
        let credential = OpenCredential(name: headers[index].name, variable: "token", value: value)
        headers[index].value = (parts.count == 2 ? parts[0] + " " : "") + text
        return credential
    }
}

extension SavedConnection {
    /// The same for the passwords of a connection.
    fileprivate mutating func takeCredential(leaving text: String) -> OpenCredential? {
        if let password = clientCertificate?.password, !password.isEmpty, !password.contains("{{") {
            clientCertificate?.password = text
            return OpenCredential(name: "key password", variable: "keyPassword", value: password)
        }
        if let password = proxyPassword, !password.isEmpty, !password.contains("{{") {
            proxyPassword = text
            return OpenCredential(name: "password of the proxy", variable: "proxyPassword", value: password)
        }
        return nil
    }
}
