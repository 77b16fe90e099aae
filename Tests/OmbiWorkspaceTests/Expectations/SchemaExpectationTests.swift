import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Bodies that are expected to meet a JSON Schema.
@Suite struct SchemaExpectationTests {
    private static func collection(_ schema: String) -> String {
        """
        { "version": 1, "name": "c", "items": [
          { "request": "r", "path": "http://api.test/", "expect": { "schema": \(schema) } }] }
        """
    }

    /// Sends the request of a collection in a folder with these files.
    private static func result(
        _ schema: String, files: [String: String] = [:], body: String
    ) async throws -> SessionResult {
        let folder = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let read = CollectionFile.read(Array(collection(schema).utf8), file: "c.json")
        let collection = try #require(read.collection, "\(read.problems)")
        guard case .request(let request)? = collection.items.first else { throw CancellationError() }
        let session = Session(transport: StubTransport { _ in .json(body) })
        let order = RunOrder(
            id: 1, request: request, collection: collection, environment: nil, file: folder.path + "/c.json")
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        return result
    }

    private static let schema = #"{"properties":{"id":{"type":"integer"},"tags":{"$ref":"tags.json#/$defs/tags"}}}"#
    private static let tags = #"{"$defs":{"tags":{"items":{"type":"string"}}}}"#

    @Test func `a body that meets the schema in a file passes`() async throws {
        let result = try await Self.result(
            "\"./user.json\"", files: ["user.json": Self.schema, "tags.json": Self.tags],
            body: #"{"id": 1, "tags": ["a"]}"#)
        #expect(result.passed && result.expectations.map(\.subject) == ["schema"], "\(result.failures)")
    }

    @Test func `each value that does not is a failure with its path and its place in the body`() async throws {
        let result = try await Self.result(
            Self.schema, files: ["tags.json": Self.tags], body: #"{"id": "x", "tags": ["a", 2]}"#)
        #expect(
            result.failures == [
                "expected $.id: the type integer (type), got \"x\"",
                "expected $.tags[1]: the type string (type), got 2",
            ])
        #expect(result.expectations.map(\.place) == [.body(offset: 7), .body(offset: 26)])
    }

    @Test func `a body that is not JSON is told apart`() async throws {
        let result = try await Self.result("true", body: "no")
        #expect(result.failures.first?.hasPrefix("expected a body of the schema, got a body that is not JSON") ?? false)
    }

    @Test(
        arguments: [
            (#""gone.json""#, "gone.json"), (#""../user.json""#, "../user.json"),
            (#""text.json""#, "text.json is not JSON"),
            (#"{"$ref":"https://example.com/a.json"}"#, "not read: https://example.com/a.json"),
            (#"{"$ref":"/etc/hostname"}"#, "is outside the workspace"),
            (#""bad.json""#, "bad.json: /type: unknown type"),
        ])
    func `a schema that cannot be read sends nothing`(schema: String, reason: String) async throws {
        let files = ["text.json": "no", "bad.json": #"{"type":"text"}"#]
        let result = try await Self.result(schema, files: files, body: "{}")
        guard case .failure(let message) = result.ending else {
            Issue.record("\(result)")
            return
        }
        #expect(message.contains("r: expect schema: ") && message.contains(reason), "\(message)")
    }

    @Test func `an error in a schema of the collection has its line and column`() {
        let text = Self.collection("{ \"properties\": { \"a\": { \"type\": \"text\" } } }")
        let problems = CollectionFile.read(Array(text.utf8), file: "c.json").problems
        #expect(problems.map { $0.position?.line } == [2])
        #expect(problems.first?.message.contains("/properties/a/type: unknown type \"text\"") ?? false, "\(problems)")
        #expect(CollectionFile.read(Array(Self.collection("{\"$ref\":\"a.json\"}").utf8), file: "c").problems == [])
        let number = CollectionFile.read(Array(Self.collection("1").utf8), file: "c.json").problems
        #expect(number.first?.message.contains("the path of a file or a schema") ?? false)
    }

    @Test func `both forms are written as they were read, and the field shows them`() throws {
        for text in ["\"./a.json\"", "{\"type\":\"object\"}", "true"] {
            let read = CollectionFile.read(Array(Self.collection(text).utf8), file: "c.json")
            guard case .request(let request)? = read.collection?.items.first else { throw CancellationError() }
            #expect(request.json.compact.contains("\"expect\":{\"schema\":\(text)}"))
            #expect(request.expect?.count == 1)
        }
        let field = try #require(Expectation.fields.first { $0.label == "JSON Schema" })
        var expectation = Expectation()
        expectation.schema = .inline(.bool(true))
        try field.write(&expectation, field.read(expectation))
        #expect(expectation.schema == .inline(.bool(true)))
        try field.write(&expectation, "a.json")
        #expect(expectation.schema == .file("a.json") && field.read(expectation) == "a.json")
        try field.write(&expectation, "")
        #expect(expectation.schema == nil)
    }

    @Test func `the field takes a schema itself, and says what is wrong with one`() throws {
        let field = try #require(Expectation.fields.first { $0.label == "JSON Schema" })
        var expectation = Expectation()
        try field.write(&expectation, " {\"type\": \"object\", \"$ref\": \"user.json\"}")
        #expect(
            expectation.schema
                == .inline(.object([.init("type", .string("object")), .init("$ref", .string("user.json"))])))
        #expect(field.read(expectation) == "{\"type\":\"object\",\"$ref\":\"user.json\"}")
        for (text, words) in [("{\"type\":", "not JSON"), ("{\"type\": 5}", "not a schema")] {
            let error = #expect(throws: FieldError.self) { try field.write(&expectation, text) }
            #expect(error?.message.contains(words) ?? false)
        }
        #expect(field.read(expectation).contains("user.json"))
    }
}
