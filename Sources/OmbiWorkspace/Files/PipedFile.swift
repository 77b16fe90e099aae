/// The content of a pipe in the place of a file: the standard input, `<(…)` of a shell, or a FIFO. It is read once, to its end.
///
/// A collection that comes this way has no file: its paths start at the current folder, it gets no lasting grant, and it is
/// not saved.
package enum PipedFile {
    /// The contents of the pipes that this process has read.
    private static let contents = Lock<[String: Result<[UInt8], FileError>]>([:])

    package static func isStandardInput(_ path: String) -> Bool { descriptor(of: path) == 0 }

    /// Returns the open descriptor that a path names; nil for any other path. A FIFO that is opened again has lost its writer.
    package static func descriptor(of path: String) -> Int32? {
        switch path {
        case "-", "/dev/stdin": return 0
        case "/dev/stdout": return 1
        case "/dev/stderr": return 2
        default: break
        }
        let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
        return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }

    /// Returns true for `-` and for the path of a pipe. Opens nothing: a writer would lose its reader.
    package static func isPipe(_ path: String) -> Bool { isStandardInput(path) || Workspace.isPipe(path) }

    /// The name of the collection in a pipe. It has no slash, so it is in the current folder.
    package static func name(of path: String) -> String {
        isStandardInput(path) ? "standard input" : path.split(separator: "/").joined(separator: ":") + " (pipe)"
    }

    /// Returns true for the name of a collection in a pipe, which is no path.
    package static func isName(_ file: String) -> Bool { file == "standard input" || file.hasSuffix(" (pipe)") }

    /// Splits a selection into a pipe and the path of an item in its collection; nil for the selection of a file.
    package static func split(_ selection: String) -> (pipe: String, path: [String])? {
        let parts = selection.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for count in stride(from: parts.count, to: 0, by: -1) {
            let pipe = parts[..<count].joined(separator: "/")
            if isPipe(pipe) { return (pipe, Array(parts[count...])) }
        }
        return nil
    }

    /// Reads a collection to the end of a pipe. Never throws: errors are among the problems of the result.
    package static func collection(_ path: String) -> LoadedCollection {
        let name = name(of: path)
        do throws(FileError) {
            let content = try PosixFileSystem(readsPipes: true).content(path)
            return CollectionFile.load(name, content: content, ReadAhead(), PosixFileSystem())
        } catch {
            let problem = Problem(file: name, message: error.reason)
            return LoadedCollection(path: name, collection: nil, problems: [problem], fingerprint: .absent)
        }
    }

    /// The limit of waiting for somebody who writes to a FIFO, in milliseconds.
    private static let writerLimit: Int32 = 30_000

    /// Reads a file that a collection names, or a pipe: that once, however often it is asked for.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        guard Workspace.isPipe(path) else { return try PosixFileSystem().read(path) }
        let result = contents.withLock { known in
            let result =
                known[path]
                ?? Result { () throws(FileError) in
                    try PosixFileSystem(readsPipes: true, within: writerLimit).read(path)
                }
            known[path] = result
            return result
        }
        return try result.get()
    }
}

extension CollectionFinder {
    /// Loads collections that are only read: from files, folders and pipes.
    package static func loadOnce(_ paths: [String]) -> [LoadedCollection] {
        guard paths.contains(where: PipedFile.isPipe) else { return load(paths) }
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }.flatMap { path in
            PipedFile.isPipe(path) ? [PipedFile.collection(path)] : load([path])
        }
    }
}
