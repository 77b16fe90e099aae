/// Highlights the templates in a text.
enum TemplateSpans {
    /// - Parameter known: the names that have a value; nil where that is not known.
    static func spans(of text: String, plain: Role, known: [String]? = nil) -> [Span] {
        let bytes = Array(text.utf8)
        var spans: [Span] = []
        var next = 0
        func add(_ range: Range<Int>, _ role: Role) {
            guard !range.isEmpty else { return }
            spans.append(Span(text: String(decoding: bytes[range], as: UTF8.self), role: role))
        }
        for template in TemplateScanner.templates(in: bytes[...]) {
            add(next..<template.range.lowerBound, plain)
            add(template.range, role(of: template.names, known))
            next = template.range.upperBound
        }
        add(next..<bytes.count, plain)
        return spans
    }

    /// The role of a template: one with an error, or with a name that has no value, is an error when it is sent.
    static func role(of names: [String]?, _ known: [String]?) -> Role {
        guard let known else { return .variable }
        return names?.allSatisfy(known.contains) ?? false ? .variable : .unknownVariable
    }
}

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
