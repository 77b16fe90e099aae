import OmbiDocument

/// The bodies of requests.
extension PostmanReader {
    mutating func body(_ body: ForeignValue?, of request: inout SavedRequest) {
        guard let body, let mode = body["mode"]?.string else { return }
        if body["disabled"]?.bool ?? false {
            return log.loss(body.offset, "body", "a disabled body is left out")
        }
        switch mode {
        case "raw": raw(body, of: &request)
        case "urlencoded":
            request.body = .form(FormContent(rows(body["urlencoded"])))
            request.dropContentType("application/x-www-form-urlencoded")
        case "formdata":
            request.body = .multipart(MultipartContent((body["formdata"]?.elements ?? []).flatMap { parts($0) }))
            request.dropContentType("multipart/form-data")
        case "file": file(body["file"], of: &request, at: body.offset)
        case "graphql": graphQL(body["graphql"], of: &request)
        default: log.loss(body.offset, mode.excerpted, "an unknown kind of body is left out")
        }
    }

    // MARK: Texts

    private mutating func raw(_ body: ForeignValue, of request: inout SavedRequest) {
        let text = body["raw"]?.text ?? ""
        guard !text.isEmpty else { return }
        let offset = body["raw"]?.offset ?? body.offset
        let language = body["options"]?["raw"]?["language"]?.string
        let header = request.headers.last { $0.enabled && $0.name.lowercased() == "content-type" }?.value
        let named = renamed(text, at: offset)
        if header.map({ $0.lowercased().contains("json") }) ?? (language == "json") {
            if case .json(let content) = JSONContent.parse(named).body {
                request.body = .json(JSONContent(TemplateText.escaped(foreign: content.value)))
                return request.dropContentType(JSONContent.note)
            }
            log.remark(offset, "body", "kept as text, as it is no JSON yet")
        }
        let type = header ?? language.flatMap { Self.types[$0] } ?? "text/plain"
        if let header { request.dropContentType(header) }
        request.body = .text(TextContent(TemplateText.escaped(foreign: named), contentType: type))
    }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "html": "text/html", "text": "text/plain",
        "javascript": "application/javascript",
    ]

    private mutating func graphQL(_ value: ForeignValue?, of request: inout SavedRequest) {
        guard let value else { return }
        var content = GraphQLContent(template(value["query"]?.text ?? value.string ?? "", at: value.offset))
        if let variables = value["variables"] {
            let text = renamed(variables.text, at: variables.offset)
            if case .json(let json) = JSONContent.parse(text).body, case .object = json.value {
                content.variables = TemplateText.escaped(foreign: json.value)
            } else if !text.trimmed.isEmpty {
                log.loss(variables.offset, "variables", "left out: they are no JSON object")
            }
        }
        if let name = value["operationName"], name.string?.isEmpty == false {
            content.operationName = template(name.text, at: name.offset)
        }
        request.body = .graphql(content)
        request.dropContentType(JSONContent.note)
    }

    // MARK: Rows

    private mutating func rows(_ list: ForeignValue?) -> [Field] {
        (list?.elements ?? []).compactMap { row in
            let name = template(row["key"]?.text ?? "", at: row.offset)
            guard !name.isEmpty else { return nil }
            let value = template(row["value"]?.text ?? "", at: row.offset)
            return Field(name, value, enabled: !(row["disabled"]?.bool ?? false)).described(description(of: row))
        }
    }

    /// The parts for a row: one for each of its files.
    private mutating func parts(_ row: ForeignValue) -> [MultipartPart] {
        let name = template(row["key"]?.text ?? "", at: row.offset)
        guard !name.isEmpty else { return [] }
        let isEnabled = !(row["disabled"]?.bool ?? false)
        let (text, written) = (description(of: row), row["contentType"]?.string ?? "")
        let type = written.isEmpty ? nil : template(written, at: row.offset)
        guard row["type"]?.string == "file" else {
            let value = template(row["value"]?.text ?? "", at: row.offset)
            return [MultipartPart(name, .text(value), contentType: type, enabled: isEnabled).described(text)]
        }
        let paths = paths(row["src"])
        guard !paths.isEmpty else {
            log.loss(row.offset, name.excerpted, "no file is chosen; choose one")
            return [MultipartPart(name, .text(""), contentType: type, enabled: isEnabled).described(text)]
        }
        notePaths(at: row.offset)
        return paths.map { path in
            let file = template(path, at: row.offset)
            return MultipartPart(name, .file(file), contentType: type, enabled: isEnabled).described(text)
        }
    }

    private func paths(_ value: ForeignValue?) -> [String] {
        guard let value else { return [] }
        let texts = value.kind == .array ? value.elements.map(\.text) : [value.text]
        return texts.filter { !$0.isEmpty }
    }

    private mutating func file(_ value: ForeignValue?, of request: inout SavedRequest, at offset: Int) {
        if let path = value.flatMap({ paths($0["src"] ?? ($0.string == nil ? nil : $0)).first }) {
            notePaths(at: offset)
            request.body = .file(FileContent(template(path, at: offset)))
        } else if let content = value?["content"]?.string, !content.isEmpty {
            request.body = .text(TextContent(template(content, at: offset)))
        } else {
            log.loss(offset, "body", "no file is chosen; choose one")
        }
    }

    private mutating func notePaths(at offset: Int) {
        log.remark(offset, "file", "its path is read from the folder of the collection, not from Postman's")
    }
}

/// The templates of Postman: `{{name}}`, `{{$guid}}`, `{{vault:name}}`.
extension PostmanReader {
    /// Returns a text as a template of Ombi: with the names and functions of Ombi, and with other braces escaped.
    mutating func template(_ text: String, at offset: Int) -> String {
        text.contains("{{") ? TemplateText.escaped(foreign: renamed(text, at: offset)) : text
    }

    /// Returns a text with the names and functions of Ombi, in which other braces are as they were.
    mutating func renamed(_ text: String, at offset: Int) -> String {
        TemplateText.replacing(text) { reference($0, at: offset) }
    }

    /// The template for what stands between braces; nil for what is none.
    private mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let name = inner.trimmed
        guard !name.isEmpty, !name.contains(where: { $0.isNewline || $0 == "{" || $0 == "\"" }) else { return nil }
        if name.hasPrefix("$") { return function(name, at: offset) }
        if name.hasPrefix("vault:") {
            let secret = variableName(String(name.dropFirst("vault:".count)), at: offset)
            prompts.insert(secret)
            return "{{\(secret)}}"
        }
        return "{{\(variableName(name, at: offset))}}"
    }

    /// Returns a name that templates can have.
    mutating func variableName(_ name: String, at offset: Int) -> String { log.variableName(name, at: offset) }

    // MARK: Functions

    /// The functions of Ombi, by the names of dynamic variables.
    static let functions = [
        "$guid": "$uuid", "$randomUUID": "$uuid", "$timestamp": "$timestamp", "$isoTimestamp": "$isoTimestamp",
        "$randomInt": "$randomInt(0, 1000)", "$randomAlphaNumeric": "$randomString(1)",
        "$randomPassword": "$randomString(15)",
    ]

    /// Fixed values, by the ends of the names of random ones.
    private static let samplesByEnd = [
        ("Email", "ada@example.com"), ("FirstName", "Ada"), ("LastName", "Lovelace"), ("FullName", "Ada Lovelace"),
        ("UserName", "ada"), ("Name", "Ada"), ("Boolean", "true"), ("Url", "https://example.com"),
        ("DomainName", "example.com"), ("IP", "192.0.2.1"), ("IPV6", "2001:db8::1"), ("Number", "555-0100"),
        ("Price", "9.99"), ("Country", "Norway"), ("City", "Oslo"), ("CountryCode", "NO"), ("Color", "blue"),
        ("Latitude", "59.91"), ("Longitude", "10.75"), ("DateFuture", "2030-01-01T00:00:00Z"),
        ("DatePast", "2020-01-01T00:00:00Z"), ("DateRecent", "2025-01-01T00:00:00Z"),
    ]

    /// A fixed value in place of a random one.
    static func sample(of variable: String) -> String {
        samplesByEnd.filter { variable.hasSuffix($0.0) }.max { $0.0.count < $1.0.count }?.1 ?? "sample"
    }

    private mutating func function(_ name: String, at offset: Int) -> String {
        if let function = Self.functions[name] { return "{{\(function)}}" }
        let variable = variableName(String(name.dropFirst()), at: offset)
        if !samples.contains(where: { $0.name == variable }) {
            samples.append(Field(variable, Self.sample(of: variable)))
        }
        log.loss(offset, "{{\(name)}}".excerpted, "a fixed value of the variable \(variable), in place of a random one")
        return "{{\(variable)}}"
    }
}
