/// The URL of a command in its parts, as curl would send it.
struct CurlAddress {
    /// `https://api.example.com:8443`, without user and password; a template may stand for it.
    var server: String
    /// Decoded.
    var user: String?
    var password: String?
    var path: String
    /// As it is written; nil without a `?`.
    var query: String?

    /// Splits a URL, whose fragment is not sent.
    init(_ url: String) {
        let text = url.prefix { $0 != "#" }
        let start = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        let rest = text[end...]
        let authority = text[start..<end]
        path = String(rest.prefix { $0 != "?" })
        query = rest.firstIndex(of: "?").map { String(rest[rest.index(after: $0)...]) }
        guard let at = authority.lastIndex(of: "@") else {
            server = String(text[..<end])
            return
        }
        server = String(text[..<start] + authority[authority.index(after: at)...])
        let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // A plus sign is no space here.
        let decoded = parts.map { PercentEncoding.unescapeForm($0.replacing("+", with: "%2B")) }
        user = decoded[0]
        password = decoded.count > 1 ? decoded[1] : nil
    }

    mutating func add(query piece: [UInt8]?) {
        guard let piece, !piece.isEmpty else { return }
        let text =
            String(validating: piece, as: UTF8.self)
            ?? String(decoding: piece.flatMap { $0 < 0x80 ? [$0] : CurlPayload.escape($0) }, as: UTF8.self)
        let start = query ?? ""
        query = start + (start.isEmpty || start.hasSuffix("&") ? "" : "&") + text
    }

    /// The credentials of the user; nil without one.
    /// - Parameter template: returns the template that gives a text.
    func authentication(_ template: (_ text: String) -> String) -> SavedAuthentication? {
        user.map { .basic(BasicAuthentication(username: template($0), password: template(password ?? ""))) }
    }

    /// Adds the name of a file to a path that has none, as an upload goes to.
    mutating func add(file: String) {
        guard path.isEmpty || path.hasSuffix("/"), file != "-", file != "." else { return }
        let name = file.split(separator: "/").last.map { PercentEncoding.escape(String($0)) } ?? ""
        path = (path.isEmpty ? "/" : path) + name
    }

    /// Resolves the segments `.` and `..` (RFC 3986 §5.2.4).
    mutating func removeDotSegments() { path = RequestTarget.withoutDotSegments(path) }

    /// The last segments of the path; the host for a URL without a path.
    var name: String {
        let segments = path.split(separator: "/").suffix(2).map { PercentEncoding.unescapeForm($0) }
        let words = segments.map { $0.drop { $0 == ":" } }.filter { !$0.isEmpty }
        let host = server.firstRange(of: "://").map { String(server[$0.upperBound...]) } ?? server
        return (words.isEmpty ? host : words.joined(separator: " ")).visible
    }

    /// The rows of the query, if they send what is written; nil if the query must stay as it is.
    var rows: [Field]? {
        guard let query else { return [] }
        guard !query.isEmpty else { return nil }
        var rows: [Field] = []
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            // A row has a name.
            guard let equals = item.firstIndex(of: "="), equals > item.startIndex,
                TemplateText.plainParts(of: String(item[..<equals])).allSatisfy(Self.isKept),
                TemplateText.plainParts(of: String(item[item.index(after: equals)...])).allSatisfy(Self.isKept)
            else { return nil }
            let texts = [item[..<equals], item[item.index(after: equals)...]].map(PercentEncoding.unescapeForm)
            rows.append(Field(TemplateText.escaped(texts[0]), TemplateText.escaped(texts[1])))
        }
        return rows
    }

    private static func isKept(_ text: String) -> Bool {
        PercentEncoding.escapeParameter(PercentEncoding.unescapeForm(text)) == text
    }

    /// Sets the path and the query of a request, and the parameters of the path without values.
    func set(on request: inout SavedRequest) {
        let place = server + path
        if let rows {
            request.path = TemplateText.escaped(place)
            request.query = rows
        } else {
            request.path = TemplateText.escaped(place + "?" + (query ?? ""))
        }
        request.pathParameters = request.pathParameterNames.map { Field($0, "") }
    }
}

extension CurlRequestReader {
    mutating func address(_ url: ShellWord) throws(ImportError) -> CurlAddress {
        var text = RequestTarget.trimmed(url.text)
        if !operation.isOn(.globoff) {
            noteGlobs(in: text, at: url.offset)
            text = Self.globEscapes.reduce(text) { $0.replacing($1, with: String($1.suffix(1))) }
        }
        if let scheme = text.firstRange(of: "://"), !text[..<scheme.lowerBound].contains("{") {
            guard ["http", "https"].contains(text[..<scheme.lowerBound].lowercased()) else {
                throw log.error(url.offset, "only http:// and https:// can be sent, not \(text[..<scheme.upperBound])")
            }
        } else if !text.hasPrefix("{{") {
            if let problem = RequestTarget(text).problem { throw log.error(url.offset, problem) }
            let isHTTPS = operation.last(.protocolDefault)?.value?.text.lowercased() == "https"
            text = (isHTTPS ? "https://" : "http://") + text
        }
        var address = CurlAddress(text)
        guard address.server.drop(while: { $0 != "/" }) != "//" else {
            throw log.error(url.offset, "the URL has no host")
        }
        let isExpanded = address.server.contains { "{[".contains($0) }
        if !isExpanded, let problem = RequestTarget(text).problem { throw log.error(url.offset, problem) }
        if !operation.isOn(.pathAsIs) {
            address.removeDotSegments()
        } else if RequestTarget.hasDotSegments(address.path) {
            log.loss(url.offset, address.path, "a path with . or .. is sent as the path that it leads to")
        }
        return address
    }

    /// Brackets and braces of a URL that are no range and no set.
    private static let globEscapes = ["\\[", "\\]", "\\{", "\\}"]

    /// curl would send a request for each text of a range or a set.
    mutating func noteGlobs(in url: String, at offset: Int) {
        for (open, close) in [("[", "]"), ("{", "}")] {
            for plain in TemplateText.plainParts(of: url) {
                let part = (Self.globEscapes + ["[]"]).reduce(plain) { $0.replacing($1, with: "") }
                guard let start = part.firstRange(of: open), let end = part[start.upperBound...].firstRange(of: close)
                else { continue }
                let glob = part[start.lowerBound..<end.upperBound]
                let isAddress = open == "[" && glob.contains(":")
                if !isAddress {
                    log.loss(offset, String(glob), "not expanded: curl sends a request for each; -g takes it as it is")
                }
            }
        }
    }

    /// The values of `--url-query`.
    mutating func urlQuery() throws(ImportError) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        for argument in operation.all(.urlQuery) {
            guard let value = argument.value else { continue }
            let isEncoded = value.bytes.first == UInt8(ascii: "+")
            pieces.append(isEncoded ? Array(value.bytes.dropFirst()) : encoded(value, argument))
        }
        return pieces
    }

    mutating func set(_ address: CurlAddress, of request: inout SavedRequest, at offset: Int) {
        address.set(on: &request)
        let names = request.pathParameterNames
        if !names.isEmpty {
            let list = names.map { "/:" + $0 }.joined(separator: ", ")
            log.loss(offset, list, "a path parameter in Ombi; give it a value")
        }
    }
}
