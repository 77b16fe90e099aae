import OmbiCore

extension Field {
    /// Returns a row for each parameter of a query as a URL has it; nil if rows would send other bytes than the URL, such as
    /// `%20` for `+` or `flag=` for `flag`. Rows hold plain text: what stands between templates is decoded.
    public static func rows(ofQuery query: some StringProtocol) -> [Field]? {
        var rows: [Field] = []
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            // A row needs a name.
            guard let equals = item.firstIndex(of: "="), equals > item.startIndex,
                let name = decoded(item[..<equals]), let value = decoded(item[item.index(after: equals)...])
            else { return nil }
            rows.append(Field(name, value))
        }
        return rows
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        let bytes = Array(text.utf8)[...]
        var (result, next) = ("", 0)
        func decode(upTo end: Int) -> Bool {
            let written = String(decoding: bytes[next..<end], as: UTF8.self)
            let plain = PercentEncoding.unescapeForm(written)
            result += plain
            return PercentEncoding.escapeParameter(plain) == PercentEncoding.escapeWrittenQuery(written)
        }
        for (range, _) in TemplateScanner.templates(in: bytes) {
            guard decode(upTo: range.lowerBound) else { return nil }
            result += String(decoding: bytes[range], as: UTF8.self)
            next = range.upperBound
        }
        return decode(upTo: bytes.endIndex) ? result : nil
    }
}
