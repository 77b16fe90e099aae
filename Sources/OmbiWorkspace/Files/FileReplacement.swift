import OmbiPlatform

/// Writes a file in one step: whatever happens, it holds either its old content or all of the new.
package enum FileReplacement {
    /// Follows symbolic links, and keeps the permissions of an existing file.
    /// - Parameters:
    ///   - newFileMode: the permissions where there is no file yet; nil for those of new files.
    ///   - overwriting: false leaves a file alone that exists when everything is written.
    ///   - next: the next portion of the content; nil at its end. An error it throws leaves everything as it was.
    /// - Throws: a `FileError` with the code `isThere` when an existing file may not be overwritten.
    package static func save(
        to path: String, newFileMode: UInt32? = nil, overwriting: Bool = true,
        fileSystem: some FileSystem = PosixFileSystem(), _ next: () throws(FileError) -> [UInt8]?
    ) throws(FileError) {
        try replace(
            try fileSystem.resolve(path), newFileMode: newFileMode, overwriting: overwriting, fileSystem, next)
    }

    /// Changes a file next to a collection. No link is followed: the folder may come from anyone, and its links lead to files
    /// of the user.
    /// - Parameters:
    ///   - newFileMode: the permissions where there is no file yet; nil for those of new files.
    ///   - change: returns the new content; nil leaves the file as it is. Gets nil where there is no file.
    static func change(
        _ path: String, newFileMode: UInt32? = nil, _ fileSystem: some FileSystem,
        _ change: (_ known: [UInt8]?) throws(FileError) -> [UInt8]?
    ) throws(FileError) {
        guard !fileSystem.isLink(path) else { throw FileError(operation: "write", path: path, code: FileError.isLink) }
        var known: [UInt8]?
        do throws(FileError) { known = try fileSystem.read(path) } catch  where error.isAbsence {}
        var content = try change(known)
        guard content != nil else { return }
        try replace(path, newFileMode: newFileMode, fileSystem) { () throws(FileError) in content.take() }
    }

    /// Writes a new file beside the target, which is not a link, and renames it onto the target in one system call.
    /// - Parameter newFileMode: the permissions where there is no file yet; nil for those of new files.
    static func replace(
        _ target: String, newFileMode: UInt32? = nil, overwriting: Bool = true, _ fileSystem: some FileSystem,
        _ next: () throws(FileError) -> [UInt8]?
    ) throws(FileError) {
        let found = try fileSystem.modeForReplacing(target)
        guard overwriting || found == nil else {
            throw FileError(operation: "write", path: target, code: FileError.isThere)
        }
        let mode = found ?? newFileMode
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { String(target[...$0]) } ?? "./"
        let temporary = folder + temporaryName
        do throws(FileError) {
            try fileSystem.create(temporary, mode: mode, next)
            if overwriting {
                try fileSystem.rename(temporary, to: target)
            } else {
                try fileSystem.renameWithoutReplacing(temporary, to: target)
            }
        } catch {
            fileSystem.remove(temporary)
            throw FileError(operation: error.operation, path: target, code: error.code)
        }
        fileSystem.synchronize(folder: folder)
        fileSystem.removeLeftovers(in: folder, of: process)
    }

    private static var temporaryName: String { ".ombi-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp" }

    /// The program that makes a temporary file of that name.
    private static func process(of name: String) -> Int32? {
        let parts = name.split(separator: "-")
        guard parts.count == 3, parts[0] == ".ombi", parts[2].hasSuffix(".tmp"), UInt32(parts[2].dropLast(4)) != nil
        else { return nil }
        return Int32(parts[1]).flatMap { $0 > 0 ? $0 : nil }
    }
}
