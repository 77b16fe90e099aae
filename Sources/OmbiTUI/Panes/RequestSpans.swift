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

/// The responses to a request as a document describes them: a row for each status, and one for each value of its body.
enum DocumentedRows {
    /// Returns at most so many rows; where there are more, the last one says how to see them.
    static func rows(_ responses: [DocumentedResponse], maximum: Int = .max) -> [[Span]] {
        var rows: [[Span]] = []
        // The pane is drawn often, and the values of a response are found in its schema each time.
        for response in responses where rows.count <= maximum { rows += Self.rows(response) }
        guard rows.count > maximum else { return rows }
        rows.removeLast(rows.count - max(0, maximum - 1))
        return rows + [[Span(text: "… : in the request pane shows all", role: .dim)]]
    }

    private static func rows(_ response: DocumentedResponse) -> [[Span]] {
        let isUnjudged = response.isUnjudged
        let note = Span(text: "  not judged: its schema is too large or no JSON Schema", role: .dim)
        return [head(response)] + (isUnjudged ? [[note]] : []) + values(response.values)
    }

    /// `404       No such user  application/json`
    private static func head(_ response: DocumentedResponse) -> [Span] {
        let name = response.name.padded(to: nameColumns)
        return [
            Span(text: name, role: .forStatus(response.status?.codes.lowerBound)),
            Span(text: response.description, role: .plain),
            Span(text: "  " + response.contentTypes.joined(separator: ", "), role: .dim),
        ]
    }

    private static func values(_ values: [DocumentedValue]) -> [[Span]] {
        let columns = min(maximumPath, values.map { TextWidth.of($0.path) }.max() ?? 0)
        return values.map { value in
            [
                Span(text: "  " + value.path.padded(to: columns) + "  ", role: .key),
                Span(text: value.type, role: .plain),
                Span(text: value.isRequired ? "  required" : "", role: .dim),
            ]
        }
    }

    private static let nameColumns = 9
    private static let maximumPath = 40
}
