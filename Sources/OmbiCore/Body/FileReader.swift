#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file to send that cannot be read.
public struct UnreadableFile: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path as given.
    public let path: String
    /// The system's message: "No such file or directory".
    public let reason: String

    public var description: String { "the file \(path) cannot be read (\(reason))" }

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    init(path: String, code: Int32) {
        self.init(path: path, reason: strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
}

/// A reader of a regular file.
final class FileReader: BodyReader {
    /// The size when the file was opened, in bytes.
    let length: Int
    private let path: String
    private let descriptor: CInt

    init(path: String) throws(UnreadableFile) {
        // Opening a pipe without a writer would otherwise block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw UnreadableFile(path: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw UnreadableFile(path: path, reason: "not a regular file")
        }
        self.path = path
        self.descriptor = descriptor
        length = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            #if canImport(Darwin)
            let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
            let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 { return count }
            guard errno == EINTR else { throw UnreadableFile(path: path, code: errno) }
        }
    }
}
