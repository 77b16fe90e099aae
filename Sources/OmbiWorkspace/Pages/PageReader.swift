/// The place of a later page: a URL that a response names, or the value of a parameter of the query.
struct PageTarget: Equatable, Sendable {
    enum Place: Equatable, Sendable {
        case url(URL)
        case parameter(String, value: String)
    }

    var place: Place
    /// True once a page was at another origin: it and the later ones get nothing that belongs to that of the request.
    var isForeign = false
}

extension ResolvedRequest {
    /// The URL as it is sent; nil for one that is not valid.
    var url: URL? { pageURL ?? URL(string: host + path + (query.encoded.map { "?" + $0 } ?? "")) }

    /// Returns the request of a later page.
    func page(at target: PageTarget) -> ResolvedRequest {
        var page = self
        switch target.place {
        case .parameter(let name, let value): page.query[name] = value
        case .url(let url): page.pageURL = target.isForeign ? url : withKey(url)
        }
        if target.isForeign { page.withhold() }
        return page
    }

    /// Adds an API key that goes into the query, and that the links of a server leave out.
    private func withKey(_ url: URL) -> URL {
        guard case .plain(.apiKey(let name, let value, .query)) = credentials else { return url }
        let text = url.absoluteString
        let query = text.firstIndex(of: "?").map { text[text.index(after: $0)...] }
        let names = (query ?? "").split(separator: "&").map { PercentEncoding.unescapeForm($0.prefix { $0 != "=" }) }
        guard !names.contains(name) else { return url }
        let key = PercentEncoding.escapeParameter(name) + "=" + PercentEncoding.escapeParameter(value)
        return URL(string: text + (query == nil ? "?" : query?.isEmpty ?? true ? "" : "&") + key) ?? url
    }

    /// Removes what a redirect withholds from another origin: credentials, secrets, the headers of the environment, and the
    /// settings of the connection that hold for one server.
    private mutating func withhold() {
        headers = RequestHeaders(
            headers.fields.filter { field in
                !field.key.isSensitive && !field.value.isSecret && field.key != .host
                    && sources.headers[field.key] == nil
            })
        additionalHeaders = [:]
        credentials = nil
        (sources.headers, sources.credentials, sources.url) = ([:], [], [])
        (isForeign, verifyTLS) = (true, true)
        (connection.tls.verifiesServer, connection.tls.clientCertificate) = (true, nil)
        (connection.tls.pinnedPublicKeys, connection.tls.caFile, connection.unixSocket) = ([], nil, nil)
    }
}

/// Finds the next page in the response of a page.
struct PageReader {
    /// The reason why the pages cannot go on, as a sentence.
    struct Failure: Error, Equatable {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    let response: TransportResponse
    let pages: SavedPages
    /// The body as JSON, parsed once; nil for another body.
    let document: JSONDocument?
    let time: EvaluationTime

    init(_ response: TransportResponse, _ pages: SavedPages, within time: EvaluationTime = EvaluationTime()) {
        (self.response, self.pages, self.time) = (response, pages, time)
        document = try? JSONDocument(checking: Bytes(response.body ?? Data()))
    }

    /// Returns the place of the next page; nil after the last one.
    /// - Parameters:
    ///   - first: the request of the first page.
    ///   - page: that of this one.
    ///   - joined: the number of items so far, with those of this page.
    ///   - count: the number of items of this page; nil where none are counted.
    func next(
        after page: ResolvedRequest, first: ResolvedRequest, joined: Int, count: Int?
    ) throws(Failure) -> PageTarget.Place? {
        switch pages.next {
        case .link(let relation): return response.links[relation.lowercased()].map { .url($0) }
        case .url(let path):
            guard let text = try text(at: path) else { return nil }
            let base = response.url ?? page.url
            guard let url = URL(string: text, relativeTo: base)?.absoluteURL, Origin.isAbsolute(url.absoluteString),
                let sent = URL(string: HostName.ascii(in: url.absoluteString))
            else {
                throw Failure("\(path) is no URL: \(JSONValue.quoted(text.excerpt(80)))")
            }
            return .url(sent)
        case .token(let path, let parameter):
            return try text(at: path).map { .parameter(parameter, value: $0) }
        case .count(let parameter, let start, let step):
            let number = try number(parameter, of: page) ?? start
            let (next, overflows) = number.addingReportingOverflow(step)
            if overflows || count == 0 { return nil }
            // Without items the total has the unit of the parameter.
            let done = count == nil ? next - (try self.number(parameter, of: first) ?? start) : joined
            if let total = try total(), done >= total { return nil }
            return .parameter(parameter, value: "\(next)")
        }
    }

    private func number(_ parameter: String, of page: ResolvedRequest) throws(Failure) -> Int? {
        guard let text = page.query[parameter] else { return nil }
        guard let number = Int(text), abs(number) <= Self.maximumNumber else {
            throw Failure("the parameter \(parameter) is no whole number: \(JSONValue.quoted(text.excerpt(80)))")
        }
        return number
    }

    private static let maximumNumber = 1 << 53

    /// Returns the number of all pages, by the total and the items of the first page or the step of a parameter; nil where
    /// it is not known.
    func expected(itemsOfFirst count: Int?) -> Int? {
        guard let total = try? total(), total > 0 else { return nil }
        if let count { return count > 0 ? (total - 1) / count + 1 : nil }
        guard case .count(_, _, let step) = pages.next else { return nil }
        return (total - 1) / step + 1
    }

    /// Returns the number of all items; nil without one.
    func total() throws(Failure) -> Int? {
        guard let path = pages.total, let node = try node(at: path), let document else { return nil }
        let text = document.text(of: node)?.string ?? document.source(of: node)
        guard let total = Int(text) ?? Double(text).flatMap(Int.init(exactly:)) else {
            throw Failure("\(path) is no whole number: \(text.excerpt(80))")
        }
        return total
    }

    /// Returns the text of a value; nil for null, false, an empty text, and where there is no value.
    private func text(at path: String) throws(Failure) -> String? {
        guard let node = try node(at: path), let document else { return nil }
        switch document.kind(of: node) {
        case .null, .false: return nil
        case .string: return document.text(of: node).map(\.string).flatMap { $0.isEmpty ? nil : $0 }
        case .number, .true: return document.source(of: node)
        case .array, .object: throw Failure("\(path) selects an array or an object")
        }
    }

    private func node(at path: String) throws(Failure) -> JSONNode? {
        guard let document else { throw Failure("the body is not JSON, so \(path) selects nothing") }
        guard let query = try? JSONPath(path) else { throw Failure("\(path) is no JSONPath") }
        var matches = query.matches(in: document, within: time)
        let node = matches.next()
        try checkTime(path)
        return node
    }

    /// Throws once the time is over: what was found so far says nothing.
    func checkTime(_ path: String) throws(Failure) {
        if let interruption = time.interruption { throw Failure("\(path): \(interruption.reason)") }
    }
}
