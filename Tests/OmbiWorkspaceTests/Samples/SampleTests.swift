import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The samples that come with Ombi, and the schema of the format.
@Suite struct SampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections").path

    private static let samples = CollectionFinder.load([folder]).map(\.path)

    static func schema() throws -> SchemaValidator {
        let text = try String(contentsOfFile: folder + "/ombi.schema.json", encoding: .utf8)
        return SchemaValidator(root: try JSONValue.parse(text))
    }

    @Test func `all JSON files but the schema are samples`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        let files = names.filter { $0.hasSuffix(".json") && $0 != "ombi.schema.json" }.sorted()
        #expect(Self.samples == files.map { Self.folder + "/" + $0 })
        #expect(files.contains("jsonplaceholder.json") && files.contains("httpbin.json"))
    }

    @Test(arguments: samples)
    func `a sample has no problems and is canonical`(path: String) throws {
        let loaded = CollectionFile.load(path)
        #expect(loaded.problems.map(\.description) == [])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try #require(loaded.collection).text == text)
        #expect(CollectionCheck.problems(in: Array(text.utf8), file: path).map(\.description) == [])
    }

    @Test(arguments: samples)
    func `a sample obeys the schema`(path: String) throws {
        let value = try JSONValue.parse(try String(contentsOfFile: path, encoding: .utf8))
        #expect(try Self.schema().failures(value) == [])
    }

    @Test(arguments: samples)
    func `every request of a sample can be sent to every environment`(path: String) throws {
        let collection = try #require(CollectionFile.load(path).collection)
        #expect(!collection.choosableEnvironments.isEmpty && !collection.requests.isEmpty)
        for environment in collection.choosableEnvironments {
            var secrets = SecretReader(environment: { _ in "secret" }, file: { _ in Array("secret".utf8) })
            secrets.obtained = { _ in "secret" }
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            var resolver = Resolver(
                collection: collection, environment: environment, secrets: secrets, folder: folder)
            for request in collection.requests {
                let index = CaptureIndex(collection)
                #expect(throws: Never.self) {
                    try index.plan(request, index.scope(for: [request])) { request, scope throws(ResolveError) in
                        resolver.captured = scope
                        _ = try resolver.resolve(request)
                    }
                }
            }
        }
    }

    @Test func `the schema holds for a collection with everything`() throws {
        #expect(try Self.schema().failures(try JSONValue.parse(everything)) == [])
    }

    @Test(arguments: [
        "{}", "[]", "{\"version\": 2, \"name\": \"n\", \"items\": []}",
        "{\"version\": 1, \"name\": \"\", \"items\": []}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [{}]}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [{\"request\": \"r\", \"path\": \"/\", \"method\": \"get\"}]}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [{\"request\": \"r\", \"path\": \"/\", \"body\": {\"json\": 1, \"text\": \"\"}}]}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [{\"request\": \"r\", \"path\": \"/\", \"policy\": {\"sla\": \"2 s\"}}]}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [], \"variables\": {\"a\": 1}}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [], \"policy\": {\"sla\": \"0.0s\"}}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [], \"policy\": {\"timeout\": \"1.0123456789s\"}}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [], \"policy\": {\"retryBudget\": \"0%\"}}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [], \"objective\": {\"success\": \"0.0%\"}}",
        "{\"version\": 1, \"name\": \"n\", \"items\": [], \"objective\": {\"window\": \"0d\"}}",
    ])
    func `the schema refuses what the loader refuses`(text: String) throws {
        #expect(try !Self.schema().failures(try JSONValue.parse(text)).isEmpty)
        #expect(CollectionFile.read(Array(text.utf8), file: "f").collection == nil)
    }

    @Test func `a keyword that the validator does not know fails`() throws {
        let validator = SchemaValidator(root: try JSONValue.parse("{\"maxLength\": 3}"))
        #expect(validator.failures(.string("x")) == ["the keyword maxLength is not known to the validator"])
    }
}
