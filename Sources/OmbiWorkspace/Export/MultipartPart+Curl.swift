import OmbiDocument

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
        let name = plain(name)
        let attributes =
            (contentType.map { ";type=" + plain($0) } ?? "") + (fileName.map { ";filename=" + quoted(plain($0)) } ?? "")
        switch content {
        case .text(let text) where attributes.isEmpty:
            return CurlLine.FormField(option: "--form-string", name: name, value: plain(text))
        case .text(let text):
            return CurlLine.FormField(option: "-F", name: name, value: quoted(plain(text), always: true) + attributes)
        case .file(let path) where fileName == Self.absent:
            let type = contentType ?? FileType.named(path)
            return CurlLine.FormField(
                option: "-F", name: name,
                value: "<" + quoted(plain(path)) + (type == Self.absent ? "" : ";type=" + plain(type)))
        case .file(let path):
            let type = contentType == nil ? ";type=" + FileType.named(path) : ""
            return CurlLine.FormField(option: "-F", name: name, value: "@" + quoted(plain(path)) + type + attributes)
        }
    }

    /// Quotation marks keep semicolons, commas and outer spaces in the text.
    private func quoted(_ text: String, always: Bool = false) -> String {
        let isPlain = !text.contains { ";,".contains($0) } && !text.hasPrefix("\"")
        let hasSpace = text.first?.isWhitespace ?? false || text.last?.isWhitespace ?? false
        if isPlain, !hasSpace, !always { return text }
        return "\"" + text.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "\"", with: "\\\"") + "\""
    }
}
