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

    init(_ bytes: [UInt8]) { self.bytes = bytes }

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
            position: position(offset), message: message, line: String(decoding: line, as: UTF8.self))
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
            ImportNote(
                position: locator.position(of: entry.offset), kind: entry.kind, subject: entry.subject,
                message: entry.message)
        }
    }
}
