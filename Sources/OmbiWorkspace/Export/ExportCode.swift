/// Values in the code of a language, escaped for their places.
enum ExportCode {
    /// - Parameter code: an expression for a text.
    static func python(_ code: String, _ encoding: ExportEncoding) -> String {
        switch encoding {
        case .none, .writtenQuery: code
        // Escapes stay, a sign that begins none is one.
        case .path: "re.sub(\"%(?![0-9A-Fa-f]{2})\", \"%25\", quote(\(code), safe=\"/:@!$&'()*+,;=%\"))"
        case .segment: "quote(\(code), safe=\"\")"
        case .parameter: "quote(\(code), safe=\"/?:@!$'()*,\")"
        case .form: "quote_plus(\(code), safe=\"*\").replace(\"~\", \"%7E\")"
        case .json: "json.dumps(\(code), ensure_ascii=False)[1:-1]"
        }
    }

    /// - Parameter code: an expression for a text.
    static func javaScript(_ code: String, _ encoding: ExportEncoding) -> String {
        switch encoding {
        case .none, .writtenQuery: code
        case .path:
            "encodeURI(\(code)).replace(/%25(?=[0-9A-Fa-f]{2})/g, \"%\").replace(/[?#]/g, encodeURIComponent)"
        case .segment, .parameter: "encodeURIComponent(\(code))"
        // k6 has no URLSearchParams.
        case .form:
            "encodeURIComponent(\(code)).replace(/%20/g, \"+\")"
                + ".replace(/[!'()~]/g, (c) => \"%\" + c.charCodeAt(0).toString(16).toUpperCase())"
        case .json: "JSON.stringify(\(code)).slice(1, -1)"
        }
    }
}
