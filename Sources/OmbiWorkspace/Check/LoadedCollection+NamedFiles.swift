import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LoadedCollection {
    /// The problems of the file and of those beside it, and a warning for each file that it names and that cannot be read,
    /// and for each setting that the libcurl of this system lacks. Looks at the disk.
    public var problemsWithNamedFiles: [Problem] {
        guard let content = fingerprint.content, let document = try? JSONDocument(checking: content) else {
            return problems
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        return CollectionFile.read(
            document, file: path,
            reads: { named in
                do {
                    _ = try BodyStream(fileURL: URL(filePath: RelativePath.resolve(named, folder: folder)))
                    return nil
                } catch { return (error as? UnreadableFile)?.reason ?? "\(error)" }
            }, refuses: { CurlTransport.refusal(of: $0)?.message },
            judges: { named in
                do throws(JSONSchemaError) {
                    _ = try LoadedSchema(.file(named), folder: folder, files: .system(folder: folder))
                    return nil
                } catch { return "\(error)" }
            }
        ).problems + problems.filter { $0.file != path }
    }
}
