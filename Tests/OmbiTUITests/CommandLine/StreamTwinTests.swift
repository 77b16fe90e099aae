import Foundation
import OmbiDocument
import Testing

@testable import OmbiCore
@testable import OmbiTUI
@testable import OmbiViewer

/// Streams of events give the same on the screen, with `--stream` and in the library.
@Suite struct StreamTwinTests {
    private struct Event: Equatable {
        var type: String
        var data: String
    }

    private static let type = "text/event-stream"

    private static func streamed(_ text: String, by step: Int) throws -> [Event] {
        let head = ResponseHead(url: URL(filePath: "/"), statusCode: 200, headers: ["Content-Type": .init(type)])
        var reader = try #require(StreamReader(head))
        let bytes = Bytes(text.utf8)
        var events: [Event] = []
        var end = 0
        repeat {
            end = min(bytes.count, end + step)
            while true {
                let more = reader.read(bytes[0..<end], nil, isComplete: end == bytes.count)
                if more.isEmpty { break }
                events += more.map { Event(type: $0.type ?? "", data: $0.data) }
            }
        } while end < bytes.count
        return events
    }

    private static func shown(_ text: String) -> [Event] {
        let document = BodyDocument(Bytes(text.utf8), contentType: type)
        guard case .events(let index) = document.shape else { return [] }
        return index.events.map { ServerEvent(in: document.text, $0) }.filter { $0.hasData || $0.id != nil }
            .map { Event(type: $0.type, data: $0.data) }
    }

    private static func parsed(_ text: String) throws -> [Event] {
        var parser = EventStreamParser()
        return try parser.parse(Data(text.utf8)).map { Event(type: $0.type, data: $0.data) }
    }

    @Test(arguments: [
        "data: 1\n\ndata: 2\n\n", "\u{FEFF}event: start\ndata: 1\n\ndata: 2\n\n", "\u{FEFF}data: 1\n\n",
        "event: a\ndata: 1\n\n", "data: 1\r\n\r\ndata: 2\r\n\r\n", "data: 1\r\rdata: 2\r\r",
        "data: 1\n\r\ndata: 2\r\n\n",
        "data:1\n\n", "data:  1\n\n", "data\n\n", "data:\n\n", "data:\ndata:\n\n", "data: a\ndata: b\n\n",
        ": hello\n\n",
        ": hello\ndata: 1\n\n", "event: a\n\ndata: 1\n\n", "event:\ndata: 1\n\n", "foo: 1\ndata: 2\n\n",
        "data: 1\n\n\n\ndata: 2\n\n",
        "retry: 10\n\ndata: 1\n\n", "data: 1\n\ndata: 2", "data: 1\n\ndata: 2\n", "DATA: 1\n\n", " data: 1\n\n",
        "data: é 日 😀\n\n", "data: a:b: c\n\n", "\n\n\ndata: 1\n\n", "event: a\nevent: b\ndata: 1\n\n", "",
        "data: {\"a\":\ndata: 1}\n\n", "id: 7\ndata: 1\n\n",
    ])
    func `every reader finds the same events`(_ text: String) throws {
        let expected = try Self.parsed(text)
        #expect(Self.shown(text) == expected)
        for step in [1, 2, 3, 1000] { #expect(try Self.streamed(text, by: step) == expected, "\(step)") }
    }
}
