import OmbiDocument

/// A word by which requests are found and chosen.
public enum Tag {
    private static let maximumCount = 100
    private static let maximumLength = 60

    static func check(_ text: String) throws(FieldError) {
        let isWord = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "," || $0 == "!" || $0 == "#" }
        guard isWord, text.count <= maximumLength else {
            throw FieldError("a tag is a word without spaces, commas, ! and #, such as smoke")
        }
    }

    /// Reads tags with spaces or commas between them; a repeated one counts once.
    public static func list(_ text: String) throws(FieldError) -> [String] {
        var tags: [String] = []
        for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) {
            try check(word)
            if !tags.contains(word) { tags.append(word) }
        }
        guard tags.count <= maximumCount else { throw FieldError("at most \(maximumCount) tags") }
        return tags
    }

    /// Returns tags for a search, each with a `#`.
    public static func text(_ tags: [String]) -> String { tags.map { " #" + $0 }.joined() }
}

/// Requests chosen by their tags.
public struct TagFilter: Sendable, Equatable {
    /// One of these is enough; none lets all pass.
    private var wanted: Set<String> = []
    private var unwanted: Set<String> = []

    /// - Parameter texts: tags; with a `!` in front those of requests that are left out.
    public init(_ texts: [String] = []) throws(FieldError) {
        for text in texts {
            let isUnwanted = text.hasPrefix("!")
            let tag = isUnwanted ? String(text.dropFirst()) : text
            try Tag.check(tag)
            if isUnwanted { unwanted.insert(tag) } else { wanted.insert(tag) }
        }
    }

    public var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

    public func accepts(_ tags: [String]) -> Bool {
        (wanted.isEmpty || !wanted.isDisjoint(with: tags)) && unwanted.isDisjoint(with: tags)
    }
}

extension Collection {
    /// The tags of a request: its own, then those of its folders, the nearest first, and of the collection, each once.
    /// - Parameter folders: those of the request, the outermost first.
    public func tags(of request: SavedRequest, in folders: [Folder]) -> [String] {
        let all = request.tags + folders.reversed().flatMap(\.settings.tags) + tags
        return all.enumerated().filter { index, tag in !all[..<index].contains(tag) }.map(\.element)
    }
}

extension ObjectReader {
    /// Reads the tags of a request or of a level above it.
    func tags(_ key: String) -> [String] {
        guard let read = checkedList(key, Tag.check) else { return [] }
        return read.enumerated().filter { index, tag in !read[..<index].contains(tag) }.map(\.element)
    }
}
