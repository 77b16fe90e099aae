import OmbiCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is written piece by piece under another name, and has its own name once it is whole.
/// FoundationEssentials has no `FileHandle`.
struct FileSink: ~Copyable {
    struct CannotWrite: Error, Equatable {
        let path: String
        let code: Int32
    }

    private let path: String
    private let part: String
    private let descriptor: Int32

    init(_ file: URL) throws(CannotWrite) {
        path = file.path
        part = path + ".part"
        descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CannotWrite(path: part, code: errno) }
    }

    /// Leaves nothing of a file that was not finished.
    deinit {
        _ = close(descriptor)
        _ = unlink(part)
    }

    func append(_ data: Data) throws(CannotWrite) {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw CannotWrite(path: part, code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives the file its name, in place of one that is there.
    func finish() throws(CannotWrite) {
        guard rename(part, path) == 0 else { throw CannotWrite(path: path, code: errno) }
    }
}
