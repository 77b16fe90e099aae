import OmbiDocument

/// A collection as the last import made it, in `NAME.import.json` beside its file: the base of the merge with the next
/// import. Each request has the ID of the source in it.
struct ImportRecord {
    var collection: Collection
    /// The IDs of the requests in the source, each once.
    private(set) var sources: [ItemID: String]

    /// The key of the ID in a request.
    private static let key = "source"

    /// - Parameter sources: the IDs that the source has; other requests have their method and their path.
    init(_ collection: Collection, _ sources: [ItemID: String]) {
        self.collection = collection
        var (taken, own): (UniqueNames, [ItemID: String]) = (UniqueNames(separator: " #"), [:])
        for request in collection.requests {
            own[request.id] = taken.take(sources[request.id] ?? "\(request.method.rawValue) \(request.path)")
        }
        self.sources = own
    }

    /// The path beside that of a collection; nil for a file that has none.
    static func path(for file: String) -> String? {
        CollectionFinder.isCandidate(file.split(separator: "/").last.map(String.init) ?? file)
            ? String(file.dropLast(".json".count)) + CollectionFinder.importSuffix : nil
    }

    // MARK: The file

    /// Nil where there is none, or none that can be read.
    init?(beside file: String, _ fileSystem: some FileSystem) {
        guard let path = Self.path(for: file), let bytes = try? fileSystem.read(path),
            var collection = CollectionFile.read(bytes, file: path).collection
        else { return nil }
        var sources: [ItemID: String] = [:]
        collection.items.changeRequests { request in
            let entry = request.unknown.entries.first { $0.member.key == Self.key }
            sources[request.id] = entry?.member.value.stringValue
            request.unknown.entries.removeAll { $0.member.key == Self.key }
        }
        (self.collection, self.sources) = (collection, sources)
    }

    /// Writes the file if it is to hold something else.
    func write(beside file: String, _ fileSystem: some FileSystem) throws(FileError) {
        guard let path = Self.path(for: file) else { return }
        let text = Array(text.utf8)
        try FileReplacement.change(path, fileSystem) { known throws(FileError) in known == text ? nil : text }
    }

    private var text: String {
        var written = collection
        let sources = sources
        written.items.changeRequests { request in
            guard let source = sources[request.id] else { return }
            let member = JSONValue.Member(Self.key, .string(source))
            request.unknown.entries.append(UnknownMembers.Entry(previousKey: "request", member: member))
        }
        return written.text
    }
}
