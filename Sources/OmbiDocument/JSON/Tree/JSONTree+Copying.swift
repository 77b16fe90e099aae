/// What is shown, to be copied or saved.
extension JSONTree {
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
