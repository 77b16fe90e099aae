extension StringProtocol {
    /// The start of a text, in which nothing is escaped.
    func excerpt(_ limit: Int) -> String { String(prefix(limit)) }
}
