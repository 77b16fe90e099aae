import OmbiTerminal
import OmbiWorkspace

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that the command line names for what is written at the end. A regular file is replaced in one step; an open
/// descriptor, a pipe and a device have nothing to replace and are written into: `/dev/stderr`, `>(…)` of a shell, a FIFO.
enum OutputFile {
    /// - Parameter mode: the permissions of a new file; nil for those of any new file.
    static func write(
        _ text: String, to path: String, overwriting: Bool, mode: UInt32? = 0o600
    ) throws(FileError) {
        guard isStream(path) else {
            return try IncidentFile.write(text, to: path, overwriting: overwriting, mode: mode)
        }
        // Without O_NONBLOCK, opening a FIFO waits for a reader that may never come.
        let descriptor =
            descriptor(of: path).map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
            ?? open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw FileError(operation: "write", path: path, code: errno) }
        defer { close(descriptor) }
        StandardOutput.outliveReader()
        // Both may go to one file.
        ResultOutput.standard.flush()
        var text = text
        let code = text.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: descriptor) }
        if let code { throw FileError(operation: "write", path: path, code: code) }
    }

    /// Returns true for an open descriptor, a pipe and a device. Opens nothing.
    static func isStream(_ path: String) -> Bool {
        if descriptor(of: path) != nil { return true }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFCHR
    }

    /// The open descriptor that a path names; nil for the standard input, and for any other path.
    private static func descriptor(of path: String) -> Int32? {
        PipedFile.descriptor(of: path).flatMap { $0 > 0 ? $0 : nil }
    }
}
