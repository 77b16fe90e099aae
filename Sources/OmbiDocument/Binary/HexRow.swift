/// Joins pieces of ASCII into spans as long as they have the same style.
struct HexRow {
    private(set) var spans: [TextSpan] = []

    mutating func add(_ text: String, _ style: TextStyle, _ range: ByteRange, _ isMatch: Bool = false) {
        let columns = text.utf8.count
        if let last = spans.last, last.style == style, last.isMatch == isMatch,
            last.range.upperBound == range.lowerBound
        {
            spans[spans.count - 1].text += text
            spans[spans.count - 1].columns += columns
            spans[spans.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
            spans.append(TextSpan(text: text, style: style, isMatch: isMatch, range: range, columns: columns))
        }
    }
}
