import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

private let sampleFolder = ProcessInfo.processInfo.environment["OMBI_IMPORT_SAMPLES"]

/// Files that other people wrote, in a folder that is no part of the repository. Its `COUNTS.tsv` says how many requests
/// each has: the format, the path below its folder, a commit, the number or `refuse`, and the number of folders.
@Suite(.enabled(if: sampleFolder != nil, "OMBI_IMPORT_SAMPLES names no folder of samples"))
struct ImportSampleTests {
    /// Those with an importer.
    private static let formats: Set<String> = [
        "bruno", "har", "insomnia", "openapi", "posting", "postman", "postman-v3", "slumber",
    ]

    /// A row of the table.
    struct Sample: Sendable, CustomStringConvertible {
        let path: String
        /// True for one that may have a request several times, of which the collection has one.
        let isRecording: Bool
        /// Nil for one that is refused.
        let requests: Int?
        /// WebSockets, and requests of protocols that are not read.
        let others: Int
        let folders: Int?

        var description: String { path }

        init?(_ line: Substring) {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            // The rest of a workspace has no request, and a part of a folder is none by itself.
            guard cells.count > 3, ImportSampleTests.formats.contains(cells[0]), !Self.isMiscounted(cells),
                !cells[1].hasSuffix("/postman/"), !cells[1].hasSuffix("definition.yaml"),
                let folder = sampleFolder
            else { return nil }
            guard cells[3] == "refuse" || Int(cells[3]) != nil else { return nil }
            // Their number is not known.
            if cells.last?.contains("are not counted") ?? false { return nil }
            path = "\(folder)/\(cells[0])/\(cells[1])"
            isRecording = cells[0] == "har"
            requests = Int(cells[3])
            let note = (cells.last ?? "").split(separator: " ")
            others = note.dropFirst().starts(with: ["gRPC", "or"]) ? note.first.flatMap { Int($0) } ?? 0 : 0
            // Several workspaces are folders of one collection.
            let isOne = !(cells.last ?? "").hasSuffix("workspaces") || (cells.last ?? "").hasSuffix(" 1 workspaces")
            folders = cells.count > 4 && isOne ? Int(cells[4]) : nil
        }

        /// True for folders of Bruno of which the table leaves out files: those below `environments`, and those of a
        /// root that has rows for its folders; and for a text with all of its requests in itself.
        private static func isMiscounted(_ cells: [String]) -> Bool {
            guard cells[0] == "bruno" else { return false }
            return cells[1].contains("/environments/") || cells[1].hasSuffix("/bruno-tests/collection/")
                || cells[1].hasSuffix("/descriptions-collection.yml")
        }
    }

    /// The content of a sample; that of its folder, if it is one.
    private static func content(of sample: Sample) throws -> Imported {
        let folder = sample.path.lastIndex(of: "/").map { String(sample.path[..<$0]) } ?? "."
        let root = folder + "/opencollection.yml"
        if sample.path.hasSuffix("/") || FileManager.default.fileExists(atPath: root) {
            return try Importer.read(folder: folder)
        }
        let content = Array(try Data(contentsOf: URL(fileURLWithPath: sample.path)))
        return try Importer.read(content, from: sample.path, in: ImportFolder(of: sample.path))
    }

    private static let samples: [Sample] = {
        let table = sampleFolder.flatMap { try? String(contentsOfFile: $0 + "/COUNTS.tsv", encoding: .utf8) } ?? ""
        return table.split(whereSeparator: \.isNewline).compactMap { Sample($0) }
    }()

    /// The strings in a value without their templates, which may have the name of a secret that is its value, too.
    private static func plainTexts(of value: JSONValue?) -> [String] {
        switch value {
        case .string(let text)?: TemplateText.plainParts(of: text)
        case .array(let elements)?: elements.flatMap { plainTexts(of: $0) }
        case .object(let members)?: members.flatMap { plainTexts(of: $0.value) }
        case .null?, .bool?, .number?, nil: []
        }
    }

    @Test func `there are samples`() { #expect(!Self.samples.isEmpty) }

    @Test(arguments: samples) func `a sample has all its requests, or is refused`(sample: Sample) throws {
        do {
            let imported = try Imported.joined([try Self.content(of: sample)])
            // One that is refused has none.
            let expected = sample.requests ?? -1
            let isRepeated = sample.isRecording && imported.requestCount > 0 && imported.requestCount < expected
            #expect(isRepeated || (expected...max(expected, expected + sample.others)).contains(imported.requestCount))
            if let folders = sample.folders { #expect(imported.folderCount == folders) }
            let text = imported.written(keeping: .drop).text
            let again = try Imported.joined([try Self.content(of: sample)])
            #expect(again.written(keeping: .drop).text == text)
            let plain = Self.plainTexts(of: try? JSONValue.parse(text)).joined(separator: "\n")
            let repeated = imported.secrets.filter { $0.value.utf8.count >= 12 && plain.contains($0.value) }
            #expect(repeated.isEmpty, "\(repeated)")
            let (_, problems) = CollectionFile.read(Array(text.utf8), file: "sample.json")
            #expect(problems.allSatisfy { $0.severity != .error }, "\(problems)")
        } catch let error as ImportError {
            // A file of Bruno without a request is an error, too.
            let isEmpty = sample.requests == 0 && sample.path.hasSuffix(".bru")
            #expect(sample.requests == nil || isEmpty, "\(error)")
        }
    }
}
