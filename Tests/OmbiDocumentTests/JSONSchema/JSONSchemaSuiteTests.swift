import Foundation
import Testing

@testable import OmbiDocument

/// The required tests of the JSON-Schema-Test-Suite for draft 2020-12, which `Tests/JSONSchemaSuite` has with its licence.
@Suite struct JSONSchemaSuiteTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "JSONSchemaSuite")

    private static func read(_ path: String) throws -> JSONValue {
        let document = try JSONDocument(checking: Bytes(Data(contentsOf: folder.appending(path: path))))
        return document.value(of: try #require(document.firstRoot))
    }

    private static let files: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "tests").path)
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }()

    private static func load(_ uri: String) throws(JSONSchemaError) -> JSONValue {
        let host = "http://localhost:1234/draft2020-12/"
        guard uri.hasPrefix(host), let value = try? read("remotes/" + uri.dropFirst(host.count)) else {
            throw JSONSchemaError("\(uri) is not in the suite")
        }
        return value
    }

    /// Returns the descriptions of the tests that do not give what the suite says.
    private static func failures(in file: String) throws -> (failed: [String], count: Int) {
        var (failed, count): ([String], Int) = ([], 0)
        for group in try read("tests/" + file).array {
            let (text, tests) = (try #require(group["schema"]), try #require(group["tests"]))
            let schema: Result<JSONSchema, JSONSchemaError>
            do throws(JSONSchemaError) {
                schema = .success(try JSONSchema(text, load: load))
            } catch { schema = .failure(error) }
            for test in tests.array {
                count += 1
                let document = JSONIndex.document(Bytes(try #require(test["data"]).compact.utf8))
                let name = "\(group["description"]?.stringValue ?? ""): \(test["description"]?.stringValue ?? "")"
                switch schema {
                case .failure(let error): failed.append("\(name) (\(error))")
                case .success(let schema):
                    let root = try #require(document.firstRoot)
                    let isValid = (try? schema.failures(in: document, at: root))?.isEmpty
                    if test["valid"] != isValid.map(JSONValue.bool) { failed.append(name) }
                }
            }
        }
        return (failed, count)
    }

    @Test func `all of the suite is here`() throws {
        #expect(Self.files.count == 46)
        let counts = try Self.files.map { try Self.failures(in: $0).count }
        #expect(counts.reduce(0, +) > 1200)
    }

    @Test(arguments: files) func `each required test gives what the suite says, but for those named`(file: String)
        throws
    {
        let (failed, count) = try Self.failures(in: file)
        print("suite \(file): \(count - failed.count) of \(count)")
        let unexpected = failed.filter { failure in !Self.exceptions.contains { failure.contains($0) } }
        #expect(unexpected == [])
    }

    /// The schema of schemas is not part of Ombi, vocabularies are not switched off, and a search knows
    /// categories of Unicode by their short names alone.
    private static let exceptions = [
        "https://json-schema.org/draft/2020-12/schema is not in the suite",
        "not a Unicode category, such as",
        "schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates",
    ]
}

extension JSONValue {
    fileprivate var array: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
