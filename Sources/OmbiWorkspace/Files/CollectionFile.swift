import OmbiPlatform

/// Reads and writes one collection file.
package enum CollectionFile {
    /// Reads a file. Never throws: errors are among the problems of the result.
    package static func load(_ path: String, fileSystem: some FileSystem = PosixFileSystem()) -> LoadedCollection {
        do throws(FileError) {
            let ahead = ReadAhead()
            return load(path, content: try fileSystem.content(path, onPortion: ahead.append), ahead, fileSystem)
        } catch {
            let file = path + ".json"
            let hint = error.code == ENOENT && fileSystem.size(file) > 0 ? "; did you mean \"\(file)\"?" : ""
            let problem = Problem(file: path, message: error.reason + hint)
            var loaded = LoadedCollection(path: path, collection: nil, problems: [problem], fingerprint: .absent)
            loaded.isMissing = error.code == ENOENT
            return loaded
        }
    }

    static func load(
        _ path: String, content: Bytes, _ ahead: ReadAhead, _ fileSystem: some FileSystem
    ) -> LoadedCollection {
        let (collection, problems, document) = read(content, ahead, file: path)
        var loaded = LoadedCollection(
            path: path, collection: collection, problems: problems, fingerprint: Fingerprint(content))
        loaded.document = document.map(SharedDocument.init)
        OverlayFile.attach(to: &loaded, fileSystem)
        return loaded
    }

    /// Returns the collection in the bytes of a file, and every problem with them.
    /// There is no collection when any of the problems is an error.
    package static func read(_ bytes: [UInt8], file: String) -> (collection: Collection?, problems: [Problem]) {
        let (collection, problems, _) = read(Bytes(bytes), ReadAhead(), file: file)
        return (collection, problems)
    }

    private static func read(
        _ content: Bytes, _ ahead: ReadAhead, file: String
    ) -> (collection: Collection?, problems: [Problem], document: JSONDocument?) {
        do throws(JSONSyntaxError) {
            let document = try ahead.document(of: content)
            let (collection, problems) = read(document, file: file)
            return (collection, problems, document)
        } catch {
            if let image = ImageKind(content) {
                let reason = "this is a \(image.name) and no collection; ombi view shows it"
                return (nil, [Problem(file: file, message: reason)], nil)
            }
            if let format = ForeignFormat(content, file: file) {
                return (nil, [Problem(file: file, message: format.sentence(file))], nil)
            }
            return (nil, [Problem(file: file, position: error.position, message: error.reason)], nil)
        }
    }

    /// - Parameter checks: nil to look at nothing but the document.
    static func read(
        _ document: JSONDocument, file: String, checks: FileChecks? = nil
    ) -> (collection: Collection?, problems: [Problem]) {
        let log = ProblemLog(file: file, document: document, checks: checks)
        let parts = Parts.count(bytes: document.byteCount)
        var areInBodies: [JSONNode: Bool] = [:]
        for key in Parts.map(parts, { document.duplicateKeys(inPart: $0, of: parts) }).joined() {
            let isInBody = areInBodies[key.object] ?? document.isInBody(key.object)
            areInBodies[key.object] = isInBody
            log.add(isInBody ? .warning : .error, key.error.offset, key.error.reason)
        }
        let object = ObjectReader(rootOf: log)
        if let object, let format = ForeignFormat(object) {
            log.error(at: object.offset, format.sentence(file))
            return (nil, log.problems)
        }
        let collection = object.map(Collection.init(reading:))
        let problems = log.problems
        return (problems.contains { $0.severity == .error } ? nil : collection, problems)
    }

    package enum Layout: Sendable {
        /// The layout of the file: only edited parts change.
        case kept
        /// The canonical layout, the same for collections with the same members.
        case canonical
    }

    /// Writes the collection in one step: whatever happens, the file holds either its old content or all of the new.
    ///
    /// A file that changed since `fingerprint` was taken is left alone unless `overwriting`. Symbolic links are
    /// followed, and the permissions of the file are kept. Returns the fingerprint for the next save.
    package static func save(
        _ collection: Collection, to path: String, expecting fingerprint: Fingerprint, overwriting: Bool = false,
        layout: Layout = .kept, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(SaveError) -> Fingerprint {
        guard !collection.overlay.isForeign else { throw .foreign(path) }
        let bytes = CollectionText.edited(collection, over: layout == .kept ? fingerprint : .absent)
        if let error = read(bytes, file: path).problems.first(where: { $0.severity == .error }) {
            throw .unreadable(error)
        }
        let target = try step { () throws(FileError) in try fileSystem.resolve(path) }
        if !overwriting { try checkUnchanged(target, since: fingerprint, named: path, fileSystem) }
        try step { () throws(FileError) in try FileReplacement.replace(target, with: bytes, fileSystem) }
        return Fingerprint(bytes: bytes)
    }

    private static func step<Result>(_ body: () throws(FileError) -> Result) throws(SaveError) -> Result {
        do throws(FileError) { return try body() } catch { throw .failed(error) }
    }

    private static func checkUnchanged(
        _ target: String, since fingerprint: Fingerprint, named path: String, _ fileSystem: some FileSystem
    ) throws(SaveError) {
        let current: Fingerprint
        do throws(FileError) {
            current = Fingerprint(try fileSystem.content(target))
        } catch  where error.code == ENOENT {
            current = .absent
        } catch {
            throw .failed(error)
        }
        if current == fingerprint { return }
        throw current == .absent ? .removedOnDisk(path) : .changedOnDisk(path)
    }
}

extension JSONDocument {
    /// Returns true for an object within the JSON of a body, in which duplicate keys are allowed.
    fileprivate func isInBody(_ object: JSONNode) -> Bool {
        let keys = (ancestors(of: object) + [object]).map { key(of: $0)?.string }
        return zip(keys, keys.dropFirst()).contains { $0 == "body" && $1.map(SavedBody.jsonKeys.contains) ?? false }
    }
}

/// The text of a collection, based on the text of its file.
enum CollectionText {
    /// Returns the text of the file with only the edited parts changed, and with the earlier text of what came back; the
    /// canonical text if neither text is known, or none can be kept.
    static func edited(_ collection: Collection, over fingerprint: Fingerprint) -> [UInt8] {
        let value = collection.json
        let canonical = Array(value.text.utf8)
        let earlier = fingerprint.earlier.flatMap(source)
        guard let source = fingerprint.content.flatMap(source) ?? earlier else { return canonical }
        let text = JSONPatch.text(
            source.document, from: source.value, to: value,
            identifyingKeys: ["request", "folder", "name", "operation"],
            recalling: earlier)
        // Never write a text that reads back as another collection.
        return CollectionFile.read(text, file: "").collection?.json == value ? text : canonical
    }

    private static func source(_ text: Bytes) -> (document: JSONDocument, value: JSONValue)? {
        guard let document = try? JSONDocument(checking: text),
            let collection = CollectionFile.read(document, file: "").collection
        else { return nil }
        return (document, collection.json)
    }
}

/// Indexes a large file while it is read.
// Proof of Sendable: the index is used on the queue only, and after the last use there.
final class ReadAhead: @unchecked Sendable {
    private let index = JSONDocument.indexForChecking()
    private let queue = DispatchQueue(label: "ombi.index", qos: .userInitiated)

    /// - Parameter soFar: a part of the file from its start.
    func append(_ soFar: Bytes) { queue.async { _ = self.index.append(soFar) } }

    /// Returns the document of the whole file.
    func document(of content: Bytes) throws(JSONSyntaxError) -> JSONDocument {
        queue.sync {}
        return try JSONDocument(checking: content, with: index)
    }
}

/// The result of reading a collection file.
package struct LoadedCollection: Sendable, Equatable {
    package var path: String
    /// Nil when the file has an error: a file that was not read whole is not opened, so that no save can lose any of
    /// it.
    package var collection: Collection?
    /// All problems, in the order of the file.
    package var problems: [Problem]
    /// The state of the file for `CollectionFile.save`, which refuses to overwrite later changes by others.
    package var fingerprint: Fingerprint { didSet { document = nil } }
    /// The content as it was read; nil for a file with an error, and for one in another format.
    var document: SharedDocument?
    /// True when there is no such file.
    package var isMissing = false
    /// Edits that were not saved when Ombi was ended.
    package var draft: Draft?
    /// The error for which such edits cannot be read, with its place in their draft.
    package var draftProblem: Problem?
    /// The ID of another running process that has unsaved edits of the file.
    package var editor: Int32?

    package init(path: String, collection: Collection?, problems: [Problem] = [], fingerprint: Fingerprint) {
        self.path = path
        self.collection = collection
        self.problems = problems
        self.fingerprint = fingerprint
    }
}

extension LoadedCollection {
    /// The content with its index; nil for one that cannot be read.
    var indexed: JSONDocument? {
        document?.document ?? fingerprint.content.flatMap { try? JSONDocument(checking: $0) }
    }

    package var itemsWithProblems: Set<ItemID> {
        guard let collection, !problems.isEmpty, !collection.overlay.isForeign, let document = indexed else {
            return []
        }
        var locator = TextLocator(document.bytes)
        // The positions in other files are not in this document.
        let positions = problems.filter { $0.file == path }.compactMap(\.position)
        return Set(
            Self.requests(of: collection, in: document, file: path).compactMap { id, value in
                let range = value.range
                let (start, end) = (locator.position(of: range.lowerBound), locator.position(of: range.upperBound))
                return positions.contains { $0 >= start && $0 < end } ? id : nil
            })
    }

    /// The requests of a collection with their values in the document that it was read from, in its order.
    static func requests(
        of collection: Collection, in document: JSONDocument, file: String
    ) -> [(ItemID, FileValue)] {
        requests(collection.items, in: ObjectReader(rootOf: ProblemLog(file: file, document: document)))
    }

    private static func requests(_ items: [CollectionItem], in object: ObjectReader?) -> [(ItemID, FileValue)] {
        // A file without errors has an item for each element.
        zip(items, object?.value("items")?.elements ?? []).flatMap { item, value -> [(ItemID, FileValue)] in
            switch item {
            case .request(let request): [(request.id, value)]
            case .folder(let folder): requests(folder.items, in: ObjectReader(value))
            }
        }
    }
}

/// The lines of a collection file on which its requests and their expectations begin, for reports from which editors
/// and CI jump there.
package struct RequestLines: Sendable {
    private var starts: [ItemID: Int] = [:]
    /// The lines of the members of `expect` by their keys, of the rows of its body by their paths, and of all of it.
    private var expectations: [ItemID: [String: Int]] = [:]

    /// Reads them for a collection that was read from the file; none of a file that cannot be read any more.
    package init(_ path: String, of collection: Collection, fileSystem: some FileSystem = PosixFileSystem()) {
        guard let content = try? fileSystem.content(path), let document = try? JSONDocument(checking: content)
        else { return }
        // Asked for places in their order, the locator counts each line once.
        var locator = TextLocator(document.bytes)
        for (id, value) in LoadedCollection.requests(of: collection, in: document, file: path) {
            starts[id] = locator.position(of: value.offset).line
            guard let expect = ObjectReader(value)?.value("expect") else { continue }
            expectations[id] = Self.lines(of: expect, &locator)
        }
    }

    /// The line on which a request begins; nil for one that is not in the file.
    package subscript(_ id: ItemID) -> Int? { starts[id] }

    /// The line of an expectation, as near as the file has it; nil for a request without expectations there.
    package func line(of result: ExpectationResult, in id: ItemID) -> Int? {
        let lines = expectations[id]
        return (result.keys + [Self.all]).lazy.compactMap { lines?[$0] }.first
    }

    private static let all = "expect"

    private static func lines(of expect: FileValue, _ locator: inout TextLocator) -> [String: Int] {
        var lines = [all: locator.position(of: expect.offset).line]
        for (key, value) in ObjectReader(expect)?.entries ?? [] {
            lines[key] = locator.position(of: value.offset).line
            guard key == "body" else { continue }
            for row in value.elements {
                guard let path = ObjectReader(row)?.value("path")?.string else { continue }
                let line = locator.position(of: row.offset).line
                // The first of two rows with one path counts.
                if lines[path] == nil { lines[path] = line }
            }
        }
        return lines
    }
}
