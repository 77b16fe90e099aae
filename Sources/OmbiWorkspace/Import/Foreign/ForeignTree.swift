/// A value that is made of those of other documents. It is read as theirs are, and each part has its place.
struct ForeignTree {
    indirect enum Content {
        /// Neither a list nor an object.
        case scalar(JSONValue)
        case list([ForeignTree])
        case object([Member])
    }

    /// A name and its value in an object.
    struct Member {
        let key: String
        var value: ForeignTree

        init(_ key: String, _ value: ForeignTree) { (self.key, self.value) = (key, value) }
    }

    var content: Content
    /// In the bytes of the log.
    let offset: Int

    init(_ content: Content, at offset: Int) { (self.content, self.offset) = (content, offset) }

    init(_ text: String, at offset: Int) { self.init(.scalar(.string(text)), at: offset) }

    /// A copy of a value.
    init(_ value: ForeignValue) {
        let content: Content =
            switch value.kind {
            case .object: .object(value.members.map { Member($0.key, ForeignTree($0.value)) })
            case .array: .list(value.elements.map { ForeignTree($0) })
            default: .scalar(value.json)
            }
        self.init(content, at: value.offset)
    }

    /// A copy of a value; nil for none.
    init?(_ value: ForeignValue?) {
        guard let value else { return nil }
        self.init(value)
    }

    /// An object of those members that are there.
    init(at offset: Int, _ members: (key: String, value: ForeignTree?)...) {
        self.init(.object(members.compactMap { key, value in value.map { Member(key, $0) } }), at: offset)
    }

    /// The member of an object; setting nil removes it.
    subscript(key: String) -> ForeignTree? {
        get {
            guard case .object(let members) = content else { return nil }
            return members.first { $0.key == key }?.value
        }
        set {
            guard case .object(var members) = content else { return }
            let index = members.firstIndex { $0.key == key }
            if let index, let newValue {
                members[index].value = newValue
            } else if let index {
                members.remove(at: index)
            } else if let newValue {
                members.append(Member(key, newValue))
            }
            content = .object(members)
        }
    }

    var elements: [ForeignTree] { if case .list(let elements) = content { elements } else { [] } }

    // MARK: Reading

    /// The tree as a document.
    func value(_ log: ImportLog) throws(ImportError) -> ForeignValue {
        var writer = Writer()
        writer.write(self)
        let document: JSONDocument
        do throws(JSONSyntaxError) { document = try JSONDocument(checking: Bytes(writer.json)) } catch {
            throw log.error(offset, "the document cannot be read: \(error.reason)")
        }
        guard let root = document.firstRoot else { throw log.error(offset, "the document is empty") }
        return ForeignValue(document: document, node: root, places: writer.places)
    }

    /// Writes trees as JSON.
    private struct Writer {
        var json: [UInt8] = []
        var places = YAMLPlaces()

        mutating func write(_ tree: ForeignTree) {
            places.add(json.count, at: tree.offset)
            switch tree.content {
            case .scalar(let value): json += value.compact.utf8
            case .list(let elements):
                json.append(UInt8(ascii: "["))
                for (index, element) in elements.enumerated() {
                    if index > 0 { json.append(UInt8(ascii: ",")) }
                    write(element)
                }
                json.append(UInt8(ascii: "]"))
            case .object(let members):
                json.append(UInt8(ascii: "{"))
                for (index, member) in members.enumerated() {
                    if index > 0 { json.append(UInt8(ascii: ",")) }
                    json += JSONValue.quoted(member.key).utf8
                    json.append(UInt8(ascii: ":"))
                    write(member.value)
                }
                json.append(UInt8(ascii: "}"))
            }
        }
    }
}

/// The documents of a folder, each with its path, in one log.
struct ForeignFiles {
    /// - Parameter path: below the folder.
    typealias File = (path: String, value: ForeignValue)

    var log = ImportLog([])
    /// In the order of their paths.
    private(set) var values: [File] = []
    /// The first file that is not read.
    private var error: ImportError?

    /// Reads the files whose names are taken. One that cannot be read is a loss.
    mutating func read(_ folder: ImportFolder, where isTaken: (_ name: String) -> Bool) {
        let listing = folder.files(isTaken)
        for (path, reason) in listing.left {
            let offset = log.add([], named: folder.full(path))
            log.loss(offset, path.excerpted, "left out: \(reason)")
        }
        for path in listing.paths { read(path, in: folder) }
    }

    mutating func read(_ path: String, in folder: ImportFolder) {
        guard let (file, offset) = text(path, in: folder) else { return }
        if let root = file.root(from: offset), root.kind == .object {
            values.append((path, root))
        } else if let problem = file.syntaxProblem {
            leaveOut(path, problem.reason, at: offset + problem.offset)
        } else if !file.bytes.allSatisfy({ $0 <= 0x20 }) {
            leaveOut(path, "it is no object", at: offset)
        }
    }

    /// Reads the text of a file; nil, with a loss, for one that is not read.
    mutating func text(_ path: String, in folder: ImportFolder) -> (file: ForeignFile, offset: Int)? {
        do throws(ImportError) {
            let content = try folder.content(path, after: log.content.count)
            let file = try ForeignFile(content, path: path, isYAML: !path.hasSuffix(".env"))
            return (file, log.add(file.bytes, named: folder.full(path)))
        } catch {
            leaveOut(path, error.message, at: log.add([], named: folder.full(path)))
            return nil
        }
    }

    private mutating func leaveOut(_ path: String, _ reason: String, at offset: Int) {
        if error == nil { error = log.error(offset, reason) }
        log.loss(offset, path.excerpted, "left out: \(reason)")
    }

    /// The error of a folder in which nothing was read: that of the first file that could not be, or another one.
    func failure(_ message: String) -> ImportError { error ?? log.error(0, message) }
}
