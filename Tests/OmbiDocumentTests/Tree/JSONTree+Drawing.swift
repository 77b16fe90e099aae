import OmbiDocument

extension JSONTree {
    init(_ text: String, roots: JSONRoots = .one, columns: Int = 60) {
        self.init(JSONDocument(text, roots: roots), columns: columns)
    }

    /// All rows from the first to the last.
    var rows: [JSONRow] { first.map { rows(from: $0, limit: .max) } ?? [] }

    /// All rows as they are drawn.
    var drawn: [String] { rows.map(draw) }

    func draw(_ row: JSONRow) -> String { spans(of: row, columns: columns).map(\.text).joined() }

    /// The row that is drawn like this, but for the indentation.
    func row(drawn text: String) -> JSONRow? {
        rows.first { draw($0).drop { $0 == " " } == text }
    }

    /// Says what is wrong with the rows: each must lead to the next and back, in order, and be found by its line.
    var disorder: String? {
        let rows = rows
        guard last == rows.last else { return "the last row is \(String(describing: last))" }
        for (row, next) in zip(rows, rows.dropFirst()) {
            guard row < next else { return "\(draw(next)) is not behind \(draw(row))" }
            guard self.row(before: next) == row else { return "what is before \(draw(next)) is not \(draw(row))" }
            guard self.row(before: next)?.depth == row.depth else { return "\(draw(row)) is \(row.depth) deep" }
        }
        for row in rows where visible(row) != row { return "\(draw(row)) is not in sight" }
        if let first, row(before: first) != nil { return "something is before the first row" }
        return nil
    }
}

extension JSONDocument {
    /// Where a text begins in the body.
    func offset(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        return (0..<byteCount).first { bytes(in: $0..<$0 + wanted.count).elementsEqual(wanted) }
    }
}
