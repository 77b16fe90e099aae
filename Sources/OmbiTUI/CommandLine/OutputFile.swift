import OmbiPlatform

/// A file that the command line names for what is written at the end. A regular file is replaced in one step; an open
/// descriptor, a pipe and a device have nothing to replace and are written into: `/dev/stderr`, `>(…)` of a shell.
enum OutputFile {
    /// The bytes of a large file that are written at a time.
    private static let portion = 1 << 20

    /// - Parameter mode: the permissions of a new file; nil for those of any new file.
    static func write(
        _ text: String, to path: String, overwriting: Bool, mode: UInt32? = 0o600
    ) throws(FileError) {
        guard isStream(path) else {
            return try IncidentFile.write(text, to: path, overwriting: overwriting, mode: mode)
        }
        var text = text
        let code = text.withUTF8 { write(UnsafeRawBufferPointer($0), into: path) }
        if let code { throw FileError(operation: "write", path: path, code: code) }
    }

    /// Writes what was too large for the memory, over what is there.
    static func write(_ store: ResponseStore, to path: String) throws(FileError) {
        guard !isStream(path) else {
            let code = store.withUnsafeBytes { write($0, into: path) }
            if let code { throw FileError(operation: "write", path: path, code: code) }
            return
        }
        var position = 0
        try FileReplacement.save(to: path) { () throws(FileError) in
            guard position < store.count else { return nil }
            let start = position
            let bytes = store.withUnsafeBytes { Array($0[start..<min(start + portion, $0.count)]) }
            position += bytes.count
            return bytes
        }
    }

    /// Returns the errno of a failure; nil on success.
    private static func write(_ bytes: UnsafeRawBufferPointer, into path: String) -> Int32? {
        // Without O_NONBLOCK, opening a FIFO waits for a reader that may never come.
        let descriptor =
            descriptor(of: path).map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
            ?? open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        StandardOutput.outliveReader()
        // Both may go to one file.
        ResultOutput.standard.flush()
        return Descriptor.write(bytes, to: descriptor)
    }

    /// Returns true for an open descriptor, a pipe and a device. Opens nothing.
    static func isStream(_ path: String) -> Bool {
        if descriptor(of: path) != nil { return true }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFCHR
    }

    /// The open descriptor that a path names, `-` the standard output; nil for the standard input and any other path.
    private static func descriptor(of path: String) -> Int32? {
        path == "-" ? 1 : PipedFile.descriptor(of: path).flatMap { $0 > 0 ? $0 : nil }
    }
}
