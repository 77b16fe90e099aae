/// The pages of a run that follows them.
package struct PageSummary: Equatable, Sendable {
    /// The number of the newest page, from 1.
    package var count: Int
    /// The number of all pages; nil where the server does not say.
    package var expected: Int?
    /// True if there is a next page, which was not requested.
    package var hasMore: Bool

    package init(count: Int, expected: Int? = nil, hasMore: Bool = false) {
        self.count = count
        self.expected = expected
        self.hasMore = hasMore
    }

    /// `page 3 of 6`
    package var position: String { "page \(count)" + (expected.map { " of \($0)" } ?? "") }

    /// `3 of 6 pages`, `3 pages, more follow`
    package var words: String {
        if let expected, hasMore { return "\(count) of \(expected) pages" }
        return "\(count) page\(count == 1 ? "" : "s")" + (hasMore ? ", more follow" : "")
    }
}

/// The number of pages that a run requests, instead of that of its request.
package enum PageLimit: Equatable, Sendable {
    case count(Int)
    case all

    /// The maximum number of pages.
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
    /// The number of elements; zero where none are joined.
    private(set) var count: Int
    /// The number of elements of the newest page; nil where none are joined.
    private(set) var pageCount: Int?
    /// The document without what follows the last element, for a run that goes on with it.
    private var head: Data

    /// Creates the document of the first page.
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

    /// Creates the document of a page that nothing is joined to.
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

    /// Adds a later page.
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

    /// Ends the document: nothing can be added to this one any more.
    /// - Returns: a response with the head of the first page.
    mutating func end() -> TransportResponse {
        guard let store else { return first }
        head = store.data
        // Without room for the end, the document ends where it is.
        if case .array(_, let tail) = form { try? store.append(tail) }
        store.finish()
        self.store = nil
        return response(store.data)
    }

    /// The head of the document, with the type of what is joined.
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
