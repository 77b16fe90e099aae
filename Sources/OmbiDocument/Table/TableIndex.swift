/// The starts of the rows of a CSV (RFC 4180) or TSV text, found while it arrives. Line ends in quotes do not end a
/// row. It keeps a position for each 4 KiB; cells are found on demand.
package struct TableIndex: Sendable {
    package let separator: UInt8
    /// Row starts at least 4 KiB apart, with the numbers of the rows.
    private var checkpoints: [Checkpoint]
    /// The end of the scanned bytes.
    private var scanned: Int
    private var isQuoted = false
    /// The start of the last quote.
    private var quoteStart = 0
    private var rowStart: Int
    /// The number of complete rows.
    private var ended = 0
    package private(set) var isComplete = false

    private struct Checkpoint: Sendable {
        var offset: Int
        var row: Int
    }

    private static let step = 4096
    private static let quote = UInt8(ascii: "\"")

    /// - Parameter start: The offset of the text, after a byte order mark.
    package init(separator: UInt8, start: Int = 0) {
        self.separator = separator
        scanned = start
        rowStart = start
        checkpoints = [Checkpoint(offset: start, row: 0)]
    }

    package init(_ bytes: Bytes, separator: UInt8, start: Int = 0) {
        self.init(separator: separator, start: start)
        extend(over: bytes, isComplete: true)
    }

    /// Scans the bytes since the last call, at most about `limit` of them.
    package mutating func extend(over bytes: Bytes, isComplete complete: Bool, limit: Int = .max) {
        // The byte after a quote or a CR decides whether it means something.
        let available = complete ? bytes.count : bytes.count - 1
        let end = available - scanned > limit ? scanned + limit : available
        while scanned < end { skip(in: bytes, before: end) }
        isComplete = complete && scanned >= bytes.count
    }

    private mutating func skip(in bytes: Bytes, before end: Int) {
        if isQuoted { skipQuoted(in: bytes, before: end) } else { skipPlain(in: bytes, before: end) }
    }

    private mutating func skipQuoted(in bytes: Bytes, before end: Int) {
        guard let quote = ByteScan.first(Self.quote, in: bytes, scanned..<end) else {
            scanned = end
            return
        }
        // Two quotes are an escaped one.
        isQuoted = bytes[quote + 1] == Self.quote
        scanned = quote + (isQuoted ? 2 : 1)
    }

    private mutating func skipPlain(in bytes: Bytes, before end: Int) {
        guard let found = ByteScan.first(Self.quote, or: 0x0A, or: 0x0D, in: bytes, scanned..<end) else {
            scanned = end
            return
        }
        scanned = found + 1
        if bytes[found] == Self.quote {
            // Inside an unquoted cell, a quote is a letter.
            isQuoted = found == rowStart || bytes[found - 1] == separator
            if isQuoted { quoteStart = found }
        } else if ByteScan.isLineEnd(bytes, found) {
            ended += 1
            rowStart = found + 1
            if rowStart - checkpoints[checkpoints.count - 1].offset >= Self.step {
                checkpoints.append(Checkpoint(offset: rowStart, row: ended))
            }
        }
    }

    /// Returns the number of rows known so far, including the one that is still arriving.
    package func rowCount(in bytes: Bytes) -> Int {
        rowStart < bytes.count ? ended + 1 : ended
    }

    /// Returns the start of a quote that is never closed, once the text is complete: everything after it is one cell.
    package func openQuote(in bytes: Bytes) -> Int? {
        isComplete && isQuoted ? quoteStart : nil
    }

    /// Returns a row without its line ending; nil if it is not indexed yet.
    package func range(of row: Int, in bytes: Bytes) -> ByteRange? {
        guard row >= 0, row < rowCount(in: bytes) else { return nil }
        let index = checkpoints.partitioningIndex { $0.row > row } - 1
        guard index >= 0 else { return nil }
        var start = checkpoints[index].offset
        for number in checkpoints[index].row..<row { start = end(of: number, from: start, behind: index, in: bytes) }
        let end = end(of: row, from: start, behind: index, in: bytes)
        return start..<LineIndex.withoutEnd(start..<end, in: bytes)
    }

    /// Returns the row that starts at an offset, without its line ending, and the start of the next one. Goes through the rows of a
    /// text in less time than `range(of:in:)`, which seeks each of them.
    package func row(from start: Int, in bytes: Bytes) -> (range: ByteRange, next: Int) {
        let next = rowEnd(from: start, in: bytes)
        return (start..<LineIndex.withoutEnd(start..<next, in: bytes), next)
    }

    package func row(at offset: Int, in bytes: Bytes) -> Int {
        let index = max(0, checkpoints.partitioningIndex { $0.offset > offset } - 1)
        var (start, row) = (checkpoints[index].offset, checkpoints[index].row)
        while start < bytes.count {
            let end = end(of: row, from: start, behind: index, in: bytes)
            if end > offset || end >= bytes.count { break }
            start = end
            row += 1
        }
        return row
    }

    /// Returns the end of a row. A row as long as the body ends at a checkpoint, and is not read; only short rows end
    /// between two.
    private func end(of row: Int, from start: Int, behind checkpoint: Int, in bytes: Bytes) -> Int {
        if row >= ended { return bytes.count }
        if checkpoint + 1 < checkpoints.count, checkpoints[checkpoint + 1].row == row + 1 {
            return checkpoints[checkpoint + 1].offset
        }
        return rowEnd(from: start, in: bytes)
    }

    private func rowEnd(from start: Int, in bytes: Bytes) -> Int {
        var scan = TableIndex(separator: separator, start: start)
        while scan.ended == 0, scan.scanned < bytes.count { scan.skip(in: bytes, before: bytes.count) }
        return scan.ended > 0 ? scan.rowStart : bytes.count
    }

    /// Returns the cells of a row, at most `limit`. An empty line has none.
    package func cells(of row: ByteRange, in bytes: Bytes, limit: Int = 10_000) -> [TableCell] {
        let row = bytes.clamp(row)
        guard !row.isEmpty else { return [] }
        var cells: [TableCell] = []
        var start = row.lowerBound
        while cells.count < limit {
            let isQuoted = bytes[start] == Self.quote && start < row.upperBound
            let afterQuotes = isQuoted ? endOfQuotes(from: start, in: bytes, before: row.upperBound) : start
            let end = ByteScan.first(separator, in: bytes, afterQuotes..<row.upperBound) ?? row.upperBound
            cells.append(TableCell(range: start..<end, isQuoted: isQuoted))
            guard end < row.upperBound else { break }
            start = end + 1
        }
        return cells
    }

    private func endOfQuotes(from start: Int, in bytes: Bytes, before end: Int) -> Int {
        var offset = start + 1
        while let quote = ByteScan.first(Self.quote, in: bytes, offset..<end) {
            guard quote + 1 < end, bytes[quote + 1] == Self.quote else { return quote + 1 }
            offset = quote + 2
        }
        return end
    }
}

/// The columns of a table, inferred from a sample of its rows.
package struct TableShape: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        /// The cell of the first row.
        package var name: String
        /// The width of the widest cell in the sample, in terminal columns, at most `maximumWidth`.
        package var width: Int
        /// True if all cells in the sample, except a header and empty ones, are numbers: they are aligned on the right.
        package var isNumeric: Bool
    }

    package var columns: [Column]
    /// True if the first row names the columns. It is data when it is the only one, or when it has a number in a column
    /// of numbers; but years are often names of columns.
    package let hasHeader: Bool

    package static let maximumWidth = 60
    /// The number of cells above which fewer rows are read, in a table with very many columns.
    private static let maximumCells = 40_000

    /// - Parameter rows: The number of rows read from the first on; half as many are sampled from the rest.
    package init(_ index: TableIndex, in bytes: Bytes, rows: Int = 200) {
        let count = index.rowCount(in: bytes)
        let first = index.range(of: 0, in: bytes).map { index.cells(of: $0, in: bytes, limit: 1000) } ?? []
        columns = first.map { Column(name: $0.text(in: bytes), width: 1, isNumeric: true) }
        var hasValues = first.map { _ in false }
        let limit = min(rows, max(20, Self.maximumCells / max(1, first.count)))
        for number in Self.sample(of: count, limit) {
            guard let row = index.range(of: number, in: bytes) else { break }
            let cells = number == 0 ? first : index.cells(of: row, in: bytes, limit: first.count)
            for (column, cell) in zip(columns.indices, cells) {
                let text = cell.text(in: bytes, limit: 512)
                columns[column].width = max(columns[column].width, min(Self.maximumWidth, Self.width(of: text)))
                guard number > 0, !text.isEmpty else { continue }
                hasValues[column] = true
                if columns[column].isNumeric, Double(text) == nil { columns[column].isNumeric = false }
            }
        }
        for column in columns.indices where !hasValues[column] { columns[column].isNumeric = false }
        let areData = zip(columns, first).contains { column, cell in
            column.isNumeric && Self.isAmount(cell.text(in: bytes, limit: 512))
        }
        hasHeader = count > 1 && !areData
    }

    /// Returns true if a row has more or fewer cells than the first one.
    package func isRagged(_ cells: [TableCell]) -> Bool { cells.count != columns.count }

    /// Returns the first rows, some of the others at even distances, and the last one.
    private static func sample(of count: Int, _ limit: Int) -> [Int] {
        let rest = max(0, count - limit)
        guard rest > 0 else { return Array(0..<max(0, count)) }
        let more = min(rest, max(1, limit / 2))
        return Array(0..<limit) + (1...more).map { limit - 1 + rest / more * $0 + min($0, rest % more) }
    }

    private static func isAmount(_ text: String) -> Bool {
        guard Double(text) != nil else { return false }
        return Int(text).map { !(1000...2999).contains($0) } ?? true
    }

    private static func width(of text: String) -> Int {
        let bytes = Bytes(text.utf8)
        let reader = ColumnReader(bytes: bytes, tabWidth: 1)
        return reader.advance(
            .init(offset: 0, column: 0), toOffset: bytes.count, toColumn: maximumWidth, end: bytes.count
        ).column
    }
}

/// A cell of a table: its bytes, with the quotes around it if there are any.
package struct TableCell: Sendable, Equatable {
    package var range: ByteRange
    package var isQuoted: Bool

    /// Returns the text: without the quotes around it, and with one quote for each two in it.
    /// - Parameter limit: The maximum number of bytes read.
    package func text(in bytes: Bytes, limit: Int = 4096) -> String {
        let quote = UInt8(ascii: "\"")
        let cut = range.lowerBound..<min(range.upperBound, range.lowerBound + limit)
        guard isQuoted else { return bytes.text(cut) }
        var text: [UInt8] = []
        var offset = cut.lowerBound + 1
        var isOpen = true
        while offset < cut.upperBound {
            let byte = bytes[offset]
            offset += 1
            guard byte == quote, isOpen else {
                text.append(byte)
                continue
            }
            if offset < cut.upperBound, bytes[offset] == quote {
                text.append(quote)
                offset += 1
            } else {
                isOpen = false
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The fields of form data, found while it arrives: no byte is read again later. Empty fields are left out.
package struct FormIndex: Sendable {
    /// The complete fields.
    private var ended: [FormField] = []
    /// The start of the last field, and its first `=`.
    private var start = 0
    private var sign: Int?
    private var scanned = 0

    /// The maximum number of fields.
    private static let most = 100_000

    package init() {}

    /// Reads what has arrived since the last call.
    package mutating func extend(over bytes: Bytes) {
        while scanned < bytes.count, ended.count < Self.most {
            let end = ByteScan.first(UInt8(ascii: "&"), in: bytes, scanned..<bytes.count)
            let stop = end ?? bytes.count
            if sign == nil { sign = ByteScan.first(UInt8(ascii: "="), in: bytes, scanned..<stop) }
            scanned = stop
            guard end != nil else { return }
            if stop > start { ended.append(field(upTo: stop)) }
            (start, sign, scanned) = (stop + 1, nil, stop + 1)
        }
    }

    /// All fields so far, including the one that is still arriving.
    package var fields: [FormField] { scanned > start ? ended + [field(upTo: scanned)] : ended }

    private func field(upTo end: Int) -> FormField {
        let sign = sign ?? end
        return FormField(name: start..<sign, value: min(end, sign + 1)..<end)
    }
}

/// A field of form data (`application/x-www-form-urlencoded`), or of the query of a URL.
package struct FormField: Sendable, Equatable {
    package var name: ByteRange
    /// The value; empty, at the end of the name, if there is no `=`.
    package var value: ByteRange

    /// Returns a decoded name or value: `+` is a space, `%41` a byte. Invalid escapes stay as they are.
    package static func text(_ range: ByteRange, in bytes: Bytes, limit: Int = 1 << 20) -> String {
        bytes.buffer(range.lowerBound..<min(range.upperBound, range.lowerBound + limit)).unescaped(plus: 0x20)
    }
}
