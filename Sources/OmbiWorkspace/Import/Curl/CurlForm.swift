/// The parts of a form: the values of `-F` and `--form-string`.
extension CurlRequestReader {
    private static let formParts: [CurlOption.Part] = [.form, .formString]

    var formArguments: [CurlArgument] {
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
        guard !name.isEmpty else {
            lose(argument, "a part needs a name")
            return []
        }
        if argument.option.effect == .request(.formString) {
            return [MultipartPart(name, .text(TemplateText.escaped(String(value))))]
        }
        switch value.first {
        case "(", ")":
            lose(argument, "a form within a form cannot be saved")
            return []
        case "@":
            let items = items(value.dropFirst(), isList: true, argument)
            if items.count > 1 {
                log.remark(
                    argument.offset, "\(argument.written) \(text.excerpt(40))",
                    "a part for each file, as servers expect; curl sends one of multipart/mixed")
            }
            return items.map { item in
                part(name, .file(TemplateText.escaped(item.text)), item, type: Self.type(ofFile: item.text))
            }
        case "<":
            return items(value.dropFirst(), isList: false, argument).map { item in
                if let text = String(validating: file(item.text, argument), as: UTF8.self) {
                    return part(name, .text(TemplateText.escaped(text)), item)
                }
                var part = part(name, .file(TemplateText.escaped(item.text)), item, type: MultipartPart.absent)
                part.fileName = part.fileName ?? MultipartPart.absent
                return part
            }
        default:
            return items(value, isList: false, argument).map { item in
                part(name, .text(TemplateText.escaped(item.text)), item)
            }
        }
    }

    private mutating func items(
        _ text: Substring, isList: Bool, _ argument: CurlArgument
    ) -> [CurlFormValue.Item] {
        let items = CurlFormValue(text, isList: isList).items
        for item in items {
            for attribute in item.lost {
                log.loss(argument.offset, "\(argument.written) ;\(attribute.excerpt(40))", "a part cannot have it")
            }
            for attribute in item.unknown {
                log.remark(argument.offset, "\(argument.written) ;\(attribute.excerpt(40))", "left out, as curl does")
            }
        }
        return items
    }

    private func part(
        _ name: String, _ content: MultipartPart.Content, _ item: CurlFormValue.Item, type: String? = nil
    ) -> MultipartPart {
        MultipartPart(
            name, content, contentType: item.type.map(TemplateText.escaped) ?? type,
            fileName: item.fileName.map(TemplateText.escaped))
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
