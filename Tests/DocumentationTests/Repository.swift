import Foundation

/// The files of the repository that these tests read.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    struct File {
        /// Relative to the root.
        let path: String
        let text: String

        var lines: [String] { text.components(separatedBy: "\n") }
        /// Without folder and ending.
        var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
    }

    static func file(_ path: String) throws -> File {
        File(path: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
    }

    /// Every file below a folder whose name ends so, in the order of their paths.
    static func files(below folder: String, ending: String) throws -> [File] {
        let paths =
            FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).resolvingSymlinksInPath().path)?
            .compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(ending) }.sorted().map { try file("\(folder)/\($0)") }
    }
}
