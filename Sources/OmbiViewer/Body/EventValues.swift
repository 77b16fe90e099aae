import OmbiDocument

/// The data of events as JSON lines, for JSONPath.
enum EventValues {
    /// Returns the data that is JSON, a line for each event; other data, such as `[DONE]` of a stream of tokens or a
    /// comment, has no values to select.
    static func document(of index: EventIndex, in bytes: Bytes, isComplete: Bool) -> BodyDocument {
        var lines: [UInt8] = []
        for range in index.events {
            let data = ServerEvent(in: bytes, range).data
            guard let first = data.utf8.first(where: { $0 > 0x20 }), isStart(first) else { continue }
            let line = data.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
            guard isJSON(line) else { continue }
            lines += line
            lines.append(0x0A)
        }
        var document = BodyDocument(Bytes(lines), contentType: "application/x-ndjson")
        document.isComplete = isComplete
        return document
    }

    /// Words and numbers are as likely text as JSON.
    private static func isStart(_ byte: UInt8) -> Bool { [UInt8(ascii: "{"), UInt8(ascii: "["), 0x22].contains(byte) }

    private static func isJSON(_ line: [UInt8]) -> Bool {
        JSONIndex.document(Bytes(line)).error == nil
    }
}
