extension OpenAPIReader {
    /// A media type of a body with its example and its schema.
    struct Media {
        let type: String
        let value: ForeignValue

        /// `application/json` for `Application/JSON; charset=utf-8`
        var name: String { ForeignBody.kind(of: type) }
        var isJSON: Bool { Self.isJSON(type) }

        static func isJSON(_ type: String) -> Bool {
            let name = ForeignBody.kind(of: type)
            return ["*/*", "application/*", "application/json"].contains(name) || name.hasSuffix("+json")
        }

        /// True for a JSON text in each line.
        var isLines: Bool { ["application/jsonl", "application/x-ndjson", "application/ndjson"].contains(name) }

        /// True for one whose example may be a text, though it is none that is made.
        var isText: Bool {
            rank == 2 || rank == 6 && name.hasPrefix("application/") && name != "application/octet-stream"
        }

        /// The lowest is taken.
        var rank: Int {
            if isJSON { return name.hasSuffix("+json") ? 1 : 0 }
            switch name {
            case OpenAPIReader.form: return 2
            case "multipart/form-data": return 3
            default: return name.hasSuffix("xml") ? 4 : isLines || name.hasPrefix("text/") ? 5 : 6
            }
        }
    }

    mutating func body(
        of operation: ForeignValue, _ parameters: [OpenAPIParameter], in request: inout SavedRequest
    ) {
        if version == .two { return formerBody(of: operation, parameters, in: &request) }
        guard let written = operation["requestBody"], let body = resolved(written) else { return }
        let all = content(of: body)
        let sorted = all.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }
        guard let media = sorted.first?.element else { return }
        if all.count > 1 { log.loss(body.offset, "requestBody", "the other content types are left out") }
        let schema = (media.value["schema"] ?? media.value["itemSchema"])?.json ?? .object([])
        let example = example(of: media.value).map { schemas.fitting($0, schema) }
        let sample = example ?? self.sample(schema, at: body.offset)
        if sample == nil { log.loss(body.offset, "requestBody", "no finite sample; write the body") }
        let text = example?.stringValue ?? ""
        // Written as it is sent, and not as the object that it means.
        if !text.isEmpty, media.isText, !schemas.isFile(schema) {
            let type = media.name == Self.form ? media.name : ForeignText.line(media.type)
            request.body = .text(TextContent(Self.literal(text), contentType: Self.literal(type)))
            return
        }
        note(sample, of: schema, "requestBody", at: body.offset)
        set(sample ?? .object([]), schema, media, of: &request, at: body.offset)
    }

    /// The content types of a body or a response, of which each may refer to a part of the document.
    mutating func content(of value: ForeignValue) -> [Media] {
        (value["content"]?.members ?? []).compactMap { type, media in
            resolved(media).map { Media(type: type, value: $0) }
        }
    }

    /// Returns a value that meets a schema, and notes a text of it that may not.
    mutating func sample(_ schema: JSONValue, at offset: Int) -> JSONValue? {
        let sample = schemas.sample(schema)
        if schemas.isUnmet { log.loss(offset, "pattern", "no text of it is made; write the value") }
        return sample
    }

    /// Notes a value that does not meet its schema, as an example of the document may not. It takes time, so a document
    /// that is opened as it is goes without.
    /// - Parameter others: the same in other types.
    mutating func note(
        _ value: JSONValue?, or others: [JSONValue] = [], of schema: JSONValue, _ subject: String, at offset: Int
    ) {
        guard let value, !isOpened, !isLiving else { return }
        let rule = requestSchemas.converted(schema)
        let time = schemas.comparing ?? EvaluationTime()
        guard let difference = rule.difference(of: value, within: time),
            others.allSatisfy({ rule.difference(of: $0, within: time) != nil })
        else { return }
        log.loss(offset, subject, "its sample differs from the schema \(difference)")
    }

    private mutating func set(
        _ sample: JSONValue, _ schema: JSONValue, _ media: Media, of request: inout SavedRequest, at offset: Int
    ) {
        if media.isJSON {
            request.body = .json(JSONContent(Self.literal(sample)))
            // A parameter may be the version of an API.
            if media.name.hasSuffix("+json") || media.type.contains(";") && !media.name.contains("*") {
                request.headers.append(Field("Content-Type", Self.literal(ForeignText.line(media.type))))
            }
            return
        }
        switch media.name {
        case Self.form: request.body = .form(FormContent(fields(sample, schema, media.value["encoding"])))
        case "multipart/form-data":
            request.body = .multipart(MultipartContent(parts(sample, schema, media.value["encoding"])))
            noteFiles(of: request, at: offset)
        default:
            let type = Self.literal(ForeignText.line(media.type))
            if media.isLines {
                let lines = (sample.elements ?? [sample]).map { $0.stringValue ?? $0.compact }
                request.body = .text(TextContent(Self.literal(lines.joined(separator: "\n")), contentType: type))
            } else if media.rank == 6 {
                request.body = .file(FileContent("upload", contentType: type.contains("*") ? nil : type))
                noteFiles(of: request, at: offset)
            } else {
                let isXML = media.name.hasSuffix("xml")
                let text = sample.stringValue ?? (isXML ? schemas.xml(sample, of: schema) : nil)
                let own = type.contains("*") ? "text/plain" : type
                request.body = .text(TextContent(Self.literal(text ?? ""), contentType: own))
                if text == nil { log.loss(offset, type.excerpted, "no sample of this type is made; write the body") }
            }
        }
    }

    private mutating func noteFiles(of request: SavedRequest, at offset: Int) {
        let isFile =
            switch request.body {
            case .file?: true
            case .multipart(let content)?: content.parts.contains { if case .file = $0.content { true } else { false } }
            default: false
            }
        if isFile { log.loss(offset, "upload", "name the file that is sent, beside the collection") }
    }

    // MARK: Forms

    /// The rows of each member, by its encoding; without one, each element of a list has a row.
    mutating func fields(_ sample: JSONValue, _ schema: JSONValue, _ encoding: ForeignValue?) -> [Field] {
        let properties = schemas.properties(of: schema)
        return (sample.members ?? []).filter { !$0.key.isEmpty }.flatMap { member in
            let description = Self.description(of: member.key, in: properties)
            let encoding = encoding?[member.key]
            let isList = encoding?["contentType"]?.string.map { !Media.isJSON($0) } ?? true
            let values = isList ? member.value.elements ?? [member.value] : [member.value]
            let rows = ParameterStyle(encoding: encoding)?.rows(member.key, member.value)
            return (rows ?? values.map { (name: member.key, value: Self.text($0)) }).map {
                Field(Self.literal($0.name), Self.literal($0.value)).described(description)
            }
        }
    }

    /// The description of a property; empty for none.
    private static func description(of name: String, in properties: [JSONValue.Member]) -> String {
        properties.first { $0.key == name }?.value["description"]?.stringValue?.trimmed ?? ""
    }

    /// The files of one list.
    private static let maximumFiles = 20

    private mutating func parts(
        _ sample: JSONValue, _ schema: JSONValue, _ encoding: ForeignValue?
    ) -> [MultipartPart] {
        let properties = schemas.properties(of: schema)
        var members = sample.members ?? []
        // Files are of use though they are optional.
        for property in properties where schemas.isFile(property.value) {
            if !members.contains(where: { $0.key == property.key }) {
                members.append(JSONValue.Member(property.key, .string("")))
            }
        }
        return members.filter { !$0.key.isEmpty }.flatMap { member -> [MultipartPart] in
            let name = Self.literal(member.key)
            if let headers = encoding?[member.key]?["headers"] {
                log.loss(headers.offset, "headers", "left out: a part has a content type alone")
            }
            let property = properties.first { $0.key == member.key }?.value
            let description = Self.description(of: member.key, in: properties)
            let type = encoding?[member.key]?["contentType"]?.string.map { Self.literal(ForeignText.line($0)) }
            if let property, schemas.isFile(property) {
                let isOne = type.map { !$0.contains("*") && !$0.contains(",") } ?? false
                let part = MultipartPart(name, .file("upload"), contentType: isOne ? type : nil)
                let count = min(max(1, member.value.elements?.count ?? 1), Self.maximumFiles)
                return Array(repeating: part.described(description), count: count)
            }
            return Self.partTexts(of: member.value, type).map { text, isJSON in
                MultipartPart(name, .text(Self.literal(text)), contentType: type ?? (isJSON ? "application/json" : nil))
                    .described(description)
            }
        }
    }

    /// The parts of a value: objects are JSON, and so are lists of them; other lists have a part for each element.
    private static func partTexts(of value: JSONValue, _ type: String?) -> [(text: String, isJSON: Bool)] {
        let isScalar = { (value: JSONValue) in
            switch value {
            case .null, .bool, .number, .string: true
            case .array, .object: false
            }
        }
        if isScalar(value) { return [(text: text(value), isJSON: false)] }
        let isJSON = type.map(Media.isJSON) ?? false
        if !isJSON, let elements = value.elements, !elements.isEmpty, elements.allSatisfy(isScalar) {
            return elements.map { (text: text($0), isJSON: false) }
        }
        return [(text: value.compact, isJSON: true)]
    }

    // MARK: Swagger 2.0

    private mutating func formerBody(
        of operation: ForeignValue, _ parameters: [OpenAPIParameter], in request: inout SavedRequest
    ) {
        let consumed = (operation["consumes"] ?? root["consumes"])?.elements.compactMap(\.string) ?? []
        if let parameter = parameters.first(where: { $0.location == "body" }) {
            let all = consumed.map { Media(type: $0, value: parameter.value) }
            let media = all.min { $0.rank < $1.rank } ?? Media(type: "application/json", value: parameter.value)
            let sample = self.sample(parameter.schema, at: parameter.value.offset)
            if sample == nil { log.loss(parameter.value.offset, "body", "no finite sample; write the body") }
            note(sample, of: parameter.schema, "body", at: parameter.value.offset)
            set(sample ?? .object([]), parameter.schema, media, of: &request, at: parameter.value.offset)
            return
        }
        let rows = parameters.filter { $0.location == "formData" }
        guard !rows.isEmpty else { return }
        let isMultipart =
            rows.contains { $0.value["type"]?.string == "file" }
            || consumed.contains { $0.lowercased().hasPrefix("multipart/form-data") }
        let parts = rows.flatMap { row -> [MultipartPart] in
            let isFile = row.value["type"]?.string == "file"
            return (isFile ? [(name: row.name, value: "")] : texts(row)).map { name, text in
                let content: MultipartPart.Content = isFile ? .file("upload") : .text(Self.literal(text))
                return MultipartPart(Self.literal(name), content, enabled: row.isRequired).described(row.description)
            }
        }
        let multipart = SavedBody.multipart(MultipartContent(parts))
        request.body = isMultipart ? multipart : multipart.converted(to: .form)
        noteFiles(of: request, at: rows[0].value.offset)
    }

    // MARK: Responses

    /// All responses that are documented, with the schemas of their JSON.
    mutating func documented(_ place: Place) -> [DocumentedResponse] {
        (place.operation["responses"]?.members ?? []).compactMap { status, value in
            let pattern = StatusPattern(status)
            guard pattern != nil || status == "default", let response = resolved(value) else { return nil }
            let line = ForeignText.line(response["description"]?.string ?? "").trimmed.excerpt(200)
            return DocumentedResponse(status: pattern, bodies: bodies(of: response, place), description: line)
        }
    }

    /// The content types of a response; in 2.0 those that the operation produces, where the response has a body.
    private mutating func contentTypes(of response: ForeignValue, _ place: Place) -> [Media] {
        guard version == .two else { return content(of: response) }
        let produced = (place.operation["produces"] ?? root["produces"])?.elements.compactMap(\.string) ?? []
        let names = response["schema"] == nil ? [] : produced.isEmpty ? [""] : produced
        return names.map { Media(type: $0, value: response) }
    }

    /// Asks for JSON where a success may have other content types.
    mutating func accept(in request: inout SavedRequest, _ place: Place) {
        for (status, value) in place.operation["responses"]?.members ?? [] {
            guard let pattern = StatusPattern(status), pattern.codes.lowerBound / 100 == 2,
                let response = resolved(value)
            else { continue }
            let types = contentTypes(of: response, place)
            guard types.count > 1, let json = types.first(where: { $0.isJSON && !$0.name.contains("*") }) else {
                continue
            }
            request.headers.append(Field("Accept", Self.literal(ForeignText.line(json.name))))
            return
        }
    }

    private mutating func bodies(of response: ForeignValue, _ place: Place) -> [DocumentedBody] {
        let hasBody = place.method.lowercased() != "head"
        return contentTypes(of: response, place).map { media in
            let isJSON = media.isJSON || media.type.isEmpty
            let schema = hasBody && isJSON ? media.value["schema"]?.json : nil
            var body = DocumentedBody(
                contentType: ForeignText.line(media.type), schema: schema, of: responseSchemas)
            body.isSampled = isOpened && schema != nil && !Self.hasExamples(media)
            return body
        }
    }

    /// The documented statuses of success, and the schema of the one response that has them.
    mutating func expectations(_ responses: ForeignValue?, of request: inout SavedRequest) {
        var patterns: [StatusPattern] = []
        var bodies: [(response: ForeignValue, schema: ForeignValue?)] = []
        for (status, value) in responses?.members ?? [] {
            guard let pattern = StatusPattern(status), pattern.codes.lowerBound / 100 == 2 else { continue }
            patterns.append(pattern)
            guard let response = resolved(value) else { continue }
            let content = content(of: response)
            let media = content.first { $0.isJSON }
            // Of several types, another one may be sent.
            let isOnly = content.count == 1 || version == .two
            bodies.append((response, isOnly ? (version == .two ? response["schema"] : media?.value["schema"]) : nil))
        }
        guard !patterns.isEmpty else { return }
        var expect = Expectation(status: patterns)
        let isJudged = isLiving || isOpened
        if !isJudged, request.method != .head, let schema = bodies.compactMap({ $0.schema }).first {
            if bodies.count > 1 {
                log.loss(schema.offset, "schema", "not expected, as several statuses are documented as success")
            } else {
                schemas.unreadPatterns = []
                let converted = schemas.converted(schema.json)
                for pattern in schemas.unreadPatterns where converted.value != nil {
                    log.loss(schema.offset, pattern.excerpted, "not expected, as patterns of this kind are not read")
                }
                expect.schema = converted.value.map { SavedSchema.inline($0) }
                if converted == .refused {
                    log.loss(schema.offset, "schema", "not expected, as it is too large or no JSON Schema")
                }
            }
        }
        request.expect = expect
    }
}
