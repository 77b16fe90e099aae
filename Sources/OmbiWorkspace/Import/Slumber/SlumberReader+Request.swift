extension SlumberReader {
    private static let known: Set<String> = [
        "name", "method", "url", "query", "headers", "authentication", "body", "persist",
    ]

    mutating func request(_ value: ForeignValue, id: String) -> SavedRequest {
        var request = SavedRequest(name: ForeignText.name(value["name"]?.text ?? "", or: id), path: "")
        request.method = RequestMethod.imported(
            value["method"]?.text ?? "", &log, at: value["method"]?.offset ?? value.offset)
        let offset = value["url"]?.offset ?? value.offset
        let url = renamed(ForeignText.line(value["url"]?.text ?? "").trimmed, at: offset)
        request.setAddress(url, hasParameters: false, &log, at: offset)
        request.query += query(value["query"])
        request.headers = headers(value["headers"])
        if let authentication = value["authentication"] {
            request.authentication = self.authentication(authentication)
            log.noteEmptyParts(of: request.authentication, "authentication", at: authentication.offset)
        }
        if let body = value["body"] { setBody(body, of: &request) }
        request.dropContentType()
        if value["persist"]?.bool == false { request.isRecorded = false }
        log.loseMembers(of: value, besides: Self.known, withNull: true)
        return request
    }

    // MARK: Rows

    /// A mapping, whose values may be lists, or a list of texts such as `name=value`.
    private mutating func query(_ value: ForeignValue?) -> [Field] {
        guard let value else { return [] }
        var rows = self.rows(value)
        for element in value.elements {
            let parts = element.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = template(String(parts[0]), at: element.offset)
            guard !name.isEmpty else { continue }
            rows.append(Field(name, template(parts.count > 1 ? String(parts[1]) : "", at: element.offset)))
        }
        return rows
    }

    /// The rows of a mapping: one for each value of a list.
    private mutating func rows(_ value: ForeignValue) -> [Field] {
        value.members.filter { !$0.key.isEmpty }.flatMap { key, inner -> [Field] in
            let name = template(key, at: inner.offset)
            return (inner.kind == .array ? inner.elements : [inner]).map { one in
                Field(name, template(Self.text(one), at: one.offset))
            }
        }
    }

    /// The text of a value, which is `null` for none.
    static func text(_ value: ForeignValue) -> String { value.kind == .null ? "null" : value.text }

    private mutating func headers(_ value: ForeignValue?) -> [Field] {
        guard let value else { return [] }
        let rows = rows(value).filter { log.isHeader($0.name, at: value.offset) }
        // The last of names that differ in their case counts.
        var names: Set<String> = []
        let last = rows.reversed().filter { names.insert($0.name.lowercased()).inserted }
        return last.reversed().map { Field($0.name, ForeignText.line($0.value)) }
    }

    // MARK: Bodies

    private mutating func setBody(_ body: ForeignValue, of request: inout SavedRequest) {
        if body.kind != .object { return setText(body, of: &request) }
        // In slumber 3, a tag is the type.
        let tag = body.members.first { $0.key.hasPrefix("!") }
        let type = body["type"]?.string ?? tag.map { String($0.key.dropFirst()) } ?? ""
        let data = tag?.value ?? body["data"]
        switch type {
        case "json": request.body = data.map { .json(JSONContent(json($0))) }
        case "form_urlencoded": request.body = .form(FormContent(data.map { rows($0) } ?? []))
        case "form_multipart": request.body = .multipart(MultipartContent(data.map { parts($0) } ?? []))
        case "stream": if let data { setText(data, of: &request) }
        default: log.loss(body.offset, type.isEmpty ? "body" : type.excerpted, "an unknown kind of body is left out")
        }
    }

    private mutating func setText(_ value: ForeignValue, of request: inout SavedRequest) {
        let text = value.text
        guard !text.isEmpty else { return }
        let type = request.sentContentType
        if let path = file(text) {
            log.notePath(of: "slumber", at: value.offset)
            request.body = .file(FileContent(TemplateText.literal(path), contentType: type))
        } else if text.contains("{_{") {
            request.body = .text(TextContent(template(text, at: value.offset), contentType: type))
            log.noteType(of: request, from: "slumber", at: value.offset)
        } else {
            request.body = ForeignBody().body(renamed(text, at: value.offset), type)
            log.noteType(of: request, from: "slumber", at: value.offset)
        }
    }

    private mutating func parts(_ value: ForeignValue) -> [MultipartPart] {
        value.members.filter { !$0.key.isEmpty }.flatMap { key, inner -> [MultipartPart] in
            let name = template(key, at: inner.offset)
            return (inner.kind == .array ? inner.elements : [inner]).map { one -> MultipartPart in
                guard let path = file(one.text) else {
                    return MultipartPart(name, .text(template(Self.text(one), at: one.offset)))
                }
                log.notePath(of: "slumber", at: one.offset)
                return MultipartPart(name, .file(TemplateText.literal(path)))
            }
        }
    }

    /// A value in which a text that is one template has the kind of what it gives.
    mutating func json(_ value: ForeignValue) -> JSONValue {
        switch value.kind {
        case .string: return json(value.text, at: value.offset)
        case .array: return .array(value.elements.map { json($0) })
        case .object:
            return .object(
                value.members.map { key, member in JSONValue.Member(template(key, at: member.offset), json(member)) })
        case .null, .true, .false, .number: return value.json
        }
    }

    // MARK: Credentials

    private mutating func authentication(_ value: ForeignValue) -> SavedAuthentication? {
        let tag = value.members.first { $0.key.hasPrefix("!") }
        let type = value["type"]?.string ?? tag.map { String($0.key.dropFirst()) } ?? ""
        let parts = tag?.value ?? value
        guard ["basic", "bearer"].contains(type) else { return log.unknownAuthentication(type, at: value.offset) }
        return SavedAuthentication(foreign: type) { part in
            let alone = part == "token" ? tag?.value.string : nil
            return template(alone ?? parts[part]?.text ?? "", at: value.offset)
        }
    }
}
