/// The place of a later page: a URL that a response names, or the value of a parameter of the query.
struct PageTarget: Equatable, Sendable {
    enum Place: Equatable, Sendable {
        case url(URL)
        case parameter(String, value: String)
    }

    var place: Place
    /// True once a page was at another origin: it and later pages receive nothing that belongs to the origin of the
    /// request.
    var isForeign = false
}

extension ResolvedRequest {
    /// The URL as sent; nil if it is invalid.
    var url: URL? { pageURL ?? URL(string: host + path + query.suffix) }

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

    /// Removes everything that a redirect withholds from another origin: credentials, secrets, the headers of the
    /// environment, and the settings of the connection for one server.
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
    /// The reason why the pages cannot continue, as a sentence.
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
    ///   - first: The request of the first page.
    ///   - page: The request of this page.
    ///   - joined: The number of items so far, including this page.
    ///   - count: The number of items of this page; nil if they are not counted.
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

    /// Returns the number of all pages, by the total and the items of the first page or the step of a parameter; nil if
    /// unknown.
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

    /// Throws once the time is over, because the results so far are inconclusive.
    func checkTime(_ path: String) throws(Failure) {
        if let interruption = time.interruption { throw Failure("\(path): \(interruption.reason)") }
    }
}

/// The pages of a run that follows them.
package struct PageSummary: Equatable, Sendable {
    /// The number of the newest page, from 1.
    package var count: Int
    /// The number of all pages; nil if the server does not report it.
    package var expected: Int?
    /// True if there is a next page, which was not requested.
    package var hasMore = false

    /// `page 3 of 6`
    package var position: String { "page \(count)" + (expected.map { " of \($0)" } ?? "") }

    /// `3 of 6 pages`, `3 pages, more follow`
    package var words: String {
        if let expected, hasMore { return "\(count) of \(expected) pages" }
        return "\(count) page\(count == 1 ? "" : "s")" + (hasMore ? ", more follow" : "")
    }
}

/// The number of pages that a run requests, overriding its request.
package enum PageLimit: Equatable, Sendable {
    case count(Int)
    case all

    var maximum: Int {
        switch self {
        case .count(let count): count
        case .all: SavedPages.maxima.upperBound
        }
    }
}

/// The pages of a list as one document that grows: the first page, with the elements of the later ones at the end of its
/// array. Pages without an array follow each other, JSON as a line each.
struct PageJoiner {
    private enum Form {
        /// With the JSONPath of the array, and what follows its last element on the first page.
        case array(path: String, tail: Data)
        case lines
        case bytes
    }

    private let first: TransportResponse
    private let form: Form
    /// The joined document; nil until a second page is on its way.
    private(set) var store: ResponseStore?
    /// The number of elements; zero if none are joined.
    private(set) var count: Int
    /// The number of elements of the newest page; nil if none are joined.
    private(set) var pageCount: Int?
    /// The document up to its last element, for a run that continues it.
    private var head: Data

    init(_ page: PageReader) throws(PageReader.Failure) {
        first = page.response
        let body = page.response.body ?? Data()
        guard let document = page.document, let root = document.firstRoot else {
            if let path = page.pages.items { throw Self.noArray(path) }
            (form, head, count) = (.bytes, body, 0)
            return
        }
        let path = page.pages.items ?? (document.kind(of: root) == .array ? "$" : nil)
        guard let path else {
            (form, head, count) = (.lines, Self.line(of: document), 0)
            return
        }
        let (inner, elements) = try Self.elements(path, document, page)
        (form, head) = (.array(path: path, tail: Data(body.dropFirst(inner.upperBound))), body.prefix(inner.upperBound))
        (count, pageCount) = (elements, elements)
    }

    /// Creates the document of a single page.
    init(whole response: TransportResponse) {
        (first, form, head, count) = (response, .bytes, response.body ?? Data(), 0)
    }

    private static func noArray(_ path: String) -> PageReader.Failure { .init("\(path) selects no array") }

    /// Returns the range from the first element to the end of the last one, and their number.
    private static func elements(
        _ path: String, _ document: JSONDocument, _ page: PageReader
    ) throws(PageReader.Failure) -> (Range<Int>, Int) {
        guard let query = try? JSONPath(path) else { throw .init("\(path) is no JSONPath") }
        var matches = query.matches(in: document, within: page.time)
        let (first, second) = (matches.next(), matches.next())
        try page.checkTime(path)
        guard let array = first, document.kind(of: array) == .array else { throw noArray(path) }
        if second != nil { throw .init("\(path) selects several values") }
        let start = document.range(of: array).lowerBound + 1
        guard let first = document.firstChild(of: array), let last = document.lastChild(of: array) else {
            return (start..<start, 0)
        }
        return (
            document.range(of: first).lowerBound..<document.range(of: last).upperBound,
            document.childCount(of: array)
        )
    }

    private static func line(of document: JSONDocument) -> Data {
        var line: [UInt8] = []
        for root in document.roots {
            document.appendLine(of: root, to: &line)
            line.append(0x0A)
        }
        return Data(line)
    }

    /// Begins the joined document with the pages so far.
    mutating func begin() throws(TransportError) {
        let store = ResponseStore()
        try store.append(head)
        self.store = store
    }

    mutating func add(_ page: PageReader) throws(PageReader.Failure) {
        let body = page.response.body ?? Data()
        do {
            switch form {
            case .array(let path, _):
                guard let document = page.document else { throw Self.noArray(path) }
                let (inner, elements) = try Self.elements(path, document, page)
                (count, pageCount) = (count + elements, elements)
                guard elements > 0 else { return }
                if count > elements { try store?.append(Data(",".utf8)) }
                try store?.append(body.dropFirst(inner.lowerBound).prefix(inner.count))
            case .lines:
                guard let document = page.document else { throw PageReader.Failure("the page is not JSON") }
                try store?.append(Self.line(of: document))
            case .bytes:
                if store?.data.last != 0x0A { try store?.append(Data("\n".utf8)) }
                try store?.append(body)
            }
        } catch let failure as PageReader.Failure {
            throw failure
        } catch {
            throw PageReader.Failure("\(error)")
        }
    }

    /// Ends the document.
    /// - Returns: A response with the head of the first page.
    mutating func end() -> TransportResponse {
        guard let store else { return first }
        head = store.data
        // Without room for the end, the document ends where it is.
        if case .array(_, let tail) = form { try? store.append(tail) }
        store.finish()
        self.store = nil
        return response(store.data)
    }

    /// The head of the document, with the type of the joined elements.
    var responseHead: ResponseHead {
        let response = response(nil)
        return ResponseHead(
            url: response.url ?? URL(filePath: "/"), statusCode: response.statusCode ?? 200,
            headers: response.headers ?? [:])
    }

    private func response(_ body: Data?) -> TransportResponse {
        var response = first
        response.body = body
        if case .lines = form { response.headers?[.contentType] = "application/x-ndjson" }
        return response
    }
}
