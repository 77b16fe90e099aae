import OmbiCore

extension Field {
    /// Returns a row for each parameter of a query as a URL has it. Rows hold plain text: what stands between templates is
    /// decoded.
    public static func rows(ofQuery query: some StringProtocol) -> [Field] {
        query.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return Field(decoded(name), decoded(item[name.endIndex...].dropFirst()))
        }
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)[...]
        var (result, next) = ("", 0)
        for (range, _) in TemplateScanner.templates(in: bytes) {
            result += PercentEncoding.unescapeForm(String(decoding: bytes[next..<range.lowerBound], as: UTF8.self))
            result += String(decoding: bytes[range], as: UTF8.self)
            next = range.upperBound
        }
        return result + PercentEncoding.unescapeForm(String(decoding: bytes[next...], as: UTF8.self))
    }
}
