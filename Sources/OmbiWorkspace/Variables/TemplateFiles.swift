#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The error of a file that a template names.
struct TemplateFileError: Error, CustomStringConvertible {
    var description: String
}

/// The files that `$file` reads. Tests use fixed ones.
public struct TemplateFiles: Sendable {
    var read: @Sendable (_ path: String) throws(TemplateFileError) -> [UInt8]

    /// Every file has the same text.
    static func sample(_ text: String) -> TemplateFiles { TemplateFiles { _ in Array(text.utf8) } }

    /// Reads files of the workspace of a folder. A collection may come from anywhere, so it names no others.
    static func system(folder: String) -> TemplateFiles {
        TemplateFiles { path throws(TemplateFileError) in
            let place = RelativePath.resolve(path, folder: folder, home: nil)
            guard !path.isEmpty else { throw TemplateFileError(description: "the path is empty") }
            guard let real = Workspace.real(place) else {
                let reason = FileError(operation: "read", path: place, code: errno).reason
                throw TemplateFileError(description: "cannot read \(path): \(reason)")
            }
            guard Workspace.contains(real, folder: folder) else {
                let isInside = Workspace.root(of: folder).map { real.hasPrefix($0 + "/") } ?? false
                throw TemplateFileError(
                    description: isInside
                        ? "\(path) is hidden or this machine's own; use another file"
                        : "\(path) is outside the workspace; copy it to the folder of the collection")
            }
            return try content(of: real, named: path)
        }
    }

    static let maximumByteCount = 16 << 20

    private static func content(of real: String, named path: String) throws(TemplateFileError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try PosixFileSystem().read(real) } catch {
            throw TemplateFileError(description: "cannot read \(path): \(error.reason)")
        }
        guard bytes.count <= maximumByteCount else {
            throw TemplateFileError(description: "\(path) is larger than 16 MB")
        }
        return bytes
    }
}
