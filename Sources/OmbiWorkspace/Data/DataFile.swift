import OmbiDocument

/// Reads the rows of a file of data: a table with a header (CSV, or with semicolons or tabs), a JSON array of objects, or
/// an object on each line.
///
/// A UTF-8, UTF-16 or UTF-32 byte order mark is understood, and UTF-16 without one.
public enum DataFile {
    /// Reads the content of a file. Throws for a text that is none of these, with the position, and for one without rows.
    public static func rows(of bytes: [UInt8], file: String) throws(Problem) -> [DataRow] {
        let text = decoded(Bytes(bytes))
        let rows =
            switch Form(file: file, text) {
            case .table(let separator): try DataTable(text, separator: separator, file: file).rows()
            case .json: try objects(try json(text, file), file)
            case .jsonLines: try lines(text, file)
            }
        guard !rows.isEmpty else { throw Problem(file: file, message: "there are no rows of data in it") }
        return rows
    }

    /// The text as UTF-8, without a byte order mark.
    private static func decoded(_ bytes: Bytes) -> Bytes {
        let finding = CharsetFinding.of(bytes, contentType: nil)
        let content = bytes[finding.markLength..<bytes.count]
        return DecodedText(finding.charset)?.extend(over: content, isComplete: true) ?? content
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

    private static func json(_ text: Bytes, _ file: String, line: Int = 1) throws(Problem) -> JSONValue {
        do throws(JSONSyntaxError) { return try JSONValue.parse(text.text(0..<text.count)) } catch {
            let position = TextPosition(line: error.position.line + line - 1, column: error.position.column)
            throw Problem(file: file, position: position, message: error.reason)
        }
    }

    private static func objects(_ value: JSONValue, _ file: String) throws(Problem) -> [DataRow] {
        guard case .array(let elements) = value else {
            throw Problem(file: file, message: "expected an array of objects, one for each run")
        }
        var rows: [DataRow] = []
        for element in elements {
            let number = rows.count + 1
            guard let row = row(number, of: element) else {
                throw Problem(file: file, message: "element \(number) of the array is not an object")
            }
            rows.append(row)
        }
        return rows
    }

    private static func lines(_ text: Bytes, _ file: String) throws(Problem) -> [DataRow] {
        var rows: [DataRow] = []
        let lines = text.text(0..<text.count).split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() where line.contains(where: { !$0.isWhitespace }) {
            let value = try json(Bytes(line.utf8), file, line: index + 1)
            guard let row = row(rows.count + 1, of: value) else {
                throw Problem(
                    file: file, position: TextPosition(line: index + 1, column: 1), message: "expected an object")
            }
            rows.append(row)
        }
        return rows
    }

    /// Texts as they are, numbers as written, other values as JSON. Null gives no value. Returns nil for no object.
    private static func row(_ number: Int, of value: JSONValue) -> DataRow? {
        guard case .object(let members) = value else { return nil }
        let variables = members.compactMap { member -> Variable? in
            switch member.value {
            case .null: nil
            case .string(let text): Variable(member.key, text)
            default: Variable(member.key, member.value.compact)
            }
        }
        return DataRow(number: number, variables: variables)
    }
}
