/// The rows of a table whose first line names the variables (RFC 4180).
struct DataTable: Sendable {
    private let bytes: Bytes
    private let index: TableIndex
    private let file: String

    init(_ bytes: Bytes, separator: UInt8, file: String) {
        self.bytes = bytes
        self.file = file
        index = TableIndex(bytes, separator: separator)
    }

    /// The most frequent separator of the first line: a comma, a semicolon or a tab. Text after the quotes of a name
    /// rules one out, because the name may contain the others.
    static func separator(of bytes: Bytes) -> UInt8 {
        if let named = namedSeparator(in: bytes) { return named.separator }
        let comma = UInt8(ascii: ",")
        let candidates = [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let counts = candidates.map { separator -> Int in
            let index = TableIndex(bytes, separator: separator)
            let cells = index.range(of: 0, in: bytes).map { index.cells(of: $0, in: bytes) } ?? []
            return cells.allSatisfy { isWhole($0, in: bytes) } ? cells.count : 0
        }
        return zip(candidates, counts).max { $0.1 < $1.1 || $0.1 == $1.1 && $1.0 == comma }?.0 ?? comma
    }

    /// The separator that Excel names in a line before the table, `sep=;`, and the end of that line.
    private static func namedSeparator(in bytes: Bytes) -> (separator: UInt8, end: Int)? {
        let line = bytes.array(0..<min(8, bytes.count)).prefix { $0 != 0x0A && $0 != 0x0D }
        let text = line.filter { $0 != UInt8(ascii: "\"") }
        guard text.count == 5, String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=" else {
            return nil
        }
        var end = line.count
        if bytes[end] == 0x0D { end += 1 }
        if bytes[end] == 0x0A { end += 1 }
        return (text[4], end)
    }

    func rows() throws(Problem) -> DataRows {
        if let quote = index.openQuote(in: bytes) { throw problem(at: quote, "this quote is not closed") }
        guard !bytes.isEmpty else { return DataRows(bytes, .objects, []) }
        var (row, next) = index.row(from: Self.namedSeparator(in: bytes)?.end ?? 0, in: bytes)
        let names = try names(in: row)
        var starts: [Int] = []
        while next < bytes.count {
            (row, next) = index.row(from: next, in: bytes)
            guard !row.isEmpty else { continue }
            _ = try cells(of: row, names.count)
            starts.append(row.lowerBound)
        }
        return DataRows(bytes, .table(self, names: names), starts)
    }

    func variables(in row: ByteRange, _ names: [String]) throws(Problem) -> [Variable] {
        zip(names, try cells(of: row, names.count)).map { Variable($0, text(of: $1)) }
    }

    private func cells(of row: ByteRange, _ count: Int) throws(Problem) -> [TableCell] {
        let cells = try cells(of: row)
        guard cells.count == count else {
            throw problem(
                at: row.lowerBound,
                "this row has \(cells.count) of \(count) values; quote a value that holds the separator")
        }
        return cells
    }

    private func names(in header: ByteRange) throws(Problem) -> [String] {
        var names: [String] = []
        for cell in try cells(of: header) {
            let name = Self.variable(text(of: cell).trimmed)
            guard !name.isEmpty else { throw problem(at: cell.range.lowerBound, "this column has no name") }
            guard !names.contains(name) else {
                throw problem(at: cell.range.lowerBound, "there are two columns \"\(name)\"")
            }
            names.append(name)
        }
        return names
    }

    /// The name of a column as a template can name it: `first_name` for `first name`. Scalars are looked at, as an accent behind
    /// a character that is replaced becomes one of the `_`.
    private static func variable(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
            let properties = scalar.properties
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: return scalar
            default: break
            }
            let isKept = properties.isAlphabetic || properties.numericType != nil || scalar == "-" || scalar == "."
            return isKept ? scalar : "_"
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(result)
    }

    private func cells(of row: ByteRange) throws(Problem) -> [TableCell] {
        let cells = index.cells(of: row, in: bytes)
        for cell in cells where !Self.isWhole(cell, in: bytes) {
            throw problem(at: cell.range.lowerBound, "there is text behind the closing quote of this value")
        }
        return cells
    }

    /// True for a cell that ends with the closing one of its quotes, if it has some.
    private static func isWhole(_ cell: TableCell, in bytes: Bytes) -> Bool {
        guard cell.isQuoted else { return true }
        let quote = UInt8(ascii: "\"")
        var offset = cell.range.lowerBound + 1
        while offset < cell.range.upperBound {
            guard bytes[offset] == quote else {
                offset += 1
                continue
            }
            guard offset + 1 < cell.range.upperBound, bytes[offset + 1] == quote else {
                return offset + 1 == cell.range.upperBound
            }
            offset += 2
        }
        return false
    }

    private func text(of cell: TableCell) -> String { cell.text(in: bytes, limit: .max / 2) }

    private func problem(at offset: Int, _ message: String) -> Problem {
        var locator = TextLocator(bytes)
        return Problem(file: file, position: locator.position(of: offset), message: message)
    }
}

/// The rows of a file of data, each read on demand: a file may have a million of them.
package struct DataRows: RandomAccessCollection, Sendable {
    enum Form: Sendable {
        case table(DataTable, names: [String])
        /// An object for each row.
        case objects
    }

    private let text: Bytes
    private let form: Form
    /// The first byte of each row, or of the blanks before an object.
    private let starts: [Int]

    init(_ text: Bytes, _ form: Form, _ starts: [Int]) {
        (self.text, self.form, self.starts) = (text, form, starts)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { starts.count }

    package subscript(index: Int) -> DataRow { DataRow(number: index + 1, variables: variables(range(of: index))) }

    /// The bytes of a row, followed at most by line ends or, after an object, by a separator.
    private func range(of index: Int) -> ByteRange {
        let start = starts[index]
        var end = index + 1 < starts.count ? starts[index + 1] : text.count
        switch form {
        case .table: while end > start, text[end - 1] == 0x0A || text[end - 1] == 0x0D { end -= 1 }
        case .objects: while end > start, text[end - 1] != UInt8(ascii: "}") { end -= 1 }
        }
        return start..<end
    }

    /// Returns none for a row that cannot be read, which has been an error before.
    private func variables(_ range: ByteRange) -> [Variable] {
        switch form {
        case .table(let table, let names): (try? table.variables(in: range, names)) ?? []
        case .objects:
            (try? JSONDocument(checking: text[range])).flatMap { $0.firstRoot.map($0.value) }.map(Self.variables) ?? []
        }
    }

    /// Texts as they are, numbers as written, other values as JSON. Null gives no value.
    private static func variables(of value: JSONValue) -> [Variable] {
        guard case .object(let members) = value else { return [] }
        return members.compactMap { member -> Variable? in
            switch member.value {
            case .null: nil
            case .string(let text): Variable(member.key, text)
            default: Variable(member.key, member.value.compact)
            }
        }
    }
}

/// The variables of one run, from a row of a file of data.
package struct DataRow: Sendable, Equatable {
    /// Counted from 1; the header of a table is none.
    package var number: Int
    package var variables: [Variable]
}

/// Reads the rows of a file of data: a table with a header (CSV, or with semicolons or tabs), a JSON array of objects,
/// or an object on each line.
///
/// A UTF-8, UTF-16 or UTF-32 byte order mark is recognised, and UTF-16 without one. No other encoding is guessed,
/// because wrong letters would be sent.
package enum DataFile {
    /// Finds the rows in the content of a file. Throws for a text that is none of these, with the position, and for one without
    /// rows.
    package static func rows(of bytes: [UInt8], file: String) throws(Problem) -> DataRows {
        let text = try decoded(Bytes(bytes), file)
        let rows =
            switch Form(file: file, text) {
            case .table(let separator): try DataTable(text, separator: separator, file: file).rows()
            case .json: DataRows(text, .objects, try elements(of: text, file))
            case .jsonLines: DataRows(text, .objects, try lines(of: text, file))
            }
        guard !rows.isEmpty else { throw Problem(file: file, message: "there are no rows of data in it") }
        return rows
    }

    /// The text as UTF-8, without a byte order mark.
    private static func decoded(_ bytes: Bytes, _ file: String) throws(Problem) -> Bytes {
        let finding = CharsetFinding.of(bytes, contentType: nil)
        let content = bytes[finding.markLength..<bytes.count]
        switch finding.charset {
        case .utf8, .windows1252, .other:
            if let error = UTF8Check.error(in: bytes) {
                throw Problem(file: file, position: error.position, message: error.reason)
            }
            return content
        case .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian:
            guard let text = DecodedText(finding.charset) else { return content }
            let decoded = text.extend(over: content, isComplete: true)
            guard let bad = text.firstBad else { return decoded }
            let place = "byte \(finding.markLength + bad + 1) of the file"
            throw Problem(file: file, message: "not \(finding.charset.name) at \(place); save the file as UTF-8")
        }
    }

    private enum Form {
        case table(separator: UInt8)
        case json
        case jsonLines

        /// By the extension of the file or, without a known one, by its first letter.
        init(file: String, _ text: Bytes) {
            let name = file.lowercased()
            let first = text.array(0..<min(text.count, 4096)).first { !" \t\r\n".utf8.contains($0) }
            if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
                self = .jsonLines
            } else if name.hasSuffix(".json") || first == UInt8(ascii: "[") {
                self = .json
            } else if first == UInt8(ascii: "{") {
                self = .jsonLines
            } else {
                self = .table(separator: DataTable.separator(of: text))
            }
        }
    }

    // MARK: JSON

    /// - Parameter line: The line of the first byte in the file.
    private static func json(_ text: Bytes, _ file: String, line: Int = 1) throws(Problem) -> JSONDocument {
        do throws(JSONSyntaxError) { return try JSONDocument(checking: text) } catch {
            let position = TextPosition(line: error.position.line + line - 1, column: error.position.column)
            throw Problem(file: file, position: position, message: error.reason)
        }
    }

    private static func elements(of text: Bytes, _ file: String) throws(Problem) -> [Int] {
        let document = try json(text, file)
        guard let root = document.firstRoot, document.kind(of: root) == .array else {
            throw Problem(file: file, message: "expected an array of objects, one for each run")
        }
        var starts: [Int] = []
        for element in document.children(of: root) {
            guard document.kind(of: element) == .object else {
                throw Problem(file: file, message: "element \(starts.count + 1) of the array is not an object")
            }
            starts.append(document.range(of: element).lowerBound)
        }
        return starts
    }

    private static func lines(of text: Bytes, _ file: String) throws(Problem) -> [Int] {
        var starts: [Int] = []
        var (start, number) = (0, 1)
        while start < text.count {
            // Not at other line separators, which strings may hold (RFC 8259 §7).
            let end = (start..<text.count).first { text[$0] == 0x0A || text[$0] == 0x0D } ?? text.count
            if (start..<end).contains(where: { text[$0] != 0x20 && text[$0] != 0x09 }) {
                let document = try json(text[start..<end], file, line: number)
                guard let root = document.firstRoot, document.kind(of: root) == .object else {
                    throw Problem(
                        file: file, position: TextPosition(line: number, column: 1), message: "expected an object")
                }
                starts.append(start)
            }
            let isPair = text[end] == 0x0D && text[end + 1] == 0x0A
            (start, number) = (end + (isPair ? 2 : 1), number + 1)
        }
        return starts
    }
}
