import Foundation
import Testing

@testable import OmbiWorkspace

/// Files of Bruno, made for a test.
enum BrunoSample {
    /// A request with further blocks.
    static func request(
        _ blocks: String, body: String = "none", auth: String = "none", url: String = "https://a.test/x"
    ) -> String {
        let head = ["url: \(url)", "body: \(body)", "auth: \(auth)"].map { "  \($0)\n" }.joined()
        return "meta {\n  name: r\n  type: http\n}\n\npost {\n\(head)}\n\n\(blocks)\n"
    }

    /// The collection that a file is imported as, and all notes.
    static func imported(_ text: String, path: String = "r.bru") throws -> (imported: Imported, notes: [ImportNote]) {
        let file = try Importer.read(Array(text.utf8), from: path)
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    /// The one request of a file.
    static func only(_ text: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try imported(text)
        return (try #require(imported.collection.requests.first), notes)
    }

    /// Calls a function with a folder that has files.
    static func play(_ files: [String: String], _ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bruno-" + UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (path, text) in files {
            let file = URL(fileURLWithPath: folder + "/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try body(folder)
    }

    /// The collection that a folder is imported as, and all notes.
    static func imported(folder: String) throws -> (imported: Imported, notes: [ImportNote]) {
        let read = try Importer.read(folder: folder)
        let joined = try Imported.joined([read])
        return (joined, read.notes + joined.notes)
    }
}
