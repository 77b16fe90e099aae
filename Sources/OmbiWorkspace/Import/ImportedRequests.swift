import OmbiDocument

/// The requests that were read from another tool's text, and notes on what could not be kept.
public struct ImportedRequests: Sendable, Equatable {
    public var requests: [SavedRequest]
    /// In the order of the text.
    public var notes: [ImportNote]

    public init(requests: [SavedRequest], notes: [ImportNote] = []) {
        self.requests = requests
        self.notes = notes
    }

    /// The parts of the text that the requests do not have.
    public var losses: [ImportNote] { notes.filter { $0.kind == .loss } }
}

/// A remark on a part of an imported text.
public struct ImportNote: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The requests do not have this part.
        case loss
        /// The requests have it, in another form.
        case remark
    }

    public var position: TextPosition
    public var kind: Kind
    /// The part as it is written, such as `--insecure`.
    public var subject: String
    /// The reason, and the remedy.
    public var message: String
    /// The path in the folder that was imported; nil for a part of the file itself.
    public var file: String?

    public init(position: TextPosition, kind: Kind, subject: String, message: String) {
        self.position = position
        self.kind = kind
        self.subject = subject
        self.message = message
    }
}

extension ImportNote {
    /// Returns the notes with those of one kind as one, which has their number and the position of the first.
    static func counted(_ notes: [ImportNote]) -> [ImportNote] {
        var counts: [Key: Int] = [:]
        for note in notes { counts[Key(note), default: 0] += 1 }
        var result: [ImportNote] = []
        for note in notes {
            guard let count = counts.removeValue(forKey: Key(note)) else { continue }
            var note = note
            if count > 1 { note.message += " (\(count) times, first here)" }
            result.append(note)
        }
        return result
    }

    /// A note apart from its position.
    private struct Key: Hashable {
        var kind: Kind
        var subject: String
        var message: String

        init(_ note: ImportNote) { (kind, subject, message) = (note.kind, note.subject, note.message) }
    }
}

extension ImportNote {
    /// Returns the path of the file that the note is about.
    /// - Parameter source: the path of the file or the folder that was imported.
    public func path(in source: String) -> String { ForeignFolder.path(of: file, in: source) }
}

extension ImportNote: CustomStringConvertible {
    /// `--insecure: message`
    public var description: String { "\(subject): \(message)" }
}

/// The error of a text that cannot be imported.
public struct ImportError: Error, Sendable, Hashable {
    public var position: TextPosition
    public var message: String
    /// The line of the text at that position.
    public var line: String
    /// The path in the folder that was imported; nil for the file itself.
    public var file: String?

    /// Returns the path of the file that has the error.
    /// - Parameter source: the path of the file or the folder that was imported.
    public func path(in source: String) -> String { ForeignFolder.path(of: file, in: source) }

    /// The line, cut at both ends if it is long, and a caret below the position.
    public var excerpt: String {
        let characters = line.map { $0 == "\t" ? " " : $0 }
        let column = min(max(position.column - 1, 0), characters.count)
        let start = max(0, column - Self.maximumContext)
        let end = min(characters.count, column + Self.maximumContext)
        let (before, after) = (start > 0 ? "…" : "", end < characters.count ? "…" : "")
        let caret = String(repeating: " ", count: column - start + before.count) + "^"
        return before + String(characters[start..<end]) + after + "\n" + caret
    }

    /// In characters, on each side.
    private static let maximumContext = 60
}

extension ImportError: CustomStringConvertible {
    public var description: String { "\(position): \(message)" }
}

/// Collects notes on a text while it is read, and turns offsets in it into positions.
struct ImportLog {
    private let bytes: [UInt8]
    /// The path of the text in a folder that is imported.
    private let file: String?
    /// The variables that became templates.
    var variables: Set<String> = []
    private var found: [Entry] = []
    private var known: Set<Entry> = []

    /// A note before its position is looked up.
    private struct Entry: Hashable {
        var offset: Int
        var kind: ImportNote.Kind
        var subject: String
        var message: String
    }

    init(_ bytes: [UInt8], file: String? = nil) {
        self.bytes = bytes
        self.file = file
    }

    mutating func loss(_ offset: Int, _ subject: String, _ message: String) {
        add(.loss, offset, subject, message)
    }

    mutating func remark(_ offset: Int, _ subject: String, _ message: String) {
        add(.remark, offset, subject, message)
    }

    private mutating func add(_ kind: ImportNote.Kind, _ offset: Int, _ subject: String, _ message: String) {
        let entry = Entry(offset: offset, kind: kind, subject: subject, message: message)
        // Several requests of one command share its options.
        if known.insert(entry).inserted { found.append(entry) }
    }

    func error(_ offset: Int, _ message: String) -> ImportError {
        let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        let start = bytes[..<min(offset, bytes.count)].lastIndex(where: isBreak).map { $0 + 1 } ?? 0
        let line = bytes[start...].prefix { !isBreak($0) }
        return ImportError(
            position: position(offset), message: message, line: String(decoding: line, as: UTF8.self), file: file)
    }

    private func position(_ offset: Int) -> TextPosition {
        var locator = TextLocator(Bytes(bytes))
        return locator.position(of: offset)
    }

    /// In the order of the text.
    var notes: [ImportNote] {
        let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        var locator = TextLocator(Bytes(bytes))
        return sorted.map { _, entry in
            var note = ImportNote(
                position: locator.position(of: entry.offset), kind: entry.kind, subject: entry.subject,
                message: entry.message)
            note.file = file
            return note
        }
    }
}

extension SavedRequest {
    /// Returns the request for a collection of another folder: its relative paths name the same files from there.
    /// - Parameters:
    ///   - folder: the folder that the paths are relative to.
    ///   - collection: the path of the collection file, which need not exist.
    public func relocated(from folder: String, to collection: String) -> SavedRequest {
        let home = collection.lastIndex(of: "/").map { String(collection[..<$0]) } ?? ""
        let way = TemplateText.escaped(RelativePath.way(from: home, to: folder))
        guard !way.isEmpty else { return self }
        func moved(_ path: String) -> String {
            // A variable in front may have a whole path.
            if path.isEmpty || ["/", "~/", "{{"].contains(where: { path.hasPrefix($0) }) { return path }
            return way + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
        }
        func setting(_ path: String?) -> String? { SavedConnection.isOn(path) ? path.map(moved) : path }
        var request = self
        request.body = body?.mappingPaths(moved)
        if let operation { request.operation?.specification = moved(operation.specification) }
        if var connection = connection {
            connection.caFile = setting(connection.caFile)
            connection.unixSocket = setting(connection.unixSocket)
            if var certificate = connection.clientCertificate, !certificate.isOff {
                certificate.file = moved(certificate.file)
                certificate.key = certificate.key.map(moved)
                connection.clientCertificate = certificate
            }
            request.connection = connection
        }
        return request
    }
}

extension SavedBody {
    /// Returns the body with the paths of its files changed.
    fileprivate func mappingPaths(_ change: (_ path: String) -> String) -> SavedBody {
        switch self {
        case .file(var content):
            content.path = change(content.path)
            return .file(content)
        case .multipart(var content):
            for index in content.parts.indices {
                guard case .file(let path) = content.parts[index].content else { continue }
                content.parts[index].content = .file(change(path))
            }
            return .multipart(content)
        case .json, .text, .form, .graphql: return self
        }
    }
}

extension SavedRequest {
    /// Returns the request with a path below the host of an environment; nil if its URL leads elsewhere.
    public func relative(to environment: Environment) -> SavedRequest? {
        var host = environment.host[...]
        while host.last == "/" { host.removeLast() }
        let target = target
        guard !host.isEmpty, target.isURL, target.text.hasPrefix(host) else { return nil }
        let rest = target.text.dropFirst(host.count)
        guard rest.isEmpty || rest.first == "/" || rest.first == "?" else { return nil }
        var request = self
        request.path = rest.isEmpty ? "/" : String(rest)
        return request
    }
}
