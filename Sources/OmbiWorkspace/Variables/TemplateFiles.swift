#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The error of a file that a template or an example names.
package struct TemplateFileError: Error, CustomStringConvertible {
    package var description: String
}

/// The files that templates, schemas and fallbacks name. Tests use fixed ones.
public struct TemplateFiles: Sendable {
    var read: @Sendable (_ path: String) throws(TemplateFileError) -> [UInt8]
    /// Returns the source that a file is; nil for one of the workspace.
    var source: @Sendable (_ path: String) -> Source?

    /// Every file has the same text.
    static func sample(_ text: String) -> TemplateFiles {
        TemplateFiles(read: { _ in Array(text.utf8) }, source: { _ in nil })
    }

    /// Files by their paths from a folder.
    static func system(folder: String) -> TemplateFiles {
        TemplateFiles(
            read: { path throws(TemplateFileError) in
                guard !path.isEmpty else { throw TemplateFileError(description: "the path is empty") }
                let place = RelativePath.resolve(path, folder: folder)
                guard let real = Workspace.real(place) else {
                    let reason = FileError(operation: "read", path: place, code: errno).reason
                    throw TemplateFileError(description: "cannot read \(path): \(reason)")
                }
                return try content(of: real, named: path)
            }, source: { Workspace.source($0, folder: folder) })
    }

    /// Returns the content of a file of the workspace. A grant names a server, and a schema or a fallback goes to none.
    func readOwn(_ path: String) throws(TemplateFileError) -> [UInt8] {
        guard path.isEmpty || source(path) == nil else {
            throw TemplateFileError(
                description: "\(path) is outside the workspace or hidden; copy it to the folder of the collection")
        }
        return try read(path)
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
