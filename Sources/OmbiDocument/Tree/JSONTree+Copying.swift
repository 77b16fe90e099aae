/// Copying and saving.
extension JSONTree {
    /// Returns a writer of everything, folded or not: the document, or the matches.
    public func writer(form: JSONWriter.Form) -> JSONWriter {
        JSONWriter(document, tops, form: form)
    }
}

/// Several rows.
extension JSONTree {
    /// Returns a writer of the rows from one through another that is not above it, a portion at a time.
    public func writer(from first: JSONRow, through last: JSONRow) -> JSONRowWriter {
        JSONRowWriter(self, from: first, through: last)
    }
}
