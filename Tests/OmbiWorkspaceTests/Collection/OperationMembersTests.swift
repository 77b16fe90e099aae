import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The members of a request that is based on an operation: those of the document and those of the file.
@Suite struct OperationMembersTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        /// The members of the document.
        var base: String
        /// Those of the file.
        var own: String
        /// Those of the request.
        var whole: String

        var testDescription: String { "\(base) + \(own)" }
    }

    private static let samples: [Sample] = [
        Sample(base: #"{"path": "/a"}"#, own: "{}", whole: #"{"path": "/a"}"#),
        Sample(base: #"{"path": "/a"}"#, own: #"{"path": "/b"}"#, whole: #"{"path": "/b"}"#),
        Sample(
            base: #"{"path": "/a"}"#, own: #"{"capture": {"x": "y"}}"#,
            whole: #"{"path": "/a", "capture": {"x": "y"}}"#),
        // Rows by their names; one of the document that was deleted is a disabled one.
        Sample(
            base: #"{"query": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]}"#,
            own: #"{"query": [{"name": "b", "value": "3"}, {"name": "c", "value": "4"}]}"#,
            whole: """
                {"query": [{"name": "a", "value": "1"}, {"name": "b", "value": "3"}, {"name": "c", "value": "4"}]}
                """),
        Sample(
            base: #"{"query": [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}]}"#,
            own: #"{"query": [{"name": "a", "value": "1"}, {"name": "a", "value": "3"}]}"#,
            whole: #"{"query": [{"name": "a", "value": "1"}, {"name": "a", "value": "3"}]}"#),
        Sample(
            base: #"{"headers": [{"name": "X-A", "value": "1"}]}"#,
            own: #"{"headers": [{"name": "x-a", "value": "2"}]}"#,
            whole: #"{"headers": [{"name": "x-a", "value": "2"}]}"#),
        Sample(
            base: #"{"pathParameters": {"id": "1", "kind": "x"}}"#, own: #"{"pathParameters": {"id": "{{id}}"}}"#,
            whole: #"{"pathParameters": {"id": "{{id}}", "kind": "x"}}"#),
        // Descriptions are those of the document; an empty one takes one away.
        Sample(
            base: #"{"query": [{"name": "a", "value": "1", "description": "x"}]}"#,
            own: #"{"query": [{"name": "a", "value": "2"}]}"#,
            whole: #"{"query": [{"name": "a", "value": "2", "description": "x"}]}"#),
        Sample(
            base: #"{"query": [{"name": "a", "value": "1", "description": "x"}]}"#,
            own: #"{"query": [{"name": "a", "value": "1", "description": ""}]}"#,
            whole: #"{"query": [{"name": "a", "value": "1", "description": ""}]}"#),
        Sample(
            base: #"{"pathParameters": {"id": {"value": "1", "description": "x"}}}"#,
            own: #"{"pathParameters": {"id": "2"}}"#,
            whole: #"{"pathParameters": {"id": {"value": "2", "description": "x"}}}"#),
        // Expectations by their keys; null takes one away, and a whole member.
        Sample(
            base: #"{"expect": {"status": "200"}}"#, own: #"{"expect": {"within": "1s"}}"#,
            whole: #"{"expect": {"status": "200", "within": "1s"}}"#),
        Sample(
            base: #"{"expect": {"status": "200"}}"#, own: #"{"expect": {"within": "1s", "status": null}}"#,
            whole: #"{"expect": {"within": "1s"}}"#),
        Sample(base: #"{"body": {"json": {"a": 1}}}"#, own: #"{"body": null}"#, whole: "{}"),
        Sample(
            base: #"{"body": {"json": {"a": 1}}}"#, own: #"{"body": {"json": {"a": 2}}}"#,
            whole: #"{"body": {"json": {"a": 2}}}"#),
    ]

    private static func members(_ text: String) throws -> [JSONValue.Member] {
        guard case .object(let members) = try JSONValue.parse(text) else { return [] }
        return members
    }

    @Test(arguments: samples) func `the request has the members of both, and the file only what differs`(
        sample: Sample
    ) throws {
        let (base, own) = (try Self.members(sample.base), try Self.members(sample.own))
        let whole = try Self.members(sample.whole)
        let merged = OperationMembers.merged(own, over: base)
        #expect(Set(merged) == Set(whole))
        #expect(OperationMembers.difference(merged, from: base) == own)
    }

    @Test func `a row of the document that is deleted is written as a disabled one`() throws {
        let base = try Self.members(#"{"query": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]}"#)
        let left = try Self.members(#"{"query": [{"name": "b", "value": "2"}]}"#)
        let disabled = try Self.members(#"{"query": [{"name": "a", "value": "1", "enabled": false}]}"#)
        #expect(OperationMembers.difference(left, from: base) == disabled)
        #expect(OperationMembers.difference([], from: base).first?.value.elements?.count == 2)
    }
}
