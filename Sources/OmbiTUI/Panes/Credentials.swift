/// Masks literal credentials on the screen. Templates are shown: they only name a secret.
enum Credentials {
    /// The text of a field of credentials, masked if it is a secret that is written out.
    static func masked(_ field: FieldDescriptor<SavedAuthentication>, of authentication: SavedAuthentication) -> String
    {
        let text = field.read(authentication)
        return field.isSecret && isOpen(text) ? LogMask.mask : text
    }

    /// Any cookie may be that of a session.
    static func masked(cookie: Field) -> String { isOpen(cookie.value) ? LogMask.mask : cookie.value }

    /// A URL may have a password, and tokens in its path and its query.
    static func masked(url: String) -> String { SecretDetector.masked(url: url) }

    static func masked(_ field: Field) -> String { SecretDetector.masked(field.value, named: field.name) }

    static func masked(variable: Field) -> String { SecretDetector.masked(variable: variable) }
}

/// False for a text that is empty, or a template, which names where the secret is.
private func isOpen(_ text: String) -> Bool { !text.isEmpty && !text.contains("{{") }
