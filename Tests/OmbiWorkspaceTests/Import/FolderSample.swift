import Foundation
import Testing

@testable import OmbiWorkspace

/// Folders of other tools, made for a test.
enum FolderSample {
    /// The collection that files are imported as, and all notes.
    /// - Parameter subfolder: the folder that is imported, below that of the files.
    static func imported(
        _ files: [String: String], _ subfolder: String = ""
    ) throws -> (imported: Imported, notes: [ImportNote]) {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        // The collection has the name of its folder.
        for (name, text) in files { _ = try folder.file("sample/" + name, text) }
        let path = folder.path + "/sample" + (subfolder.isEmpty ? "" : "/" + subfolder)
        let read = try Importer.read(folder: path)
        let joined = try Imported.joined([read])
        return (joined, read.notes + joined.notes)
    }

    /// The error of files that are not imported.
    static func error(of files: [String: String]) throws -> ImportError? {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        for (name, text) in files { _ = try folder.file(name, text) }
        let path = folder.path
        do throws(ImportError) {
            _ = try Importer.read(folder: path)
            return nil
        } catch {
            return error
        }
    }

    /// The collection that one file is imported as, and all notes.
    static func file(_ text: String, _ path: String) throws -> (imported: Imported, notes: [ImportNote]) {
        let read = try Importer.read(Array(text.utf8), from: path)
        let joined = try Imported.joined([read])
        return (joined, read.notes + joined.notes)
    }
}

extension [ImportNote] {
    /// Returns true for a loss about a subject.
    func lose(_ subject: String, _ message: String = "") -> Bool {
        contains { $0.kind == .loss && $0.subject == subject && (message.isEmpty || $0.message.contains(message)) }
    }
}
