import OmbiAuthentication

/// The contents of a history, each stored once: small ones in the database, large ones as files next to it.
struct HistoryContents {
    let database: Database
    let folder: String
    var fileSystem: any FileSystem = PosixFileSystem()

    /// The way in which bytes are kept.
    private enum Form: Int {
        case plain = 0
        case compressed = 1
        case plainFile = 2
        case compressedFile = 3
    }

    /// In bytes, as they are kept: larger ones would make the database slow to go through.
    static let maximumInDatabase = 256 << 10

    /// In bytes; no setting keeps a larger body.
    private static let maximumContent = 1 << 30

    /// Keeps a content, if it is new.
    /// - Returns: Its number; nil if its file cannot be written, as on a full disk. Its run is kept without it.
    func add(_ data: Data) throws(DatabaseError) -> Int? {
        let name = HashFunction.sha256.hex(data)
        let hash = Database.Value.blob(Data(name.utf8))
        if let known = try database.first("SELECT id FROM content WHERE hash = ?", hash, read: { $0.integer(0) }) {
            return known
        }
        let compressed = ContentCompression.compressed(data)
        let bytes = compressed ?? data
        let isFile = bytes.count > Self.maximumInDatabase
        if isFile {
            do throws(DatabaseError) { try write(bytes, as: name) } catch { return nil }
        }
        let form: Form =
            switch (isFile, compressed != nil) {
            case (false, false): .plain
            case (false, true): .compressed
            case (true, false): .plainFile
            case (true, true): .compressedFile
            }
        try database.run(
            "INSERT INTO content (hash, size, form, bytes) VALUES (?, ?, ?, ?)", hash, .integer(data.count),
            .integer(form.rawValue), isFile ? .null : .blob(bytes))
        return database.lastInsertedRow
    }

    /// Returns nil for a content that is gone or damaged.
    func content(_ id: Int) throws(DatabaseError) -> Data? {
        let row = try database.first("SELECT hash, size, form, bytes FROM content WHERE id = ?", .integer(id)) { row in
            (
                name: Self.name(row.blob(0)), size: row.count(1), form: row.integer(2), row.blob(3)
            )
        }
        guard let (name, size, number, stored) = row, let name, let form = Form(rawValue: number),
            size <= Self.maximumContent
        else { return nil }
        let bytes: Data? =
            switch form {
            case .plain, .compressed: stored
            case .plainFile, .compressedFile: (try? fileSystem.read(path(name))).map { Data($0) }
            }
        let data: Data? =
            switch form {
            case .plain, .plainFile: bytes
            case .compressed, .compressedFile:
                bytes.flatMap { ContentCompression.expanded($0, size: size) }
            }
        guard let data, data.count == size, HashFunction.sha256.hex(data) == name else { return nil }
        return data
    }

    /// Removes the contents that no run has any more; their files go with `removeUnusedFiles`.
    func removeUnused() throws(DatabaseError) {
        let unused = """
            NOT EXISTS (SELECT 1 FROM run WHERE body = content.id)
            AND NOT EXISTS (SELECT 1 FROM run WHERE prepared = content.id)
            AND NOT EXISTS (SELECT 1 FROM response WHERE body = content.id)
            AND NOT EXISTS (SELECT 1 FROM redirect WHERE body = content.id)
            """
        try database.run("DELETE FROM content WHERE \(unused)")
    }

    /// Removes the files without a content: of removed contents, and of programs that were killed before
    /// their runs were in the database. Uses a transaction, so that no run is being written, and a file never
    /// disappears before its content.
    func removeUnusedFiles() throws(DatabaseError) {
        let unused = try unusedFiles(of: (try? fileSystem.names(in: folder)) ?? [])
        guard !unused.isEmpty else { return }
        try database.transaction { () throws(DatabaseError) in
            for name in try unusedFiles(of: unused) { fileSystem.remove(path(name)) }
        }
    }

    /// In bytes.
    var sizeOfFiles: Int {
        let names = (try? fileSystem.names(in: folder)) ?? []
        return names.reduce(0) { Self.isName($1) ? $0 + fileSystem.size(path($1)) : $0 }
    }

    private func unusedFiles(of names: [String]) throws(DatabaseError) -> [String] {
        var unused: [String] = []
        for name in names where Self.isName(name) {
            let hash = Database.Value.blob(Data(name.utf8))
            let known = try database.first("SELECT 1 FROM content WHERE hash = ?", hash) { _ in true }
            if known == nil { unused.append(name) }
        }
        return unused
    }

    /// The name of a file; nil for anything but a hash, which might lead out of the folder.
    private static func name(_ hash: Data) -> String? {
        let name = String(decoding: hash, as: UTF8.self)
        return isName(name) ? name : nil
    }

    private static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func write(_ bytes: Data, as name: String) throws(DatabaseError) {
        do throws(FileError) {
            try fileSystem.makeFolder(folder)
            try FileReplacement.replace(path(name), with: Array(bytes), newFileMode: 0o600, fileSystem)
        } catch {
            throw DatabaseError(error.isFull ? .full : .other, error.description)
        }
    }
}

/// The form of contents in the history: made smaller by zlib, or as they are where it is missing.
enum ContentCompression {
    /// The fastest one: others wait to be recorded.
    private static let level = 1

    /// Returns nil if compression makes it no smaller.
    static func compressed(_ data: Data) -> Data? {
        guard !data.isEmpty, let made = data.withUnsafeBytes({ Zlib.shared?.compressed($0, level: level) }),
            made.count < data.count
        else { return nil }
        return Data(made)
    }

    /// Returns nil for damaged bytes.
    /// - Parameter size: The size of the result.
    static func expanded(_ data: Data, size: Int) -> Data? {
        data.withUnsafeBytes { Zlib.shared?.expanded($0, size: size) }.map { Data($0) }
    }
}
