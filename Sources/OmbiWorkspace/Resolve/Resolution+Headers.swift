import OmbiCore

/// The headers and the credentials of a request, its own and inherited ones.
extension Resolution {
    struct Headers {
        /// All headers but those of the environment.
        var headers = RequestHeaders()
        /// The headers of the environment.
        var additional = RequestHeaders()
        var credentials: RequestAuthentication?
        var credentialsSource: Provenance?
        /// The levels of the inherited headers.
        var sources: [RequestHeaders.Key: Provenance] = [:]
    }

    mutating func headers(
        _ inheritance: Inheritance, isForeign: Bool, contentType: RequestHeaders.Value?
    ) throws(ResolveError) -> Headers {
        var result = Headers()
        var precedence = HeaderPrecedence()
        for level in [request.level] + inheritance.levels(isForeign: isForeign) {
            try add(level, to: &result, &precedence)
            guard level.source == .request, let contentType else { continue }
            if precedence.takes(.contentType) {
                result.headers[.contentType] = contentType
            } else {
                result.headers.addBoundary(of: contentType)
            }
        }
        return result
    }

    /// A header that is written out wins over those of authentication and body.
    private mutating func add(
        _ level: Inheritance.Level, to result: inout Headers, _ precedence: inout HeaderPrecedence
    ) throws(ResolveError) {
        let place = level.source.place
        for field in precedence.take(try names(of: level.settings.headers, "header" + place)) {
            let key = RequestHeaders.Key(field.name)
            let value = RequestHeaders.Value(try fill(field.value, "header \"\(field.name)\"" + place))
            try check(value, "header \"\(field.name)\"" + place)
            if case .environment = level.source {
                result.additional.append(value, forKey: key)
            } else {
                result.headers.append(value, forKey: key)
            }
            if level.source != .request { result.sources[key] = level.source }
        }
        guard let saved = precedence.decide(level.settings.authentication),
            let credentials = try credentials(saved, place)
        else { return }
        let key = credentials.headerKey
        guard precedence.takes(key) else { return }
        (result.credentials, result.credentialsSource) = (credentials, level.source)
        guard let key else { return }
        result.headers[key] = credentials.headerValue
        if level.source != .request { result.sources[key] = level.source }
    }

    /// The enabled headers with their names filled in.
    private mutating func names(of fields: [Field], _ kind: String) throws(ResolveError) -> [Field] {
        var result: [Field] = []
        for field in fields where field.enabled {
            let name = try fill(field.name, "\(kind) \"\(field.name)\"")
            guard HeaderCheck.isToken(name) else { throw error("\(kind) \"\(name)\"", HeaderCheck.nameForm) }
            result.append(Field(name, field.value))
        }
        return result
    }

    private mutating func credentials(
        _ authentication: SavedAuthentication, _ place: String
    ) throws(ResolveError) -> RequestAuthentication? {
        guard let saved = authentication.credentials else { return nil }
        let name = "authentication \(type(of: saved).kind.rawValue)" + place
        let credentials = try saved.prepare { text, field throws(ResolveError) in try fill(text, field + place) }
        do throws(MalformedRequest) { try credentials.check() } catch { throw self.error(name, error.reason) }
        try check(credentials.headerValue, name)
        if case .basic = credentials, let encoded = credentials.headerValue?.text.split(separator: " ").last {
            encodedCredentials.append(String(encoded))
        }
        return credentials
    }
}

extension RequestHeaders {
    /// Completes a written `multipart/…`: a form cannot be read without its boundary, which nobody writes out.
    fileprivate mutating func addBoundary(of contentType: RequestHeaders.Value) {
        guard let own = self[.contentType]?.text, let boundary = contentType.text.firstRange(of: "; boundary="),
            own.lowercased().hasPrefix("multipart/"), !own.lowercased().contains("boundary=")
        else { return }
        self[.contentType] = .string(own + contentType.text[boundary.lowerBound...])
    }
}

extension Provenance {
    /// ` of the folder users`, behind the name of a part in an error; empty for the request itself.
    var place: String {
        switch self {
        case .request, .commandLine, .ombi: ""
        case .collection: " of the collection"
        case .folder(let name, _): " of the folder \(name)"
        case .environment(let name): " of the environment \(name)"
        }
    }
}
