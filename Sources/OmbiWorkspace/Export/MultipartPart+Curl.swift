extension PreparedBody {
    /// - Parameter plain: applied to every text, for its secrets.
    func curl(_ plain: (String) -> String) -> CurlLine.Body {
        switch form {
        case .json, .text, .form: .text(plain(text))
        case .file(let path, _): .file(plain(path))
        case .multipart(let parts): .form(parts.map { $0.curlField(plain) })
        }
    }
}

/// A part of a form as an option of curl.
extension MultipartPart {
    /// - Parameter plain: applied to every text, for its templates or its secrets.
    func curlField(_ plain: (String) -> String) -> CurlLine.FormField {
        switch content {
        case .text(let text) where contentType == nil && fileName == nil:
            return CurlLine.FormField(option: "--form-string", text: plain(name) + "=" + plain(text))
        case .text(let text):
            // Quotation marks keep a semicolon in the text out of the attributes.
            let quoted = "\"" + plain(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            let attributes = FormFileText(path: "", type: contentType.map(plain), fileName: fileName.map(plain)).text
            return CurlLine.FormField(option: "-F", text: plain(name) + "=" + quoted + attributes)
        case .file(let path):
            let file = FormFileText(
                path: plain(path), type: contentType.map(plain) ?? FileType.named(path), fileName: fileName.map(plain))
            return CurlLine.FormField(option: "-F", text: plain(name) + "=@" + file.text)
        }
    }
}
