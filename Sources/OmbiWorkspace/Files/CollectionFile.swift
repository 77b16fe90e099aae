#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads and writes one collection file.
public enum CollectionFile {
    /// Reads a file. Never throws: errors are among the problems of the result.
    public static func load(_ path: String, fileSystem: some FileSystem = PosixFileSystem()) -> LoadedCollection {
        do throws(FileError) {
            let bytes = try fileSystem.read(path)
            let (collection, problems) = read(bytes, file: path)
            return LoadedCollection(
                path: path, collection: collection, problems: problems, fingerprint: Fingerprint(bytes: bytes))
        } catch {
            let problem = Problem(file: path, message: "cannot be read: \(error.reason)")
            return LoadedCollection(path: path, collection: nil, problems: [problem], fingerprint: .absent)
        }
    }

    /// Returns the collection in the bytes of a file, and every problem with them.
    /// There is no collection when any of the problems is an error.
    public static func read(_ bytes: [UInt8], file: String) -> (collection: Collection?, problems: [Problem]) {
        let document: JSONDocument
        do throws(JSONMistake) {
            document = try JSONParser.document(bytes)
        } catch {
            return (nil, [Problem(file: file, position: error.position, message: error.message)])
        }
        let log = ProblemLog(file: file, source: document.source)
        for key in document.duplicateKeys { log.add(key.mistake, key.isInBody ? .warning : .error) }
        let collection = ObjectReader(document.root, log).map(Collection.init(reading:))
        let problems = log.problems
        return (problems.contains { $0.severity == .error } ? nil : collection, problems)
    }

    /// Writes the collection in one step: whatever happens, the file holds either its old content or all of the new.
    ///
    /// A file that changed since `fingerprint` was taken is left alone unless `overwriting`. Symbolic links are
    /// followed, and the permissions of the file are kept. Returns the fingerprint for the next save.
    public static func save(
        _ collection: Collection, to path: String, expecting fingerprint: Fingerprint, overwriting: Bool = false,
        fileSystem: some FileSystem = PosixFileSystem()
    ) throws(SaveError) -> Fingerprint {
        let bytes = Array(collection.text.utf8)
        let target = try step { () throws(FileError) in try fileSystem.resolve(path) }
        if !overwriting { try checkUnchanged(target, since: fingerprint, named: path, fileSystem) }
        var content: [UInt8]? = bytes
        try step { () throws(FileError) in
            try FileReplacement.replace(target, fileSystem) { () throws(FileError) in content.take() }
        }
        return Fingerprint(bytes: bytes)
    }

    private static func step<Result>(_ body: () throws(FileError) -> Result) throws(SaveError) -> Result {
        do throws(FileError) { return try body() } catch { throw .failed(error) }
    }

    private static func checkUnchanged(
        _ target: String, since fingerprint: Fingerprint, named path: String, _ fileSystem: some FileSystem
    ) throws(SaveError) {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try fileSystem.read(target)
        } catch  where error.code == ENOENT {
            bytes = nil
        } catch {
            throw .failed(error)
        }
        if bytes == fingerprint.bytes { return }
        throw bytes == nil ? .removedOnDisk(path) : .changedOnDisk(path)
    }
}
