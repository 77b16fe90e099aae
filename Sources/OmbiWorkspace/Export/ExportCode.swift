/// Values in the code of a language, escaped for their places.
enum ExportCode {
    /// - Parameter code: an expression for a text.
    static func python(_ code: String, _ encoding: ExportEncoding) -> String {
        switch encoding {
        case .none, .writtenQuery: code
        case .path: "quote(\(code), safe=\"/:@!$&'()*+,;=%\")"
        case .segment: "quote(\(code), safe=\"\")"
        case .parameter: "quote(\(code), safe=\"/?:@!$'()*,\")"
        case .form: "quote_plus(\(code), safe=\"*\")"
        case .json: "json.dumps(\(code), ensure_ascii=False)[1:-1]"
        }
    }

    /// - Parameter code: an expression for a text.
    static func javaScript(_ code: String, _ encoding: ExportEncoding) -> String {
        switch encoding {
        case .none, .writtenQuery: code
        case .path: "encodeURI(\(code))"
        case .segment, .parameter: "encodeURIComponent(\(code))"
        case .form: "encodeURIComponent(\(code)).replaceAll(\"%20\", \"+\").replaceAll(\"'\", \"%27\")"
        case .json: "JSON.stringify(\(code)).slice(1, -1)"
        }
    }
}
