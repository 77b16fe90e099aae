import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Properties of every import, on the fixtures of the formats that are folders or trees.
@Suite struct ImportPropertyTests {
    /// The files of a collection of another tool.
    struct Fixture: Sendable, CustomStringConvertible {
        let description: String
        let files: [String: String]
        /// The only file that is imported; nil for the folder.
        var file: String?
        let requests: Int

        func imported() throws -> (imported: Imported, notes: [ImportNote]) {
            guard let file, let text = files[file] else { return try FolderSample.imported(files) }
            return try FolderSample.file(text, file)
        }
    }

    static let fixtures = [
        Fixture(description: "Postman 3", files: PostmanFolderTests.shop, requests: 3),
        Fixture(
            description: "Insomnia 5", files: ["insomnia.yaml": InsomniaFiveTests.shop], file: "insomnia.yaml",
            requests: 3),
        Fixture(description: "Insomnia in Git", files: InsomniaFiveTests.repository, requests: 1),
        Fixture(description: "posting", files: PostingImportTests.shop, requests: 3),
        Fixture(
            description: "slumber 4", files: ["slumber.yml": SlumberImportTests.shop], file: "slumber.yml",
            requests: 4),
        Fixture(
            description: "slumber 3", files: ["slumber.yml": SlumberImportTests.former], file: "slumber.yml",
            requests: 2),
    ]

    /// Credentials of the fixtures, which no written collection has.
    private static let credentials = ["tk4Zr9QmW1xVb7Np2Ls8", "hunter2hunter2", "other2other2"]

    @Test(arguments: fixtures) func `a second import is the first, byte by byte`(fixture: Fixture) throws {
        let (first, notes) = try fixture.imported()
        let (second, others) = try fixture.imported()
        #expect(first.requestCount == fixture.requests)
        for place in ImportedSecretPlace.allCases {
            #expect(first.written(keeping: place).text == second.written(keeping: place).text)
        }
        #expect(notes.map(\.message) == others.map(\.message))
    }

    @Test(arguments: fixtures) func `no credential is in what is written or said`(fixture: Fixture) throws {
        let (imported, notes) = try fixture.imported()
        let texts = ImportedSecretPlace.allCases.map { imported.written(keeping: $0).text } + notes.map { "\($0)" }
        for credential in Self.credentials { #expect(!texts.contains { $0.contains(credential) }, "\(credential)") }
    }

    @Test(arguments: fixtures) func `what is written can be read without a problem`(fixture: Fixture) throws {
        let (imported, _) = try fixture.imported()
        let text = imported.written(keeping: .drop).text
        let (collection, problems) = CollectionFile.read(Array(text.utf8), file: "sample.json")
        #expect(problems.allSatisfy { $0.severity != .error }, "\(problems)")
        #expect(collection?.requests.count == fixture.requests)
    }

    @Test(arguments: fixtures) func `each cut of a file ends in an error or a collection`(fixture: Fixture) throws {
        for (name, text) in fixture.files {
            var files = fixture.files
            for length in stride(from: 0, to: text.utf8.count, by: max(1, text.utf8.count / 12)) {
                files[name] = String(decoding: Array(text.utf8.prefix(length)), as: UTF8.self)
                // The files of one format each end by themselves.
                let cut = Fixture(
                    description: "", files: files, file: fixture.file, requests: fixture.requests)
                do { _ = try cut.imported() } catch { #expect(error is ImportError, "\(error)") }
            }
        }
    }
}
