/// The file of a new collection.
enum NewCollection {
    /// Writes the file; never over another one.
    static func create(_ collection: Collection, at path: String) throws(SaveError) -> LoadedCollection {
        _ = try CollectionFile.save(collection, to: path, expecting: .absent)
        return CollectionFile.load(path)
    }

    /// Writes the file of a new collection from that of another tool, as it was read; never over another one.
    /// - Parameters:
    ///   - fingerprint: the content of the other file.
    ///   - path: that of the other file.
    /// - Returns: the new file, nil where it could not be written, and a message.
    static func make(
        of fingerprint: Fingerprint, from path: String, at target: String
    ) -> (loaded: LoadedCollection?, notice: Notice) {
        let imported: Imported
        do throws(ImportError) {
            guard let content = try read(fingerprint, from: path) else {
                return (nil, Notice(.failure, "Not saved: files of \(path) have changed; open it again"))
            }
            imported = try Imported.joined([content])
        } catch {
            return (nil, Notice(.failure, "Not saved: \(error.file ?? path):\(error)"))
        }
        do throws(FileError) { _ = try imported.write(to: target, keeping: .local) } catch {
            let remedy = error.code == FileError.isThere ? "; w asks for another name" : ""
            return (nil, Notice(.failure, "Not saved: \(error)\(remedy)"))
        }
        let loaded = CollectionFile.load(target)
        guard loaded.collection != nil else {
            return (nil, Notice(.failure, loaded.problems.first?.description ?? "\(target) cannot be read"))
        }
        let local = imported.secrets.isEmpty ? nil : PlainSecrets.localFile(of: target)
        let secrets = local.map { ", with \(Count.of(imported.secrets.count, "secret")) in \($0)" } ?? ""
        return (loaded, Notice(.success, "Saved as \(target)\(secrets)"))
    }

    /// Reads what was opened once more; nil where one of several files has changed since.
    private static func read(_ fingerprint: Fingerprint, from path: String) throws(ImportError) -> Imported? {
        let files = PosixFileSystem()
        let read: Imported
        if files.isFolder(path) {
            read = try Importer.read(folder: path)
        } else {
            let opened = fingerprint.text.map { $0.array(0..<$0.count) } ?? []
            // Behind the content of a file is that of the others that it refers to.
            guard let own = try? files.read(path), !own.isEmpty, own.count < opened.count, opened.starts(with: own)
            else { return try Importer.read(opened, at: path) }
            read = try Importer.read(own, at: path)
        }
        return read.isOf(fingerprint) ? read : nil
    }

    /// Returns a path for a collection of that name, at which there is no file.
    /// - Parameters:
    ///   - opened: the paths of the command line.
    ///   - files: the files that are open.
    static func path(for name: String, opened: [String], files: [String]) -> String {
        let folder = folder(opened: opened, files: files)
        var candidate = CollectionFinder.path(of: fileName(for: name) + ".json", in: folder)
        var number = 2
        while FileStamp(candidate) != nil {
            candidate = CollectionFinder.path(of: "\(fileName(for: name))-\(number).json", in: folder)
            number += 1
        }
        return candidate
    }

    /// The folder of a new collection: the opened one, or the one in it that holds the others.
    static func folder(opened: [String], files: [String]) -> String {
        let system = PosixFileSystem()
        let folder = opened.first { system.isFolder($0) } ?? opened.first.map { self.folder(of: $0) } ?? "."
        let inner = CollectionFinder.path(of: CollectionFinder.subfolder, in: folder)
        return files.contains { self.folder(of: $0) == inner } ? inner : folder
    }

    /// The folder of a path; `.` for a name alone.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private static let maximumName = 60

    /// `my-shop` for `My shop!`
    static func fileName(for name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        let text = words.joined(separator: "-").prefix(maximumName)
        return text.isEmpty ? "collection" : String(text)
    }
}

/// Messages about secrets in plain text. None has a value.
enum PlainSecretsNotice {
    /// A collection of that size has been looked through before anybody reads the message.
    private static let maximumSize = 4 << 20

    /// Returns a message about the first secret in files that were read; nil without one.
    static func first(in files: [LoadedCollection]) -> Notice? {
        for file in files where file.fingerprint.content?.count ?? 0 <= maximumSize {
            // The credentials of another tool's file are in no file of Ombi.
            guard file.collection?.overlay.isForeign != true, let secrets = file.plainSecrets,
                let first = secrets.found.first
            else { continue }
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            let more = secrets.found.count > 1 ? " and \(secrets.found.count - 1) more" : ""
            return Notice(
                .warning,
                "\(name), line \(first.position.line): \(first.kind) in plain text\(more); "
                    + "the palette (:) moves it out")
        }
        return nil
    }

    /// Writes secrets, and says so.
    static func afterMoving(_ secrets: [PlainSecret], outOf path: String) -> Notice {
        let name = PlainSecrets.localFile(of: path) ?? path
        do throws(FileError) {
            try PlainSecrets.keep(secrets, beside: path)
            MovedSecrets.grant(secrets, in: path)
            return Notice(
                .success,
                "Moved \(Count.of(secrets.count, "secret")) to \(name); w saves the templates, u takes them back")
        } catch {
            return Notice(.failure, "Not moved: \(error); u brings the text back")
        }
    }
}
