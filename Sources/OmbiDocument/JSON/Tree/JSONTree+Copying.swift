/// What a row is about, to be copied or saved.
extension JSONTree {
    /// The value as it was sent.
    public func source(of row: JSONRow) -> Bytes? {
        row.node.flatMap { document.contains($0) ? document.bytes[document.range(of: $0)] : nil }
    }

    /// The key of a member, and what a string says, without quotes and escapes.
    public func key(of row: JSONRow) -> String? { row.node.flatMap(document.key)?.string }
    public func text(of row: JSONRow) -> String? { row.node.flatMap(document.text)?.string }

    /// Writes the value of a row.
    public func writer(of row: JSONRow, form: JSONWriter.Form) -> JSONWriter {
        JSONWriter(document, nodes: row.node.map { [$0] } ?? [], form: form)
    }

    /// Writes all that is shown, whether it is folded or not: the document, or the matches.
    public func writer(form: JSONWriter.Form) -> JSONWriter {
        JSONWriter(document, tops, form: form)
    }
}

/// Several rows.
extension JSONTree {
    /// Writes the rows from one through another that is not above it, a portion at a time.
    public func writer(from first: JSONRow, through last: JSONRow) -> JSONRowWriter {
        JSONRowWriter(self, from: first, through: last)
    }
}
