import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiTUI

/// The events of streams that come in any portions, and of those that go beyond the limits.
@Suite struct StreamReaderTests {
    private static let maximumEvent = 100_000

    private static func reader(_ type: String) throws -> StreamReader {
        try #require(
            StreamReader(
                ResponseHead(url: URL(string: "http://h/")!, statusCode: 200, headers: ["Content-Type": .init(type)]),
                maximumEvent: maximumEvent))
    }

    private static func read(_ text: String, _ type: String, by step: Int = .max) throws -> (
        data: [String], reader: StreamReader
    ) {
        var reader = try Self.reader(type)
        let bytes = Bytes(text.utf8)
        var data: [String] = []
        var end = 0
        repeat {
            end = min(bytes.count, end.addingReportingOverflow(step).overflow ? bytes.count : end + step)
            while true {
                let events = reader.read(bytes[0..<end], nil, isComplete: end == bytes.count)
                if events.isEmpty { break }
                data += events.map(\.data)
            }
        } while end < bytes.count && reader.problem == nil
        return (data, reader)
    }

    @Test(
        arguments: [
            ("application/x-ndjson", "1\n\n {\"a\":2} \r\n3", ["1", "{\"a\":2}", "3"]),
            ("application/json-seq", "\u{1E}1\n\u{1E}2\n", ["1", "2"]),
            ("Application/Geo+JSON-seq; x=y", "\u{1E}1\n\u{1E}2\n", ["1", "2"]), ("application/ndjson", "1\n", ["1"]),
            ("application/json-seq", "\u{1E}{\"a\":\n 1}\n\u{1E}{\"a\":2}\n", ["{\"a\":\n 1}", "{\"a\":2}"]),
            ("application/json-seq", "\u{FEFF}{\"a\":1}\n{\"a\":2}\n", ["{\"a\":1}", "{\"a\":2}"]),
            ("application/x-ndjson", "\u{FEFF}1\n2\n", ["1", "2"]), ("application/jsonl", "\n\n", []),
            ("text/event-stream", "data: a\n\n: c\n\ndata: b\ndata: c\n\ndata: d", ["a", "b\nc"]),
            ("text/event-stream", "data: a\r\rdata: b\r\n\r\nid: 1\n\n", ["a", "b", ""]),
        ] as [(String, String, [String])])
    func `events are the same in all portions`(type: String, text: String, data: [String]) throws {
        for step in [1, 2, 3, 7, Int.max] { #expect(try Self.read(text, type, by: step).data == data, "\(step)") }
    }

    @Test(arguments: [
        ("application/x-ndjson", "1\n"), ("text/event-stream", "data: 1\n\n"), ("text/event-stream", "id:1\r\n\r\n"),
    ])
    func `many events come a portion at a time`(type: String, event: String) throws {
        var reader = try Self.reader(type)
        let bytes = Bytes(String(repeating: event, count: 20_000).utf8)
        var (count, portions, largest) = (0, 0, 0)
        while true {
            let events = reader.read(bytes, nil, isComplete: true)
            if events.isEmpty { break }
            (count, portions, largest) = (count + events.count, portions + 1, max(largest, events.count))
        }
        #expect(count == 20_000 && largest <= 1 << 15 && portions > 0, "\(count) \(portions) \(largest)")
        #expect(reader.position == bytes.count)
    }

    @Test(arguments: [
        ("application/x-ndjson", "1\n", "x", "a line"), ("application/x-ndjson", "", "x", "a line"),
        ("application/jsonl", "\n\n", " ", "a line"), ("text/event-stream", "data: 1\n\n", "x", "an event"),
        ("text/event-stream", "", "data: x\n", "an event"), ("text/event-stream", "", ":\n", "an event"),
    ])
    func `what never ends is given up at its limit`(type: String, start: String, endless: String, name: String) throws {
        let count = Self.maximumEvent / endless.utf8.count + 1000
        let text = start + String(repeating: endless, count: count)
        for end in ["", "\n\n"] {
            let (data, reader) = try Self.read(text + end, type)
            #expect(reader.problem == "\(name) of the stream is larger than 100000 bytes")
            #expect(data.count <= 1)
        }
    }
}
