/// The body that the items of a command line make: JSON, a form, a form with files, a file, or a text.
struct ItemsBody {
    let items: [SendItem]
    let isForm: Bool
    let raw: String?
    let prefix: String

    /// Returns nil without any data.
    func body() throws(FieldError) -> SavedBody? {
        let data = items.filter(\.isData)
        if let raw {
            guard data.isEmpty else { throw FieldError("the body is either --raw or made of items, not both") }
            return .text(TextContent(TemplateText.escaped(raw), contentType: contentType(of: raw)))
        }
        if data.isEmpty { return nil }
        if let whole = data.first(where: { $0.kind == .file && $0.name.isEmpty }) {
            guard data.count == 1 else {
                throw FieldError("@\(whole.value) is the whole body; write name@file for a part of a form")
            }
            let (path, type) = file(whole)
            return .file(FileContent(path, contentType: type))
        }
        if data.contains(where: { $0.kind == .file }) { return .multipart(MultipartContent(try parts(data))) }
        return isForm ? .form(FormContent(try fields(data))) : .json(JSONContent(try object(data)))
    }

    /// Nil for the type of plain text.
    private func contentType(of raw: String) -> String? {
        if isForm { return FormContent.note }
        return (try? JSONValue.parse(raw)) == nil ? nil : JSONContent.note
    }

    // MARK: Forms

    private func fields(_ data: [SendItem]) throws(FieldError) -> [Field] {
        var fields: [Field] = []
        for item in data { fields.append(Field(TemplateText.escaped(item.name), try text(item))) }
        return fields
    }

    private func parts(_ data: [SendItem]) throws(FieldError) -> [MultipartPart] {
        var parts: [MultipartPart] = []
        for item in data {
            let name = TemplateText.escaped(item.name)
            if item.kind == .file {
                let (path, type) = file(item)
                parts.append(MultipartPart(name, .file(path), contentType: type))
            } else {
                parts.append(MultipartPart(name, .text(try text(item))))
            }
        }
        return parts
    }

    /// `name@path`, `name@path;type=image/png`
    private func file(_ item: SendItem) -> (path: String, type: String?) {
        let (path, type) = SendItem.typedFile(item.value)
        let isRelative = !path.hasPrefix("/") && !path.hasPrefix("~/")
        return (TemplateText.escaped(isRelative ? prefix + path : path), type.map { TemplateText.escaped($0) })
    }

    /// A field of a form is a text.
    private func text(_ item: SendItem) throws(FieldError) -> String {
        guard item.kind == .json else { return TemplateText.escaped(item.value) }
        switch try value(item) {
        case .string(let text): return TemplateText.escaped(text)
        case .number(let digits): return digits
        case .bool(let value): return value ? "true" : "false"
        case .null: return ""
        case .array, .object:
            throw FieldError("\(item.name): a form has texts alone; write \(item.name)=value, or leave out --form")
        }
    }

    // MARK: JSON

    private func object(_ data: [SendItem]) throws(FieldError) -> JSONValue {
        var members: [JSONValue.Member] = []
        for item in data {
            if item.name.contains("[") {
                let name = item.name.prefix { $0 != "[" }
                throw FieldError("\(item.name): brackets are not read; write \(name):='{\"key\": \"value\"}'")
            }
            let content = try item.kind == .json ? value(item) : .string(item.value)
            let member = JSONValue.Member(TemplateText.escaped(item.name), TemplateText.escaped(content))
            // As with HTTPie, the last one of a name counts.
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index] = member
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }

    private func value(_ item: SendItem) throws(FieldError) -> JSONValue {
        do throws(JSONSyntaxError) { return try JSONValue.parse(item.value) } catch {
            throw FieldError(
                "\(item.name):=\(item.value.excerpt(40)) is no JSON: \(error); write \(item.name)=value for a string")
        }
    }
}
