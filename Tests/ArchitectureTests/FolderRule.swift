import Foundation

/// The folders of a target use each other's types one way only: what two of them need stands in a third, below both.
struct FolderRule: Sendable, CustomStringConvertible {
    /// A folder of `Sources`.
    let target: String
    /// The pairs of folders that still use each other. The list may only become shorter.
    var known: Set<String> = []

    var description: String { target }

    /// The types that each folder uses of each other one.
    func uses(in files: [SourceFile]) -> [String: [String: Set<String>]] {
        let files = files.filter { $0.path.hasPrefix("Sources/\(target)/") }.map { FolderFile($0, target: target) }
        var homes: [String: Set<String>] = [:]
        for file in files { for type in file.types { homes[type, default: []].insert(file.folder) } }
        var uses: [String: [String: Set<String>]] = [:]
        for file in files {
            for word in file.words.subtracting(file.ownTypes) {
                // Of a type with several homes it is not known which is meant.
                guard let home = homes[word], home.count == 1, let folder = home.first, folder != file.folder else {
                    continue
                }
                uses[file.folder, default: [:]][folder, default: []].insert(word)
            }
        }
        return uses
    }

    /// The pairs of folders that use each other, and the known ones that no longer do.
    func violations(in files: [SourceFile]) -> [String] {
        let uses = uses(in: files)
        var found: [String: String] = [:]
        for (folder, others) in uses {
            for (other, types) in others where folder < other {
                guard let back = uses[other]?[folder] else { continue }
                found["\(folder), \(other)"] =
                    "\(target): \(folder) uses \(types.sorted().prefix(5).joined(separator: ", ")) of \(other), and that "
                    + "\(back.sorted().prefix(5).joined(separator: ", ")) of \(folder)"
            }
        }
        let gone = known.subtracting(found.keys).sorted().map { "\(target): \($0) use each other no longer: strike it" }
        return found.filter { !known.contains($0.key) }.values.sorted() + gone + (known.isEmpty ? circle(uses) : [])
    }

    /// The folders left when those that use no other are taken away, one after the other: they go in a circle.
    private func circle(_ uses: [String: [String: Set<String>]]) -> [String] {
        var left = uses.mapValues { Set($0.keys) }
        while let free = left.first(where: { _, used in used.allSatisfy { left[$0] == nil } }) {
            left[free.key] = nil
        }
        return left.isEmpty
            ? [] : ["\(target): \(left.keys.sorted().joined(separator: ", ")) use each other in a circle"]
    }
}

/// A file as far as the rule looks into it.
private struct FolderFile {
    /// The folder below that of the target; empty for the target itself.
    let folder: String
    /// The types that others may name.
    let types: Set<String>
    /// The types of this file alone.
    let ownTypes: Set<String>
    /// The words that may name a type.
    let words: Set<String>

    private static let keywords: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    init(_ file: SourceFile, target: String) {
        let parts = file.path.split(separator: "/")
        folder = parts.count > 3 ? String(parts[2]) : ""
        let code = SwiftCode.of(file.text)
        var (types, ownTypes): (Set<String>, Set<String>) = ([], [])
        for line in code.split(separator: "\n") where line.first?.isLetter == true || line.first == "@" {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            guard let keyword = words.firstIndex(where: Self.keywords.contains), keyword + 1 < words.count,
                words[keyword + 1].first?.isUppercase == true
            else { continue }
            let isOwn = words[..<keyword].contains { $0 == "private" || $0 == "fileprivate" }
            if isOwn { ownTypes.insert(words[keyword + 1]) } else { types.insert(words[keyword + 1]) }
        }
        (self.types, self.ownTypes) = (types, ownTypes)
        words = Set(
            code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter { $0.first?.isUppercase == true }
                .map(String.init))
    }
}

extension FolderRule {
    static let all: [FolderRule] = [
        FolderRule(target: "OmbiPlatform"), FolderRule(target: "OmbiBase"),
        FolderRule(
            target: "OmbiCore",
            known: [
                "Authentication, Request", "Body, Request", "Body, Transport", "Manager, Middleware",
                "Manager, Streaming", "Request, Response", "Request, Transport", "Response, Transport",
            ]),
        FolderRule(target: "OmbiURLSession"), FolderRule(target: "OmbiAuthentication"),
        FolderRule(target: "OmbiDocument"), FolderRule(target: "OmbiProcess"), FolderRule(target: "OmbiWorkspace"),
        FolderRule(target: "OmbiTerminal"), FolderRule(target: "OmbiViewer"), FolderRule(target: "OmbiTUI"),
        FolderRule(target: "DemoAPI"), FolderRule(target: "DemoServer"),
    ]
}
