import OmbiWorkspace

/// The kind of body and its fields, as the kinds describe them.
extension RequestField {
    static let bodyKind = RequestField(
        "body.kind", label: "Body",
        choices: [FieldChoice("none", note: "no body")]
            + SavedBody.Kind.allCases.map { FieldChoice($0.rawValue, note: $0.note) }
    ) {
        $0.body?.kind.rawValue ?? "none"
    } write: { request, name in
        request.changeBody(to: SavedBody.Kind(rawValue: name))
    }

    static func fields(of body: SavedBody) -> [RequestField] {
        fields(body.descriptors, of: \.body, "body.\(body.kind.rawValue)")
    }

    static let authenticationKind = RequestField(
        "authentication.kind", label: "Authentication",
        choices: SavedAuthentication.choices
    ) {
        $0.authentication?.kind.rawValue ?? "inherit"
    } write: { request, name in
        request.changeAuthentication(to: SavedAuthentication.Kind(rawValue: name))
    }

    static func fields(of authentication: SavedAuthentication) -> [RequestField] {
        let kind = authentication.kind
        return fields(kind.descriptors, of: \.authentication, "authentication.\(kind.rawValue)")
    }

    private static func fields<Part>(
        _ descriptors: [FieldDescriptor<Part>], of part: WritableKeyPath<SavedRequest, Part?> & Sendable, _ id: String
    ) -> [RequestField] {
        descriptors.indices.compactMap { first(of: descriptors[$0...], part, id) }
    }

    /// The first of these fields; the next one follows it.
    private static func first<Part>(
        of descriptors: ArraySlice<FieldDescriptor<Part>>, _ part: WritableKeyPath<SavedRequest, Part?> & Sendable,
        _ id: String
    ) -> RequestField? {
        guard let descriptor = descriptors.first else { return nil }
        let rest = descriptors.dropFirst()
        let partner: (@Sendable () -> RequestField?)? = rest.isEmpty ? nil : { @Sendable in first(of: rest, part, id) }
        return RequestField(
            "\(id).\(descriptor.label)", label: descriptor.label, choices: descriptor.choices,
            example: descriptor.example, need: { $0[keyPath: part].map(descriptor.need) ?? .unused }, partner: partner,
            completes: { _ in descriptor.isPath ? .file(after: "") : .none },
            read: { $0[keyPath: part].map(descriptor.read) ?? "" },
            write: { request, text throws(FieldError) in
                guard var changed = request[keyPath: part] else { return }
                try descriptor.write(&changed, text)
                request[keyPath: part] = changed
            })
    }
}

/// The captures, the policy, the connection and the expectations of a request.
extension RequestField {
    /// The parts of a capture beside its name and its source.
    static func capture(_ row: Int) -> [RequestField] {
        Capture.fields.map { field in
            RequestField(
                "capture[\(row)].\(field.label)", label: field.label, choices: field.choices, example: field.example
            ) {
                $0.captures[safe: row].map(field.read) ?? ""
            } write: { request, text throws(FieldError) in
                guard var changed = request.captures[safe: row] else { return }
                try field.write(&changed, text)
                request.captures.change(row) { $0 = changed }
            }
        }
    }

    static let policy = RequestPolicy.fields.map { setting in
        RequestField("policy.\(setting.label)", label: setting.label) {
            setting.read($0.policy ?? RequestPolicy())
        } write: { request, text throws(FieldError) in
            var changed = request.policy ?? RequestPolicy()
            try setting.write(&changed, text)
            request.policy = changed == RequestPolicy() ? nil : changed
        }
    }

    static let objective = RequestField("objective", label: "objective", example: Objective.example) {
        $0.objective?.text ?? ""
    } write: { request, text throws(FieldError) in
        try Objective.write(text, to: &request.objective)
    }

    static let pages = SavedPages.fields.map { field in
        RequestField("pages.\(field.label)", label: field.label, example: field.example) {
            field.read($0.pages)
        } write: { request, text throws(FieldError) in
            try field.write(&request.pages, text)
        }
    }

    static let fallback = RequestField(
        "fallbackResponse", label: "fallback", completes: { _ in .file(after: "file ") }
    ) {
        $0.fallbackText
    } write: { request, text throws(FieldError) in
        try request.setFallback(text)
    }

    static let connection = SavedConnection.fields.map { setting in
        RequestField(
            "connection.\(setting.label)", label: setting.label, choices: setting.choices,
            completes: { _ in setting.isPath ? .file(after: "") : .none }
        ) {
            setting.read($0.connection ?? SavedConnection())
        } write: { request, text throws(FieldError) in
            var changed = request.connection ?? SavedConnection()
            try setting.write(&changed, text)
            request.connection = changed == SavedConnection() ? nil : changed
        }
    }

    static let expectations = Expectation.fields.map { expectation in
        RequestField(
            "expect.\(expectation.label)", label: expectation.label, example: expectation.example,
            completes: { _ in expectation.isPath ? .file(after: "") : .none }
        ) {
            expectation.read($0.expect ?? Expectation())
        } write: { request, text throws(FieldError) in
            var changed = request.expect ?? Expectation()
            try expectation.write(&changed, text)
            request.expect = changed == Expectation() ? nil : changed
        }
    }
}

extension FieldDescriptor<SavedConnection> {
    /// The value where no level sets one, for display.
    var standard: String {
        switch label {
        case "proxy": "that of http_proxy and https_proxy"
        case "CA file": "those of the system"
        case "minimum TLS": "1.2"
        case "HTTP version": "automatic"
        case "redirects": "20"
        case "IP version": "any"
        case "cookies": "no"
        default: "none"
        }
    }
}
