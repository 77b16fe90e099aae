import OmbiDocument

/// Reads the rows of a file of data: a table with a header (CSV, or with semicolons or tabs), a JSON array of objects, or
/// an object on each line.
///
/// A UTF-8, UTF-16 or UTF-32 byte order mark is understood, and UTF-16 without one. No other encoding is guessed: what is
/// not UTF-8 would be sent as other letters.
public enum DataFile {
    /// Finds the rows in the content of a file. Throws for a text that is none of these, with the position, and for one without
    /// rows.
    public static func rows(of bytes: [UInt8], file: String) throws(Problem) -> DataRows {
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

    /// - Parameter line: that of the first byte in the file.
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
