/// Media types as headers write them.
enum MediaType {
    /// "text/html" of "Text/HTML; charset=utf-8".
    static func essence(of text: String) -> String {
        let type = text.prefix { $0 != ";" }
        return type.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
