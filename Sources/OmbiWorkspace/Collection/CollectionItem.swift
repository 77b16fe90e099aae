import Synchronization

/// A node in the tree of a collection. It is indirect, so that moving and copying trees is cheap.
package indirect enum CollectionItem: Sendable, Equatable {
    case folder(Folder)
    case request(SavedRequest)

    package var id: ItemID {
        switch self {
        case .folder(let folder): folder.id
        case .request(let request): request.id
        }
    }

    package var name: String {
        get {
            switch self {
            case .folder(let folder): folder.name
            case .request(let request): request.name
            }
        }
        set {
            switch self {
            case .folder(var folder):
                folder.name = newValue
                self = .folder(folder)
            case .request(var request):
                request.name = newValue
                self = .request(request)
            }
        }
    }

    /// The items of a folder; none for a request.
    package var items: [CollectionItem] {
        if case .folder(let folder) = self { folder.items } else { [] }
    }

    /// Returns a copy with new identities, all the way down.
    package func withNewIDs() -> CollectionItem { withIDs { _ in ItemID() } }

    /// Returns a copy with other identities, all the way down.
    func withIDs(_ id: (ItemID) -> ItemID) -> CollectionItem {
        switch self {
        case .folder(var folder):
            folder.id = id(folder.id)
            folder.items = folder.items.map { $0.withIDs(id) }
            return .folder(folder)
        case .request(var request):
            request.id = id(request.id)
            return .request(request)
        }
    }
}

extension CollectionItem {
    static func list(_ key: String, in object: ObjectReader) -> [CollectionItem] {
        let values = object.array(key) ?? []
        let size = values.last.map { $0.range.upperBound - values[0].range.lowerBound } ?? 0
        let parts = object.log.isSimple ? min(Parts.count(bytes: size), values.count) : 1
        return parts > 1 ? list(values, parts: parts) : list(values[...])
    }

    /// Reads a long list in parts, each with a log of its own.
    private static func list(_ values: [FileValue], parts: Int) -> [CollectionItem] {
        let log = values[0].log
        let (document, nodes) = (log.document, values.map(\.node))
        typealias Part = (items: [CollectionItem], problems: [ProblemLog.Entry], hasOperations: Bool)
        let read = Parts.map(parts) { part -> Part in
            let log = ProblemLog(file: "", document: document)
            let values = nodes[nodes.count * part / parts..<nodes.count * (part + 1) / parts].map {
                FileValue(node: $0, kind: document.kind(of: $0), log: log)
            }
            let items = list(values[...])
            return (items, log.entries, log.hasOperations)
        }
        for part in read {
            log.take(part.problems)
            log.hasOperations = log.hasOperations || part.hasOperations
        }
        return read.flatMap(\.items)
    }

    private static func list(_ values: ArraySlice<FileValue>) -> [CollectionItem] {
        values.compactMap {
            ObjectReader($0, as: SavedRequest.self, of: "items", isElement: true)
                .flatMap(CollectionItem.init(reading:))
        }
    }

    private init?(reading object: ObjectReader) {
        switch (object.has("folder"), object.has("request") || object.has("operation")) {
        case (true, false): self = .folder(Folder(reading: object))
        case (false, true): self = .request(SavedRequest(reading: object))
        case (false, false):
            object.log.error(at: object.offset, "missing key \"request\" or \"folder\", which gives an item its name")
            object.warnOfTypos(besides: ["request", "folder"])
            return nil
        case (true, true):
            object.log.error(at: object.offset, "an item is a \"request\" or a \"folder\", not both")
            return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .folder(let folder): folder.json
        case .request(let request): request.json
        }
    }
}

/// Identifies an item among all open collections while the program runs. It is not saved.
package struct ItemID: Hashable, Sendable {
    private static let last = Atomic<Int>(0)
    private let number: Int

    /// Creates a new identity.
    package init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}

/// A file, or an item in it, by names: for what outlives the program.
package struct ItemPath: Sendable, Hashable {
    package var file: String
    /// The names from the outermost folder down to the item; empty for the file.
    package var path: [String]

    package init(file: String, path: [String] = []) {
        self.file = file
        self.path = path
    }
}

/// A named group of requests and folders, and the settings that they share.
package struct Folder: Sendable, Equatable {
    package var id: ItemID
    package var name: String
    package var settings: SharedSettings
    package var items: [CollectionItem]
    package var unknown = UnknownMembers()

    package init(
        id: ItemID = ItemID(), name: String, settings: SharedSettings = SharedSettings(), items: [CollectionItem] = []
    ) {
        self.id = id
        self.name = name
        self.settings = settings
        self.items = items
    }
}

extension Folder: SavedObject, SettingsHolder {
    static let members = Members<Folder>(first, shared.map { $0.lifted(to: Folder.self) }, last)

    private static let first: [Member<Folder>] = [
        .name("folder", "The name of the folder.", isRequired: true, content: .unsent, { $0.name = $1 }, { $0.name })
    ]

    private static let last: [Member<Folder>] = [
        Member(
            "items", Schema.reference("items"), isRequired: true, content: .levels,
            read: { $0.items = CollectionItem.list($2, in: $1) },
            write: { .array($0.items.map(\.json)) })
    ]

    private static let shared = SharedSettings.members(
        description: "The purpose of the folder.", tags: "The tags of all requests in this folder.",
        variables:
            "The values of {{name}} in this folder; they override those of the environment and of outer folders.",
        headers: "The headers of all requests in this folder, in order.",
        settings: Member<SharedSettings>.settings(
            policy: "Retries and time limits of all requests in this folder.",
            connection: "The way to the servers of all requests in this folder.",
            objective: "The success that is promised for the requests in this folder.",
            traced: "the requests in this folder"))

    init(reading object: ObjectReader) {
        self.init(name: "")
        unknown = object.read(Self.members, into: &self)
    }
}

/// A word by which requests are found and chosen.
package enum Tag {
    private static let maximumCount = 100
    private static let maximumLength = 60

    static func check(_ text: String) throws(FieldError) {
        let isWord = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "," || $0 == "!" || $0 == "#" }
        guard isWord, text.count <= maximumLength else {
            throw FieldError("a tag is a word without spaces, commas, ! and #, such as smoke")
        }
    }

    /// Reads tags with spaces or commas between them; a repeated one counts once.
    package static func list(_ text: String) throws(FieldError) -> [String] {
        var tags: [String] = []
        for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init) {
            try check(word)
            if !tags.contains(word) { tags.append(word) }
        }
        guard tags.count <= maximumCount else { throw FieldError("at most \(maximumCount) tags") }
        return tags
    }

    /// Returns tags for a search, each with a `#`.
    package static func text(_ tags: [String]) -> String { tags.map { " #" + $0 }.joined() }
}

/// Requests chosen by their tags.
package struct TagFilter: Sendable, Equatable {
    /// One of these is enough; none lets all pass.
    private var wanted: Set<String> = []
    private var unwanted: Set<String> = []

    /// - Parameter texts: tags; with a `!` in front those of requests that are left out.
    package init(_ texts: [String] = []) throws(FieldError) {
        for text in texts {
            let isUnwanted = text.hasPrefix("!")
            let tag = isUnwanted ? String(text.dropFirst()) : text
            try Tag.check(tag)
            if isUnwanted { unwanted.insert(tag) } else { wanted.insert(tag) }
        }
    }

    package var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

    package func accepts(_ tags: [String]) -> Bool {
        (wanted.isEmpty || !wanted.isDisjoint(with: tags)) && unwanted.isDisjoint(with: tags)
    }
}

extension Collection {
    /// The tags of a request: its own, then those of its folders, the nearest first, and of the collection, each once.
    /// - Parameter folders: those of the request, the outermost first.
    package func tags(of request: SavedRequest, in folders: [Folder]) -> [String] {
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
