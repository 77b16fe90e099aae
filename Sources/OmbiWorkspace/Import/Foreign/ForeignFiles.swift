/// The documents of a folder, each with its path, in one log.
struct ForeignFiles {
    struct File {
        /// Below the folder.
        let path: String
        let value: ForeignValue
    }

    private(set) var log = ImportLog([])
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

    /// Reads a file.
    mutating func read(_ path: String, in folder: ImportFolder) {
        guard let (file, offset) = text(path, in: folder) else { return }
        if let root = file.root(from: offset), root.kind == .object {
            values.append(File(path: path, value: root))
        } else if let problem = file.syntaxProblem {
            leaveOut(path, problem.reason, at: offset + problem.offset)
        } else if !file.bytes.allSatisfy({ $0 <= 0x20 }) {
            leaveOut(path, "it is no object", at: offset)
        }
    }

    /// Reads the text of a file; nil, with a loss, for one that is not read.
    mutating func text(_ path: String, in folder: ImportFolder) -> (file: ForeignFile, offset: Int)? {
        do throws(ImportFolder.Failure) {
            return file(try folder.content(path, after: log.content.count), path, in: folder)
        } catch {
            leaveOut(path, error.reason, at: log.add([], named: folder.full(path)))
            return nil
        }
    }

    private mutating func file(
        _ content: [UInt8], _ path: String, in folder: ImportFolder
    ) -> (file: ForeignFile, offset: Int)? {
        do throws(ImportError) {
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

    /// Notes a part that is left out.
    mutating func loss(_ offset: Int, _ subject: String, _ message: String) { log.loss(offset, subject, message) }
}
