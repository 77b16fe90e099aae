import OmbiDocument
import OmbiTerminal

/// Server-sent events, one per row.
struct EventRows: NumberedRows {
    let bytes: Bytes
    let index: EventIndex

    private static let most = 4096

    private var unfinished: ByteRange? { index.unfinished(in: bytes) }
    private var count: Int { index.events.count + (unfinished == nil ? 0 : 1) }

    var isEmpty: Bool { count == 0 }
    var lastNumber: Int { max(0, count - 1) }
    var labelColumns: Int { String(count).count }

    func label(at position: Int) -> String? { String(position + 1) }

    func spans(at position: Int, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let range = range(at: position)
        let event = ServerEvent(in: bytes, range, limit: Self.most)
        let isMatch = !(finder?.marks(in: bytes, range) ?? []).isEmpty
        let isComment = event.data.isEmpty && !event.comments.isEmpty
        let end = position < index.events.count ? "" : " (unfinished)"
        let name = isComment ? "comment" : event.type + (event.id.map { " #\($0)" } ?? "")
        let text = (isComment ? event.comments.joined(separator: " ") : event.data)
            .map { $0.isNewline ? "⏎" : String($0) }.joined()
        let pieces: [(String, TextStyle, Bool)] = [
            (name + end, .key, false), ("  ", .plain, false), (text, .plain, isMatch),
        ]
        return pieces.map { text, style, isMatch in
            TextSpan(text: text, style: style, isMatch: isMatch, range: range, columns: TextWidth.of(text))
        }.dropping(columns: skipping)
    }

    func range(at position: Int) -> ByteRange {
        position < index.events.count && position >= 0 ? index.events[position] : unfinished ?? 0..<0
    }

    func number(ofByte offset: Int) -> Int {
        var (low, high) = (0, index.events.count)
        while low < high {
            let middle = (low + high) / 2
            if index.events[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return min(lastNumber, low)
    }

    func path(at position: Int) -> String? { "event \(position + 1) of \(count)" }
}
