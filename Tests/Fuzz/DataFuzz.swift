// Sources: Sources/OmbiBase Sources/OmbiDocument Sources/OmbiWorkspace/Data Sources/OmbiWorkspace/Format/Problem.swift Tests/Fuzz/Stubs/Variable.swift

/// Any bytes as a file of data, in each of its forms: rows are numbered in order, an error has its position in the file, and what was
/// read can be written down and read again.
@_cdecl("LLVMFuzzerTestOneInput")
func dataFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let file = ["rows.csv", "rows.json", "rows.jsonl", "rows"][Int(start[0]) % 4]
    let rows: [DataRow]
    do throws(Problem) { rows = Array(try DataFile.rows(of: bytes, file: file)) } catch {
        // Of UTF-16 the position is in the text.
        if let position = error.position { precondition(position.line >= 1 && position.column >= 1) }
        precondition(!error.message.isEmpty)
        return 0
    }
    precondition(!rows.isEmpty, "a file without rows is an error")
    precondition(rows.map(\.number) == Array(1...rows.count), "rows are counted from 1")
    let mark = "\u{FEFF}"
    let lines = rows.map { row in
        "{" + row.variables.map { json($0.name) + ":" + json($0.value) }.joined(separator: ",") + "}"
    }
    check(rows, mark + lines.joined(separator: "\r\n"), "again.jsonl")
    check(rows, mark + "[" + lines.joined(separator: ",") + "]", "again.json")
    let names = rows[0].variables.map(\.name)
    let isTable = rows.allSatisfy { $0.variables.map(\.name) == names } && Set(names).count == names.count
    guard isTable, !names.isEmpty, names.allSatisfy(isName) else { return 0 }
    for separator in [",", ";", "\t"] {
        let table = [names] + rows.map { $0.variables.map(\.value) }
        let text = table.map { $0.map(quoted).joined(separator: separator) }.joined(separator: "\r\n")
        check(rows, mark + text, "again.csv")
    }
    return 0
}

/// True for a name that a template can have: the header of a table gets `_` in place of other characters.
private func isName(_ text: String) -> Bool {
    !text.isEmpty
        && text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "-._".unicodeScalars.contains($0)
        }
}

private func check(_ rows: [DataRow], _ text: String, _ file: String) {
    guard let again = (try? DataFile.rows(of: Array(text.utf8), file: file)).map(Array.init) else {
        preconditionFailure("what was written as \(file) is not read: \(text)")
    }
    precondition(again == rows, "what was written as \(file) is read as it was")
}

private func quoted(_ text: String) -> String {
    "\"" + String(decoding: text.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }, as: UTF8.self) + "\""
}

/// Escapes what JSON requires, and leaves all else as it is.
private func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\" + String(scalar)
        case _ where scalar.value < 0x20:
            result += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
