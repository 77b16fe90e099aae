import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The content of snapshot files.
@Suite struct ResponseSnapshotTests {
    private static func snapshot(
        _ body: String, status: Int? = 200, type: String = "application/json", headers: [String] = ["Content-Type"],
        ignoring paths: [String] = []
    ) throws -> ResponseSnapshot {
        let response = TransportResponse(
            headers: ["Content-Type": .init(type), "X-Total": "3", "X-Api-Key": "k3y"], statusCode: status,
            body: Data(body.utf8))
        return try #require(
            ResponseSnapshot(
                SessionResult(.response(response)), headers: headers, ignoring: try paths.map { try JSONPath($0) }))
    }

    private static func differences(
        _ old: ResponseSnapshot, _ new: ResponseSnapshot, _ headers: [String] = ["Content-Type"],
        ignoring paths: [String] = []
    ) throws -> [String] {
        new.differences(from: old, headers: headers, ignoring: try paths.map { try JSONPath($0) })
    }

    @Test func `status, chosen headers and sorted JSON are in the file`() throws {
        let snapshot = try Self.snapshot(
            "{\"b\":1,\"a\":2}", headers: ["Content-Type", "x-total", "X-None", "X-Api-Key"])
        #expect(
            snapshot.text == """
                HTTP 200
                content-type: application/json
                x-total: 3
                x-api-key: ••••••

                {
                  "a": 2,
                  "b": 1
                }

                """)
        #expect(ResponseSnapshot(Array(snapshot.text.utf8)) == snapshot)
    }

    @Test func `other text is as it came, and binary content is a hash`() throws {
        let text = try Self.snapshot("one\r\n\n two", type: "text/plain")
        #expect(text.text == "HTTP 200\ncontent-type: text/plain\n\none\r\n\n two")
        #expect(ResponseSnapshot(Array(text.text.utf8)) == text)
        let bytes = TransportResponse(statusCode: 200, body: Data([0xFF, 0x00, 0xFE]))
        let binary = ResponseSnapshot(SessionResult(.response(bytes)), headers: [])
        #expect(binary?.body.hasPrefix("(3 bytes, SHA-256 ") == true)
        #expect(binary.flatMap { ResponseSnapshot(Array($0.text.utf8)) } == binary)
    }

    @Test func `values with secret names are masked`() throws {
        let text = try Self.snapshot("{\"access_token\":\"t0ken\",\"a\":1}").text
        #expect(!text.contains("t0ken") && text.contains("\"a\": 1"))
    }

    @Test func `a header cannot end the head of the file`() throws {
        let snapshot = try Self.snapshot("{}", type: "a\n\nHTTP 500")
        #expect(ResponseSnapshot(Array(snapshot.text.utf8))?.status == 200)
    }

    @Test func `without a response there is no snapshot`() {
        #expect(ResponseSnapshot(SessionResult(.cancelled), headers: []) == nil)
        #expect(ResponseSnapshot(SessionResult(.failure("no connection")), headers: []) == nil)
    }

    @Test(arguments: ["", "{}", "<<<<<<< HEAD\nHTTP 200\n\n", "HTTP 200\nno header\n\n{}"])
    func `a file that is no snapshot is told from one`(content: String) {
        #expect(ResponseSnapshot(Array(content.utf8)) == nil)
    }

    @Test func `line ends of another system change nothing in JSON`() throws {
        let old = try Self.snapshot("{\"a\":[1,2],\"b\":{}}")
        let bytes: [UInt8] = old.text.utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        let read = try #require(ResponseSnapshot(bytes))
        #expect(try Self.differences(read, old) == [])
    }

    @Test func `differences name status, header and path`() throws {
        let old = try Self.snapshot("{\"total\":3,\"gone\":1}")
        let new = try Self.snapshot("{\"total\":4,\"more\":[]}", status: 201, type: "text/html")
        let found = try Self.differences(old, new)
        #expect(
            found.prefix(2) == ["status: 200 → 201", "header content-type: application/json → text/html"])
        #expect(Set(found.dropFirst(2)) == ["$.total: 3 → 4", "$.gone: removed 1", "$.more: added []"])
    }

    @Test func `the order of members and the form of numbers are no difference`() throws {
        #expect(try Self.differences(Self.snapshot("{\"a\":1,\"b\":2}"), Self.snapshot("{\"b\":2.0,\"a\":1}")) == [])
    }

    @Test func `ignored values may differ, be missing and be new`() throws {
        let paths = ["$.at", "$.items[?@.id > 1].at"]
        let old = try Self.snapshot("{\"at\":1,\"items\":[{\"id\":1,\"at\":1},{\"id\":2,\"at\":5}]}", ignoring: paths)
        #expect(!old.text.contains("5"))
        let new = try Self.snapshot("{\"items\":[{\"id\":1,\"at\":1},{\"id\":2,\"at\":6}]}", ignoring: paths)
        #expect(try Self.differences(old, new, ignoring: paths) == [])
        let other = try Self.snapshot("{\"items\":[{\"id\":1,\"at\":2},{\"id\":2,\"at\":6}]}", ignoring: paths)
        #expect(try Self.differences(old, other, ignoring: paths) == ["$.items[0].at: 1 → 2"])
    }

    @Test func `a path that is ignored later holds for the older file, too`() throws {
        let old = try Self.snapshot("{\"at\":1,\"a\":1}")
        let new = try Self.snapshot("{\"at\":2,\"a\":1}", ignoring: ["$.at"])
        #expect(try Self.differences(old, new, ignoring: ["$.at"]) == [])
    }

    @Test func `text is compared line by line`() throws {
        let old = try Self.snapshot("one\ntwo\nthree", type: "text/plain")
        let new = try Self.snapshot("one\n2\nthree", type: "text/plain")
        #expect(try Self.differences(old, new) == ["body, line 2: \"two\" → \"2\""])
        let longer = try Self.snapshot("one\ntwo\nthree\nfour", type: "text/plain")
        #expect(try Self.differences(old, longer) == ["body, line 4: none → \"four\""])
        let none = try Self.snapshot("", type: "text/plain")
        #expect(try Self.differences(old, none) == ["body: there is none"])
        #expect(try Self.differences(none, old) == ["body: there was none"])
    }

    @Test func `many changes are counted`() throws {
        let old = try Self.snapshot("[" + (0..<50).map { "\($0)" }.joined(separator: ",") + "]")
        let new = try Self.snapshot("[" + (0..<50).map { "\($0 + 100)" }.joined(separator: ",") + "]")
        let found = try Self.differences(old, new)
        #expect(found.count == 11 && found.last == "and 40 other values")
    }
}
