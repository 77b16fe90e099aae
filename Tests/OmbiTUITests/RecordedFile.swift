import Foundation
import Testing

@testable import OmbiTUI

/// A file of the repository that tests write with `OMBI_RECORD=1`, and compare with what they find.
struct RecordedFile {
    private let path: String
    private var url: URL { Self.root.appending(path: path) }

    static let root = (0..<3).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) { url, _ in
        url.deletingLastPathComponent()
    }
    private static let maximumRows = 20
    private static let maximumColumns = 240

    /// - Parameter path: from the root of the repository.
    init(_ path: String) { self.path = path }

    /// Records an issue with the lines that differ.
    func expect(_ found: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["OMBI_RECORD"] != nil {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try found.write(to: url, atomically: true, encoding: .utf8)
        }
        let wanted = try String(contentsOf: url, encoding: .utf8)
        guard found != wanted else { return }
        let (old, new) = (wanted.components(separatedBy: "\n"), found.components(separatedBy: "\n"))
        let rows = (0..<max(old.count, new.count)).filter { old[safe: $0] != new[safe: $0] }.prefix(Self.maximumRows)
        let lines = rows.map { "\($0 + 1):\n- \(Self.short(old[safe: $0]))\n+ \(Self.short(new[safe: $0]))" }
        Issue.record(
            "\(path) differs, OMBI_RECORD=1 writes it (- recorded, + found):\n\(lines.joined(separator: "\n"))",
            sourceLocation: sourceLocation)
    }

    private static func short(_ line: String?) -> String { String((line ?? "").prefix(maximumColumns)) }
}
