/// Media types in header fields.
enum MediaType {
    /// Returns "text/html" for "Text/HTML; charset=utf-8".
    static func essence(of text: String) -> String {
        let type = text.prefix { $0 != ";" }
        return type.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
