/// The address of a request.
extension Resolution {
    static let connectReason = "CONNECT asks a proxy for a tunnel, and is no request to a server"

    /// Only a literal `?` or `#` begins a query or a fragment, not one in the value of a template.
    mutating func address() throws(ResolveError) -> Address {
        if request.method == .connect { throw error("method", Self.connectReason) }
        defer { sources.url.formUnion(scope.takeSources()) }
        literals.add(request.path, named: "path")
        let (pattern, written) = Self.split(try checked(request.target))
        if let written, written.utf8.contains(UInt8(ascii: "%")) { literals.add(query: written) }
        var filled = try filledPath(pattern)
        var queries: [String] = []
        if (try? Template(pattern))?.only != nil {
            // A variable may hold a whole URL, with its query.
            let (path, own) = Self.split(filled)
            if let own { queries.append(PercentEncoding.escapeWrittenQuery(String(own))) }
            filled = path
        }
        if let written { queries.append(try filledQuery(written)) }
        if filled.utf8.first != UInt8(ascii: "/") {
            filled = try checked(RequestTarget(filled))
        }
        let isAbsolute = Origin.isAbsolute(filled)
        let isWebSocket = Origin.isWebSocket(filled)
        filled = Origin.httpForm(of: filled)
        let pathStart = isAbsolute ? Origin.pathStart(of: filled) : filled.startIndex
        let path = PercentEncoding.escapePath(String(filled[pathStart...]))
        let server = isAbsolute ? try foreignHost(filled[..<pathStart]) : try environmentHost()
        let (host, resolvedPath) = RequestTarget.withoutDotSegments(
            host: server, path: path.isEmpty || path.hasPrefix("/") ? path : "/" + path)
        self.host = host
        return Address(
            host: host, hostSource: isAbsolute ? .request : .environment(environment?.name ?? ""), path: resolvedPath,
            query: queries.isEmpty ? ResolvedQuery() : ResolvedQuery(encoded: queries.joined(separator: "&")),
            isForeign: isAbsolute && !isEnvironmentOrigin(host), isWebSocket: isWebSocket)
    }

    /// Returns the text of a target to which something can be sent.
    mutating func checked(_ target: RequestTarget, _ field: String = "path") throws(ResolveError) -> String {
        guard let problem = target.problem else { return target.text }
        // The error has a part of the text, in which a part of a secret would not be told.
        hideSecrets(splitBy: String(target.text[..<Origin.pathStart(of: target.text)]))
        let isTold = target.isURL || scope.revealed.isEmpty
        throw error(field, isTold ? problem : "it is not a URL once its templates are filled in")
    }

    /// Returns the path with its templates filled in, and its parameters percent-encoded.
    private mutating func filledPath(_ path: String) throws(ResolveError) -> String {
        var filled = ""
        for part in PathPattern(path).parts {
            switch part {
            case .text(let text): filled += try filledURL(text, "path")
            case .parameter(let name): filled += PercentEncoding.escape(try parameter(name))
            }
        }
        return filled
    }

    /// Returns the text of a URL, or a part of it, with its templates filled in. The values in its user info are
    /// percent-encoded, because an `@` or a `/` in one of them would begin a host or a path.
    private mutating func filledURL(_ text: String, _ field: String) throws(ResolveError) -> String {
        let userInfo = Self.templatesInUserInfo(of: text)
        var index = -1
        return try fill(
            text, field,
            value: { value in
                index += 1
                return userInfo.contains(index) ? PercentEncoding.escape(value).replacing("%3A", with: ":") : value
            })
    }

    /// The numbers of the templates before the `@` of an absolute URL, counted from 0.
    private static func templatesInUserInfo(of text: String) -> Range<Int> {
        guard text.utf8.contains(UInt8(ascii: "@")), let parts = try? Template(text).parts else { return 0..<0 }
        let template: Character = "\u{FFFC}"
        let url = parts.map { if case .text(let text) = $0 { text } else { String(template) } }.joined()
        let scheme = url.prefix { $0 != "/" }
        guard scheme.last == ":", url[scheme.endIndex...].hasPrefix("//") else { return 0..<0 }
        let authority = url[scheme.endIndex...].dropFirst(2).prefix { !"/?#".contains($0) }
        let userInfo = authority[..<(authority.lastIndex(of: "@") ?? authority.startIndex)]
        let first = scheme.count { $0 == template }
        return first..<first + userInfo.count { $0 == template }
    }

    /// Returns the query percent-encoded: its text is unchanged, the values of its templates are escaped.
    private mutating func filledQuery(_ query: Substring) throws(ResolveError) -> String {
        try filledQuery(String(query), "path", after: query.base[..<query.startIndex].count)
    }

    mutating func filledQuery(
        _ query: String, _ field: String, after start: Int = 0
    ) throws(ResolveError) -> String {
        try fill(
            query, field, after: start,
            plain: PercentEncoding.escapeWrittenQuery, value: PercentEncoding.escapeParameter)
    }

    private mutating func parameter(_ name: String) throws(ResolveError) -> String {
        let known = request.pathParameters.filter(\.enabled)
        guard let field = known.first(where: { $0.name == name }) else {
            throw error("path", Self.noParameter(name, in: known))
        }
        literals.add(field.value, named: name)
        let value = try fill(field.value, "path parameter \"\(name)\"")
        guard !value.isEmpty else { throw error("path parameter \"\(name)\"", "the value is empty") }
        if value == "." || value == ".." {
            throw error("path parameter \"\(name)\"", Self.dotReason)
        }
        return value
    }

    /// The reason why `.` and `..` are no values of a path parameter, which is one segment whatever it is.
    static let dotReason = "the value leads to another path; write the path that is meant"

    private mutating func foreignHost(_ text: Substring) throws(ResolveError) -> String {
        hideSecrets(splitBy: String(text))
        guard Origin(String(text)) != nil else { throw error("path", HostText.noURL(String(text))) }
        return HostName.ascii(in: String(text))
    }

    mutating func environmentHost() throws(ResolveError) -> String {
        guard let environment else {
            throw error(
                "path", "it does not begin with http://, https://, ws:// or wss://, and no environment is selected")
        }
        let field = "host of the environment \(environment.name)"
        if environment.host.utf8.contains(UInt8(ascii: "@")) { literals.add(environment.host, named: "host") }
        var host = RequestTarget.host(try filledURL(environment.host, field))
        hideSecrets(splitBy: host)
        while host.last == "/" { host.removeLast() }
        if host.isEmpty || host.first == "/", let name = Self.firstVariable(of: environment.host) {
            let advice = "give it the URL of the server, such as https://api.example.com"
            throw error(field, "the variable \(name) is empty; \(advice)")
        }
        if let problem = HostText.problem(with: host) { throw error(field, problem) }
        let pathStart = Origin.pathStart(of: host)
        return HostName.ascii(in: String(host[..<pathStart])) + PercentEncoding.escapePath(String(host[pathStart...]))
    }

    /// The name of the variable that a host begins with; nil for another text.
    private static func firstVariable(of host: String) -> String? {
        guard host.hasPrefix("{{"), let end = host.firstRange(of: "}}") else { return nil }
        return host[..<end.lowerBound].dropFirst(2).trimmed
    }

    /// Hides the parts of secrets that a URL has made its host: a host that is not found is named alone.
    private mutating func hideSecrets(splitBy url: String) {
        guard !scope.revealed.isEmpty else { return }
        partsInHost.formUnion(scope.revealed.flatMap { SecretForms.parts(of: $0, inHostOf: url) })
    }

    static func noParameter(_ name: String, in known: [Field]) -> String {
        let hint = Spelling.hint(for: name, in: known.map(\.name))
        return "no path parameter is named \"\(name)\"\(hint); add it, or take :\(name) out of the path"
    }

    /// An invalid host counts as another one, so that it gets no headers of the environment.
    private mutating func isEnvironmentOrigin(_ host: String) -> Bool {
        var other = self
        defer {
            let before = scope.sources
            scope = other.scope
            scope.sources = before
        }
        guard let own = try? other.environmentHost() else { return false }
        return Origin(own) == Origin(host)
    }

    /// Returns the text before the first `?` and the text after it, nil without one. A `#fragment` is never sent (RFC 9110 §7.1).
    private static func split(_ text: String) -> (path: String, query: Substring?) {
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        guard let mark = text[..<end].utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(text[..<end]), nil) }
        return (String(text[..<mark]), text[text.utf8.index(after: mark)..<end])
    }
}

/// The path of a saved request without its query, split at its `:name` parameters.
struct PathPattern {
    enum Part: Equatable {
        case text(String)
        case parameter(String)
    }

    let parts: [Part]

    /// A parameter follows a `/` and a colon: letters, digits and underscores.
    init(_ path: String) {
        guard Self.mayHaveParameters(path) else {
            parts = [.text(path)]
            return
        }
        var parts: [Part] = []
        var text = ""
        var rest = path[...]
        while let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
            let behind = path.utf8.index(after: slash)
            text.append(contentsOf: rest[..<behind])
            rest = path[behind...]
            guard rest.utf8.first == UInt8(ascii: ":") else { continue }
            let name = rest[rest.utf8.index(after: behind)...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !name.isEmpty else { continue }
            parts += [.text(text), .parameter(String(name))]
            text = ""
            rest = rest[name.endIndex...]
        }
        text.append(contentsOf: rest)
        self.parts = parts + [.text(text)]
    }

    /// True for a path with a colon after a slash, which few have.
    fileprivate static func mayHaveParameters(_ path: String) -> Bool {
        var previous: UInt8 = 0
        return path.utf8.contains { byte in
            defer { previous = byte }
            return byte == UInt8(ascii: ":") && previous == UInt8(ascii: "/")
        }
    }

    /// The names of the parameters, in order.
    var parameters: [String] {
        parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}

extension SavedRequest {
    /// The names of the parameters in the path, each once, in order.
    package var pathParameterNames: [String] {
        guard PathPattern.mayHaveParameters(path) else { return [] }
        let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let names = PathPattern(String(path[..<(end ?? path.endIndex)])).parameters
        return names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
    }
}

extension Environment {
    /// Returns the host for a typed text, which needs no scheme where a URL needs none. It may be invalid.
    package static func host(from written: String) -> String {
        let target = RequestTarget(RequestTarget.withoutDoubledScheme(written))
        let hasScheme = target.isURL || target.problem != nil
        // A name alone, which would be a path as a URL, is a server here; a template may have the scheme.
        let isName = !hasScheme && !target.text.isEmpty && !["/", "{{"].contains { target.text.hasPrefix($0) }
        return isName ? "http://" + target.text : target.text
    }
}

extension SavedRequest {
    /// The meaning of the path as written.
    package var target: RequestTarget { RequestTarget(path) }

    /// True for a whole URL, which does not use the host of the environment.
    package var isAbsolute: Bool { target.isURL }
}
