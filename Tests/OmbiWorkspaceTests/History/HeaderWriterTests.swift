import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The headers of responses that resemble the one before.
@Suite struct HeaderWriterTests {
    private static let responses: [RequestHeaders] = [
        .init([.init("Date", "1"), .init("X-Id", "1"), .init("Set-Cookie", "a=1")]),
        .init([.init("Date", "1"), .init("X-Id", "2"), .init("Set-Cookie", "a=2")]),
        .init([.init("Date", "1"), .init("X-Id", "2"), .init("Set-Cookie", "a=2")]),
        .init([.init("Date", "2"), .init("X-Id", "\u{e9}"), .init("Set-Cookie", "a=2")]),
        .init([.init("Date", "2"), .init("X-Id", "e\u{301}"), .init("Set-Cookie", "")]),
        .init([.init("Date", ""), .init("X-Id", "\"1\""), .init("Set-Cookie", "a=3")]),
        .init([.init("Date", "2"), .init("date", "3"), .init("Date", "2")]),
        .init([.init("Location", "http://a.test/?token=s3cr3t-1"), .init("X-Id", "s3cr3t-1"), .init("Date", "2")]),
        .init([.init("Location", "http://a.test/?token=s3cr3t-2"), .init("X-Id", "s3cr3t-2"), .init("Date", "2")]),
        .init([.init("X-Note", "s3cr3t-2"), .init("X-Id", "1"), .init("Date", "2")]),
        .init(),
    ]

    @Test func `each response has its own values, and no secrets`() {
        var writer = HeaderWriter()
        for headers in Self.responses + Self.responses.reversed() {
            var bytes: [UInt8] = []
            writer.append(headers, to: &bytes)
            #expect(bytes == Array(RecordedDetails.json(headers).compact.utf8))
        }
    }
}
