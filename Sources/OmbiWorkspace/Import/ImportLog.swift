/// Collects notes on a text while it is read, and turns offsets in it into positions. Further files follow the text: an
/// offset is that of one byte of all of them.
struct ImportLog {
    /// The text and the files behind it, each below its name.
    private(set) var content: [UInt8]
    /// The variables that became templates.
    var variables: Set<String> = []
    /// The names of variables with fixed values, by the computations that they stand in for.
    var sampleNames: [String: String] = [:]
    /// The names in the text by those that variables have.
    private var oldNames: [String: String] = [:]
    /// The names that variables got by those in the text.
    private var newNames: [String: String] = [:]
    private let size: Int
    /// The name of the first file; nil for the imported file itself.
    private let name: String?
    /// The further files in the content.
    private var files: [(name: String, range: Range<Int>)] = []
    private var found: [Entry] = []
    private var known: Set<Entry> = []

    /// A note before its position is looked up.
    private struct Entry: Hashable {
        var offset: Int
        var kind: ImportNote.Kind
        var subject: String
        var message: String
    }

    init(_ bytes: [UInt8], file name: String? = nil) { (content, size, self.name) = (bytes, bytes.count, name) }

    /// Adds a file, and returns the offset of its first byte.
    mutating func add(_ bytes: [UInt8], named name: String) -> Int {
        content += Array("\n\(name)\n".utf8)
        let start = content.count
        content += bytes
        files.append((name, start..<content.count))
        return start
    }

    mutating func loss(_ offset: Int, _ subject: String, _ message: String) {
        add(.loss, offset, subject, message)
    }

    mutating func remark(_ offset: Int, _ subject: String, _ message: String) {
        add(.remark, offset, subject, message)
    }

    /// Adds a note on another text.
    mutating func add(_ note: ImportNote, _ subject: String? = nil, at offset: Int) {
        add(note.kind, offset, subject ?? note.subject, note.message)
    }

    private mutating func add(_ kind: ImportNote.Kind, _ offset: Int, _ subject: String, _ message: String) {
        let entry = Entry(offset: offset, kind: kind, subject: subject, message: message)
        // Several requests of one command share its options.
        if known.insert(entry).inserted { found.append(entry) }
    }

    /// A log without the notes so far, for a part of the text: both can change without a copy of all of them.
    func part() -> ImportLog {
        var part = self
        (part.found, part.known) = ([], [])
        return part
    }

    /// Takes over what the log of a part of the text has.
    mutating func join(_ part: ImportLog) {
        (variables, sampleNames) = (part.variables, part.sampleNames)
        (oldNames, newNames) = (part.oldNames, part.newNames)
        for entry in part.found where known.insert(entry).inserted { found.append(entry) }
    }

    func error(_ offset: Int, _ message: String) -> ImportError {
        let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        let (name, range) = file(at: offset)
        let offset = min(max(offset, range.lowerBound), range.upperBound)
        let start = content[range.lowerBound..<offset].lastIndex(where: isBreak).map { $0 + 1 } ?? range.lowerBound
        let line = content[start..<range.upperBound].prefix { !isBreak($0) }
        var locator = TextLocator(Bytes(Array(content[range])))
        return ImportError(
            position: locator.position(of: offset - range.lowerBound), message: message,
            line: String(decoding: line, as: UTF8.self), file: name)
    }

    /// The file that an offset is in; without a name, the text itself.
    private func file(at offset: Int) -> (name: String?, range: Range<Int>) {
        let next = files.partitioningIndex { $0.range.lowerBound > offset }
        return next > 0 ? (files[next - 1].name, files[next - 1].range) : (name, 0..<size)
    }

    /// In the order of the text.
    var notes: [ImportNote] {
        let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        var (current, locator) = (0..<size, TextLocator(Bytes(Array(content[..<size]))))
        return sorted.map { _, entry in
            let (name, range) = file(at: entry.offset)
            if range != current { (current, locator) = (range, TextLocator(Bytes(Array(content[range])))) }
            return ImportNote(
                position: locator.position(of: entry.offset - range.lowerBound), kind: entry.kind,
                subject: entry.subject, message: entry.message, file: name)
        }
    }
}

extension ImportLog {
    /// Returns a name that templates can have, the same one each time. Names that differ get others, but for one that needs
    /// no change: where another has got it, that is a loss.
    mutating func variableName(_ name: String, at offset: Int) -> String {
        if Self.isName(name) {
            if let other = oldNames.updateValue(name, forKey: name), other != name {
                loss(offset, name.excerpted, "\(other.excerpted) has this name, too; rename one of them in the source")
            }
            return name
        }
        let changed = newNames[name.trimmed] ?? unusedName(for: name.trimmed)
        (newNames[name.trimmed], oldNames[changed]) = (changed, oldNames[changed] ?? name.trimmed)
        if changed != name { remark(offset, name.excerpted, "named \(changed), as a template can name it") }
        return changed
    }

    private func unusedName(for name: String) -> String {
        let isKept = { (character: Character) in
            character.isLetter || character.isNumber || "_-.".contains(character)
        }
        var changed = String(name.map { isKept($0) ? $0 : "_" })
        if !Self.isName(changed) { changed = String(changed.map { $0.isASCII ? $0 : "_" }) }
        if !Self.isName(changed) { changed = "variable" }
        while let other = oldNames[changed], other != name { changed += "_" }
        return changed
    }

    private static func isName(_ name: String) -> Bool { (try? Field.checkVariableName(name)) != nil }
}
