import OmbiCore

/// Server-sent events, one per row: the time of arrival and the gap to the previous event, if known, the type, the ID
/// and the data.
struct EventRows: NumberedRows {
    let bytes: Bytes
    let index: EventIndex
    /// Nil if the times were not recorded.
    let arrivals: BodyArrivals?
    /// The bytes of the body before the text: a byte order mark.
    let textStart: Int

    private static let maximumBytes = 4096
    private static let timeColumns = 9
    private static let gapColumns = 9

    private var unfinished: ByteRange? { index.unfinished(in: bytes) }
    private var count: Int { index.events.count + (unfinished == nil ? 0 : 1) }

    var isEmpty: Bool { count == 0 }
    var lastNumber: Int { max(0, count - 1) }
    var labelColumns: Int { String(count).count }

    func label(at position: ViewerPosition) -> String? { String(position.number + 1) }

    // MARK: Times

    var hasHeader: Bool { arrivals != nil && !isEmpty }

    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let text = Self.leading("time", Self.timeColumns) + Self.leading("gap", Self.gapColumns) + "  event"
        return [TextSpan(text: text, style: .heading, range: 0..<0, columns: TextWidth.of(text))]
            .dropping(columns: skipping)
    }

    /// The time since the start of the attempt.
    func time(at number: Int) -> Duration? {
        arrivals?.time(upTo: textStart + range(at: ViewerPosition(number)).upperBound)
    }

    private func times(at number: Int) -> String? {
        guard arrivals != nil else { return nil }
        guard let time = time(at: number) else { return String(repeating: " ", count: Self.timeColumns * 2) }
        let gap = number > 0 ? self.time(at: number - 1).map { "+" + TimeText.duration(time - $0) } : nil
        return Self.leading(TimeText.seconds(time, places: 3), Self.timeColumns)
            + Self.leading(gap ?? "", Self.gapColumns)
    }

    private static func leading(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(1, columns - text.count)) + text
    }

    // MARK: Rows

    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let range = range(at: position)
        let event = ServerEvent(in: bytes, range, limit: Self.maximumBytes)
        let isMatch = !(finder?.marks(in: bytes, range) ?? []).isEmpty
        let isComment = event.data.isEmpty && !event.comments.isEmpty
        let end = position.number < index.events.count ? "" : " (unfinished)"
        let size = event.size.map { "  \(TimeText.size($0))" } ?? ""
        let name = isComment ? "comment" : event.type + (event.id.map { " #\($0)" } ?? "") + size
        let text = (isComment ? event.comments.joined(separator: " ") : event.data)
            .map { $0.isNewline ? "⏎" : String($0) }.joined()
        let times = times(at: position.number).map { ($0 + "  ", TextStyle.comment, false) }
        let pieces: [(String, TextStyle, Bool)] =
            [times].compactMap { $0 } + [(name + end, .key, false), ("  ", .plain, false), (text, .plain, isMatch)]
        return pieces.map { text, style, isMatch in
            TextSpan(text: text, style: style, isMatch: isMatch, range: range, columns: TextWidth.of(text))
        }.dropping(columns: skipping)
    }

    func range(at position: ViewerPosition) -> ByteRange {
        index.events.indices.contains(position.number) ? index.events[position.number] : unfinished ?? 0..<0
    }

    func position(ofByte offset: Int) -> ViewerPosition {
        ViewerPosition(min(lastNumber, index.events.partitioningIndex { $0.upperBound > offset }))
    }

    func path(at position: ViewerPosition) -> String? { "event \(position.number + 1) of \(count)" }
}
