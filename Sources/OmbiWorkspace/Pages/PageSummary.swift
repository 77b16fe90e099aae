/// The pages of a run that follows them.
public struct PageSummary: Equatable, Sendable {
    /// The number of the newest page, from 1.
    public var count: Int
    /// The number of all pages; nil where the server does not say.
    public var expected: Int?
    /// True if there is a next page, which was not requested.
    public var hasMore: Bool

    public init(count: Int, expected: Int? = nil, hasMore: Bool = false) {
        self.count = count
        self.expected = expected
        self.hasMore = hasMore
    }

    /// `page 3 of 6`
    public var position: String { "page \(count)" + (expected.map { " of \($0)" } ?? "") }

    /// `3 of 6 pages`, `3 pages, more follow`
    public var words: String {
        if let expected, hasMore { return "\(count) of \(expected) pages" }
        return "\(count) page\(count == 1 ? "" : "s")" + (hasMore ? ", more follow" : "")
    }
}

/// The number of pages that a run requests, instead of that of its request.
public enum PageLimit: Equatable, Sendable {
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
