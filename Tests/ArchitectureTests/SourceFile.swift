import Foundation

/// A Swift file of the repository, as far as the rules look into it.
struct SourceFile: Sendable {
    struct Import: Sendable, Equatable {
        let module: String
        let line: Int
        /// It stands in the `#else` of `#if canImport(FoundationEssentials)`.
        let isFallback: Bool
    }

    /// Relative to the root of the repository.
    let path: String
    let text: String

    var name: String { String(path.split(separator: "/").last?.dropLast(".swift".count) ?? "") }

    /// The modules it imports, also by `@testable`, `internal import` and `import struct Module.Type`.
    var imports: [Import] {
        var imports: [Import] = []
        var branches: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#if") {
                branches.append(line)
            } else if line.hasPrefix("#else"), let condition = branches.popLast() {
                branches.append("not \(condition)")
            } else if line.hasPrefix("#endif") {
                _ = branches.popLast()
            } else if let module = Self.module(in: line) {
                let isFallback = branches.contains("not #if canImport(FoundationEssentials)")
                imports.append(Import(module: module, line: index + 1, isFallback: isFallback))
            }
        }
        return imports
    }

    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]

    private static func module(in line: String) -> String? {
        let words = line.split(separator: " ").map(String.init)
        guard let keyword = words.firstIndex(of: "import"),
            words[..<keyword].allSatisfy({
                $0.hasPrefix("@") || ["public", "internal", "private", "package", "fileprivate"].contains($0)
            })
        else { return nil }
        return words[(keyword + 1)...].first { !kinds.contains($0) }?
            .split(whereSeparator: { ".;".contains($0) }).first.map(String.init)
    }
}

extension SourceFile {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every Swift file below a folder of the repository, in the order of their paths.
    static func all(below folder: String) throws -> [SourceFile] {
        let paths =
            FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?
            .compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let url = root.appendingPathComponent(folder).appendingPathComponent(path)
            return SourceFile(path: "\(folder)/\(path)", text: try String(contentsOf: url, encoding: .utf8))
        }
    }
}
