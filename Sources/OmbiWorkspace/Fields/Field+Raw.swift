/// Rows of a query that are sent as they are written.
extension Field {
    /// Returns a row of a query in which only what no URL may have is encoded.
    public static func raw(_ name: String, _ value: String, enabled: Bool = true) -> Field {
        var field = Field(name, value, enabled: enabled)
        field.isRaw = true
        return field
    }

    /// `name=value`; without a value the name alone.
    var rawText: String { value.isEmpty ? name : name + "=" + value }

    /// Returns a row for each parameter of a query as a URL has it, raw ones where others would send other bytes. Nil for
    /// a query with a parameter that has no name.
    static func rows(writtenAs query: some StringProtocol) -> [Field]? {
        var rows: [Field] = []
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            if let plain = Field.rows(ofQuery: item) {
                rows += plain
                continue
            }
            guard let row = raw(writtenAs: item) else { return nil }
            rows.append(row)
        }
        return rows
    }

    /// Returns a raw row for each parameter of a query. Nil for a query with a parameter that has no name.
    static func rawRows(ofQuery query: some StringProtocol) -> [Field]? {
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        let rows = items.compactMap { raw(writtenAs: $0) }
        return rows.count == items.count ? rows : nil
    }

    /// Nil for a parameter without a name.
    private static func raw(writtenAs item: some StringProtocol) -> Field? {
        let name = item.prefix { $0 != "=" }
        guard !name.isEmpty else { return nil }
        let value = String(item[name.endIndex...].dropFirst())
        // A row without a value has no `=` but in its name.
        return raw(value.isEmpty ? String(item) : String(name), value)
    }
}
