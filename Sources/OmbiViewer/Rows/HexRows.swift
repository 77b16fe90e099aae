import OmbiDocument
import OmbiTerminal

/// Bytes in hexadecimal, sixteen per row.
struct HexRows: NumberedRows {
    let bytes: Bytes

    var isEmpty: Bool { bytes.isEmpty }
    var lastNumber: Int { max(0, HexLayout.rowCount(of: bytes.count) - 1) }
    var labelColumns: Int { 0 }

    func spans(at position: Int, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let range = range(at: position)
        return HexLayout.spans(row: position, in: bytes, matches: finder?.marks(in: bytes, range) ?? [])
            .dropping(columns: skipping)
    }

    func label(at position: Int) -> String? { nil }
    func range(at position: Int) -> ByteRange {
        bytes.clamp(position * HexLayout.rowSize..<(position + 1) * HexLayout.rowSize)
    }
    func number(ofByte offset: Int) -> Int { min(lastNumber, max(0, offset) / HexLayout.rowSize) }
    func path(at position: Int) -> String? {
        bytes.isEmpty ? nil : "byte \(range(at: position).lowerBound) of \(bytes.count)"
    }

    /// The digits, because bytes are not text.
    func text(at position: Int) -> String {
        bytes.array(range(at: position)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }

    func writer(from first: Int, through last: Int) -> BodyWriter {
        let start = range(at: first).lowerBound
        return BodyWriter(digitsOf: bytes[start..<max(start, range(at: last).upperBound)])
    }
}

extension [TextSpan] {
    /// The spans without their first columns. A wide character that is cut leaves a space.
    func dropping(columns: Int) -> [TextSpan] {
        guard columns > 0 else { return self }
        var left = columns
        return compactMap { span in
            guard left > 0 else { return span }
            if span.columns <= left {
                left -= span.columns
                return nil
            }
            var text = span.text[...]
            var cut = 0
            while cut < left, let first = text.first {
                cut += TextWidth.of(String(first))
                text = text.dropFirst()
            }
            let blanks = String(repeating: " ", count: cut > left ? cut - left : 0)
            defer { left = 0 }
            return TextSpan(
                text: blanks + text, style: span.style, isMatch: span.isMatch, range: span.range,
                columns: span.columns - left)
        }
    }
}
