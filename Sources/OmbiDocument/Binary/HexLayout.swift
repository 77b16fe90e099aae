/// A hex dump, sixteen bytes per row: offset, hexadecimal digits, and printable ASCII.
package enum HexLayout {
    package static let rowSize = 16

    package static func rowCount(of count: Int) -> Int { max(0, count) / rowSize + (count % rowSize > 0 ? 1 : 0) }

    /// Returns a row as spans: the offset in the style `comment`, NUL in `punctuation`, other unprintable bytes in
    /// `control`, the rest plain. Matches are marked in both parts.
    /// - Parameter matches: In order, not overlapping.
    package static func spans(row: Int, in bytes: Bytes, matches: [ByteRange] = []) -> [TextSpan] {
        let range = bytes.clamp(max(0, row) * rowSize..<(max(0, row) + 1) * rowSize)
        guard !range.isEmpty else { return [] }
        var line = HexRow()
        line.add(range.lowerBound.digits(bytes.count > 0xFFFF_FFFF ? 12 : 8, radix: 16) + "  ", .comment, range)
        var next = matches.partitioningIndex { $0.upperBound > range.lowerBound }
        var isMatch: [Bool] = []
        for offset in range {
            while next < matches.count, matches[next].upperBound <= offset { next += 1 }
            isMatch.append(next < matches.count && matches[next].contains(offset))
        }
        for column in 0..<rowSize {
            let offset = range.lowerBound + column
            let cell = min(offset, range.upperBound)..<min(offset + 1, range.upperBound)
            if column == rowSize / 2 { line.add(" ", .plain, cell.lowerBound..<cell.lowerBound) }
            guard column < range.count else {
                line.add("   ", .plain, cell)
                continue
            }
            line.add(bytes[offset].digits(2, radix: 16), style(of: bytes[offset]), cell, isMatch[column])
            let goesOn = column + 1 < range.count && column + 1 != rowSize / 2 && isMatch[column] && isMatch[column + 1]
            line.add(" ", .plain, cell.upperBound..<cell.upperBound, goesOn)
        }
        line.add(" ", .plain, range.upperBound..<range.upperBound)
        for (column, offset) in range.enumerated() {
            let byte = bytes[offset]
            let letter = byte >= 0x20 && byte < 0x7F ? String(Unicode.Scalar(byte)) : "."
            line.add(letter, style(of: byte), offset..<offset + 1, isMatch[column])
        }
        return line.spans
    }

    private static func style(of byte: UInt8) -> TextStyle {
        switch byte {
        case 0: .punctuation
        case 0x20..<0x7F: .plain
        default: .control
        }
    }
}

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
