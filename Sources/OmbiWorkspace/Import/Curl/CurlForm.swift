/// The parts of a form: the values of `-F` and `--form-string`.
extension CurlRequestReader {
    private static let formParts: [CurlOption.Part] = [.form, .formString]

    private var formArguments: [CurlArgument] {
        operation.arguments.filter { argument in Self.formParts.contains { argument.option.effect == .request($0) } }
    }

    /// Sets the form of a command that has one. Its content type has a boundary, which each program chooses.
    mutating func setForm(of request: inout SavedRequest, _ headers: inout CurlHeaders) {
        let arguments = formArguments
        guard !arguments.isEmpty else { return }
        request.body = .multipart(MultipartContent(arguments.flatMap { parts($0) }))
        if headers.contentType?.lowercased().hasPrefix("multipart/") ?? false { headers.removeContentType() }
    }

    /// `name=text`, `name=@path`, `name=<path`, with attributes after semicolons.
    private mutating func parts(_ argument: CurlArgument) -> [MultipartPart] {
        guard let text = argument.value?.text, let equals = text.firstIndex(of: "=") else {
            lose(argument, "a part has the form name=value")
            return []
        }
        let name = TemplateText.escaped(String(text[..<equals]))
        let value = text[text.index(after: equals)...]
        if argument.option.effect == .request(.formString) {
            return [MultipartPart(name, .text(TemplateText.escaped(String(value))))]
        }
        let line = FormFileText(value.first.map { "@<".contains($0) } ?? false ? value.dropFirst() : value)
        switch value.first {
        case "(", ")":
            lose(argument, "a form within a form cannot be saved")
            return []
        case "@":
            // Only outside of quotation marks is a comma a second file.
            let paths = value.hasPrefix("@\"") ? [line.path] : line.path.split(separator: ",").map(String.init)
            return paths.map { part(name, .file(TemplateText.escaped($0)), line, type: Self.type(ofFile: $0)) }
        case "<":
            let content = file(line.path, argument)
            return [part(name, .text(TemplateText.escaped(String(decoding: content, as: UTF8.self))), line)]
        default: return [part(name, .text(TemplateText.escaped(line.path)), line)]
        }
    }

    private func part(
        _ name: String, _ content: MultipartPart.Content, _ line: FormFileText, type: String? = nil
    ) -> MultipartPart {
        MultipartPart(
            name, content, contentType: line.type.map(TemplateText.escaped) ?? type,
            fileName: line.fileName.map(TemplateText.escaped))
    }

    private mutating func lose(_ argument: CurlArgument, _ reason: String) {
        log.loss(argument.offset, "\(argument.written) \(argument.value?.text.excerpt(40) ?? "")", reason)
    }

    /// The type that curl gives a file, where it is not Ombi's.
    private static func type(ofFile path: String) -> String? {
        let known = ["gif", "jpg", "jpeg", "png", "svg", "txt", "htm", "html", "pdf", "xml"]
        let isKnown = known.contains { path.lowercased().hasSuffix("." + $0) }
        return isKnown || FileType.named(path) == FileType.unknown ? nil : FileType.unknown
    }
}
