import OmbiDocument

/// The result of reading a collection file.
public struct LoadedCollection: Sendable, Equatable {
    public var path: String
    /// Nil when the file has an error: a file that was not read whole is not opened, so that no save can lose any of
    /// it.
    public var collection: Collection?
    /// All problems, in the order of the file.
    public var problems: [Problem]
    /// The state of the file for `CollectionFile.save`, which refuses to overwrite later changes by others.
    public var fingerprint: Fingerprint
    /// True when there is no such file.
    public var isMissing = false
    /// Edits that were not saved when Ombi was ended.
    public var draft: Draft?
    /// The error for which such edits cannot be read, with its place in their draft.
    public var draftProblem: Problem?
    /// The ID of another running process that has unsaved edits of the file.
    public var editor: Int32?

    public init(path: String, collection: Collection?, problems: [Problem] = [], fingerprint: Fingerprint) {
        self.path = path
        self.collection = collection
        self.problems = problems
        self.fingerprint = fingerprint
    }
}

extension LoadedCollection {
    /// The requests in which a problem of the file is.
    public var itemsWithProblems: Set<ItemID> {
        guard let collection, let content = fingerprint.content, !problems.isEmpty,
            !collection.overlay.isForeign, let document = try? JSONDocument(checking: content)
        else { return [] }
        var locator = TextLocator(document.bytes)
        // A file beside this one has positions of its own.
        let positions = problems.filter { $0.file == path }.compactMap(\.position)
        return Set(
            Self.requests(of: collection, in: document, file: path).compactMap { id, range in
                let (start, end) = (locator.position(of: range.lowerBound), locator.position(of: range.upperBound))
                return positions.contains { $0 >= start && $0 < end } ? id : nil
            })
    }

    /// The requests of a collection with their ranges in the document that it was read from, in its order.
    static func requests(
        of collection: Collection, in document: JSONDocument, file: String
    ) -> [(ItemID, Range<Int>)] {
        guard let root = document.firstRoot else { return [] }
        let log = ProblemLog(file: file, document: document)
        let object = ObjectReader(FileValue(node: root, kind: document.kind(of: root), log: log))
        return requests(collection.items, in: object)
    }

    private static func requests(_ items: [CollectionItem], in object: ObjectReader?) -> [(ItemID, Range<Int>)] {
        // A file without errors has an item for each element.
        zip(items, object?.value("items")?.elements ?? []).flatMap { item, value -> [(ItemID, Range<Int>)] in
            switch item {
            case .request(let request): [(request.id, value.range)]
            case .folder(let folder): requests(folder.items, in: ObjectReader(value))
            }
        }
    }
}
