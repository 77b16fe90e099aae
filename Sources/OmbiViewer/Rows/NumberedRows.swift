import OmbiDocument

/// Rows whose positions are numbers.
protocol NumberedRows: ViewerRows {
    var bytes: Bytes { get }
    /// The number of the last row; 0 where there is none.
    var lastNumber: Int { get }
    func aligned(_ number: Int) -> Int
    func number(_ number: Int, movedBy rows: Int) -> Int
    func spans(at number: Int, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan]
    func label(at number: Int) -> String?
    func range(at number: Int) -> ByteRange
    func number(ofByte offset: Int) -> Int
    func number(labelled number: Int) -> Int
    func path(at number: Int) -> String?
    func value(at number: Int) -> ByteRange
    func text(at number: Int) -> String
    func writer(from first: Int, through last: Int) -> BodyWriter
    func count(from first: Int, through last: Int) -> Int
    func selects(_ number: Int, from first: Int, through last: Int) -> Bool
}

extension NumberedRows {
    func aligned(_ number: Int) -> Int { min(max(0, number), lastNumber) }
    func number(_ number: Int, movedBy rows: Int) -> Int { min(max(0, number + rows), lastNumber) }
    func number(labelled number: Int) -> Int { aligned(number - 1) }
    func value(at number: Int) -> ByteRange { range(at: number) }
    func text(at number: Int) -> String { bytes.text(value(at: number)) }
    /// The bytes as received, with the folded content of the last row.
    func writer(from first: Int, through last: Int) -> BodyWriter {
        let start = range(at: first).lowerBound
        return BodyWriter(bytes[start..<max(start, value(at: last).upperBound)], endsLine: true)
    }
    func count(from first: Int, through last: Int) -> Int { last - first + 1 }
    func selects(_ number: Int, from first: Int, through last: Int) -> Bool { first <= number && number <= last }

    var last: ViewerPosition { ViewerPosition(lastNumber) }
    func aligned(_ position: ViewerPosition) -> ViewerPosition { ViewerPosition(aligned(position.number)) }
    func position(_ position: ViewerPosition, movedBy rows: Int) -> ViewerPosition {
        ViewerPosition(number(position.number, movedBy: rows))
    }
    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        spans(at: position.number, skipping: skipping, columns: columns, finder: finder)
    }
    func label(at position: ViewerPosition) -> String? { label(at: position.number) }
    func range(at position: ViewerPosition) -> ByteRange { range(at: position.number) }
    func position(ofByte offset: Int) -> ViewerPosition { ViewerPosition(number(ofByte: offset)) }
    func position(ofNumber number: Int) -> ViewerPosition { ViewerPosition(self.number(labelled: number)) }
    func path(at position: ViewerPosition) -> String? { path(at: position.number) }
    func value(at position: ViewerPosition) -> ByteRange { value(at: position.number) }
    func text(at position: ViewerPosition) -> String { text(at: position.number) }
    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter {
        writer(from: first.number, through: last.number)
    }
    func count(from first: ViewerPosition, through last: ViewerPosition) -> Int? {
        count(from: first.number, through: last.number)
    }
    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool {
        selects(position.number, from: first.number, through: last.number)
    }
}
