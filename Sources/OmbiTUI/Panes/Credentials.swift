import OmbiCore
import OmbiWorkspace

/// Masks literal credentials on the screen, by the names that are masked in the log. Templates are shown: they only name
/// a secret.
enum Credentials {
    /// The text of a field of credentials, masked if it is a secret that is written out.
    static func masked(_ field: FieldDescriptor<SavedAuthentication>, of authentication: SavedAuthentication) -> String
    {
        let text = field.read(authentication)
        return field.isSecret && isOpen(text) ? LogMask.mask : text
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
        if let credential = authentication?.takeCredential(leaving: text) { return credential }
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

/// False for a text that is empty, or a template, which names where the secret is.
private func isOpen(_ text: String) -> Bool { !text.isEmpty && !text.contains("{{") }

extension SavedAuthentication {
    /// The same for the secrets of its kind.
    fileprivate mutating func takeCredential(leaving text: String) -> OpenCredential? {
        for field in kind.descriptors where field.isSecret && isOpen(field.read(self)) {
            let (name, value) = ("\(kind.rawValue) \(field.label)", field.read(self))
            try? field.write(&self, text)
            let variable = VariableUses.names(in: [field.example]).first ?? "secret"
            return OpenCredential(name: name, variable: variable, value: value)
        }
        return nil
    }
}

extension SavedConnection {
    /// The same for the passwords of a connection.
    fileprivate mutating func takeCredential(leaving text: String) -> OpenCredential? {
        if let password = clientCertificate?.password, isOpen(password) {
            clientCertificate?.password = text
            return OpenCredential(name: "key password", variable: "keyPassword", value: password)
        }
        if let password = proxyPassword, isOpen(password) {
            proxyPassword = text
            return OpenCredential(name: "password of the proxy", variable: "proxyPassword", value: password)
        }
        return nil
    }
}
