import Testing

@testable import OmbiWorkspace

/// libyaml's events and its absence.
@Suite struct YAMLParserTests {
    private static func events(_ text: String) throws -> [YAMLEvent] {
        let bytes = Array(text.utf8)
        return try YAMLParser.withEvents(of: bytes, YAMLLines(bytes)) {
            (parser: YAMLParser) throws(YAMLError) -> [YAMLEvent] in
            var events: [YAMLEvent] = []
            while events.last?.kind != .streamEnd { events.append(try parser.next()) }
            return events
        }
    }

    private static func scalar(_ text: String, isPlain: Bool = true) -> YAMLEvent.Kind {
        .scalar(YAMLTree.Scalar(text: text, isPlain: isPlain, isResolved: isPlain), anchor: nil)
    }

    @Test func `a document arrives as events with their positions in bytes`() throws {
        let events = try Self.events("# x\nä: &n [1, 'b']\nc: *n\n").filter { $0.kind != .other }
        let kinds: [YAMLEvent.Kind] = [
            .mappingStart(anchor: nil), Self.scalar("ä"), .sequenceStart(anchor: "n"), Self.scalar("1"),
            Self.scalar("b", isPlain: false), .end, Self.scalar("c"), .alias("n"), .end, .streamEnd,
        ]
        #expect(events.map(\.kind) == kinds)
        #expect(events.map(\.offset) == [4, 4, 8, 12, 15, 18, 20, 23, 26, 26])
    }

    @Test func `an empty text has no values`() throws {
        #expect(try Self.events("").map(\.kind) == [.other, .streamEnd])
    }

    @Test(arguments: [("a: 1\n]", 5), ("ä: b: c", 5), ("[1, 2", 5)])
    func `an error of syntax has its position in bytes`(text: String, offset: Int) {
        let error = #expect(throws: YAMLError.self) { try YAMLDocument(Array(text.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func `without libyaml the error says how to install it`() {
        let error = #expect(throws: YAMLError.self) { try YAMLLibrary(["libnothing.so.0"]) }
        #expect(error?.reason.hasPrefix("libyaml could not be loaded; install it with: ") == true)
    }

    @Test func `a library that is not libyaml is refused`() {
        let error = #expect(throws: YAMLError.self) { try YAMLLibrary(["libc.so.6", "libSystem.dylib"]) }
        #expect(error?.reason.hasSuffix("it has no yaml_parser_initialize") == true)
    }
}
