/// An operation of an OpenAPI document: a method of a path, combined from all its requests.
struct OpenAPIOperation {
    /// A parameter; a repeated one is a list.
    struct Parameter {
        enum Place: String {
            case path, query, header, cookie
        }

        var name: String
        var place: Place
        var isRequired = true
        var description = ""
        /// Nil for a value that is not shown.
        var values: [JSONValue?]

        func isSame(_ other: Parameter) -> Bool {
            guard place == other.place else { return false }
            return name == other.name || place == .header && name.lowercased() == other.name.lowercased()
        }
    }

    /// A content type of a body.
    struct Media {
        var type: String
        var schema: JSONValue?
        var encoding: [JSONValue.Member] = []
        var examples: [(name: String, value: JSONValue)] = []
    }

    struct Response {
        /// `200`, `2XX` or `default`.
        var status: String
        var headers: [JSONValue.Member] = []
        var content: [Media] = []
    }

    /// The name of the first request.
    var name: String
    var description: String
    var tag: String
    var isDeprecated = false
    var servers: [JSONValue] = []
    var parameters: [Parameter] = []
    var content: [Media] = []
    var responses: [Response] = []
    /// Nil for unspecified credentials; an empty list for none.
    var security: JSONValue?
    /// A sentence for each part that the document omits.
    var losses: [String] = []
}

extension OpenAPIOperation {
    mutating func add(_ parameter: Parameter) {
        guard let index = parameters.firstIndex(where: { $0.isSame(parameter) }) else {
            parameters.append(parameter)
            return
        }
        parameters[index].values += parameter.values
        parameters[index].isRequired = parameters[index].isRequired || parameter.isRequired
        if parameters[index].description.isEmpty { parameters[index].description = parameter.description }
    }

    /// Adds the parameters and the examples of another request; other differences are ignored.
    mutating func join(_ other: OpenAPIOperation) {
        for var parameter in other.parameters where !parameters.contains(where: { $0.isSame(parameter) }) {
            parameter.isRequired = false
            parameters.append(parameter)
        }
        content.join(other.content, of: other.name)
        for response in other.responses { add(response, of: other.name) }
    }

    mutating func add(_ response: Response, of name: String = "") {
        guard let index = responses.firstIndex(where: { $0.status == response.status }) else {
            responses.append(response)
            return
        }
        for header in response.headers
        where !responses[index].headers.contains(where: { $0.key.lowercased() == header.key.lowercased() }) {
            responses[index].headers.append(header)
        }
        responses[index].content.join(response.content, of: name)
    }
}

extension [OpenAPIOperation.Media] {
    /// Adds the content types and the examples of others.
    /// - Parameter name: the name of an example that has none.
    fileprivate mutating func join(_ others: [OpenAPIOperation.Media], of name: String) {
        for other in others {
            guard let index = firstIndex(where: { $0.type == other.type }) else {
                append(other)
                continue
            }
            if self[index].schema == nil { self[index].schema = other.schema }
            for example in other.examples where !self[index].examples.contains(where: { $0.value == example.value }) {
                self[index].examples.append((example.name.isEmpty ? name : example.name, example.value))
            }
        }
    }
}

// MARK: JSON

extension OpenAPIOperation {
    /// - Parameter id: a name that no other operation has.
    func json(id: String) -> JSONValue {
        let known = responses.isEmpty ? [Response(status: "default")] : responses
        let tags: JSONValue? = tag.isEmpty ? nil : JSONValue.strings([tag])
        let about: JSONValue = [
            "operationId": .string(id), "summary": .string(name), "description": JSONValue.optional(description),
            "tags": tags, "deprecated": isDeprecated ? JSONValue.bool(true) : nil, "servers": Self.list(servers),
        ]
        let body: JSONValue? = content.isEmpty ? nil : ["content": .object(content.map(\.member))]
        let parts: JSONValue = [
            "parameters": Self.list(parameters.map(\.json)), "requestBody": body,
            "responses": .object(known.map { JSONValue.Member($0.status, $0.json) }), "security": security,
            "x-left-out": Self.list(losses.map(JSONValue.string)),
        ]
        return about.appending(parts)
    }

    private static func list(_ values: [JSONValue]) -> JSONValue? { values.isEmpty ? nil : JSONValue.array(values) }
}

extension OpenAPIOperation.Parameter {
    fileprivate var json: JSONValue {
        let shown = values.compactMap { $0 }
        let isKnown = shown.count == values.count
        let one: JSONValue =
            isKnown ? OpenAPIExample.common(shown.map { OpenAPIExample.schema(of: $0) }) : ["type": "string"]
        let isList = values.count > 1
        let schema: JSONValue = isList ? ["type": "array", "items": one] : one
        return [
            "name": .string(name), "in": .string(place.rawValue), "required": isRequired ? JSONValue.bool(true) : nil,
            "description": JSONValue.optional(description), "schema": schema,
            "example": isKnown ? (isList ? JSONValue.array(shown) : shown.first) : nil,
        ]
    }
}

extension OpenAPIOperation.Media {
    fileprivate var member: JSONValue.Member {
        var names = UniqueNames(separator: " ")
        let named = examples.map { example in
            JSONValue.Member(
                names.take(example.name.isEmpty ? "example" : example.name), ["value": example.value])
        }
        let isOne = examples.count == 1 && examples[0].name.isEmpty
        let value: JSONValue = [
            "schema": schema, "encoding": encoding.isEmpty ? nil : JSONValue.object(encoding),
            "example": isOne ? examples[0].value : nil,
            "examples": isOne || examples.isEmpty ? nil : JSONValue.object(named),
        ]
        return JSONValue.Member(type, value)
    }
}

extension OpenAPIOperation.Response {
    fileprivate var json: JSONValue {
        let reason = Int(status).flatMap { StatusCode.reason($0) }
        return [
            "description": .string(reason ?? (status == "default" ? "Any response" : "Status \(status)")),
            "headers": headers.isEmpty ? nil : JSONValue.object(headers),
            "content": content.isEmpty ? nil : JSONValue.object(content.map(\.member)),
        ]
    }
}

// MARK: Bodies

extension OpenAPIOperationWriter {
    mutating func addBody() {
        let type = request.contentType ?? "application/octet-stream"
        switch request.body {
        case .text(let text):
            let isJSON = OpenAPIExample.isJSON(type)
            note(text.values)
            let value = OpenAPIExample.value(values.body(text, isJSON: isJSON), type)
            operation.content = [.init(type: type, schema: OpenAPIExample.schema(of: value), examples: [("", value)])]
        case .form(let rows): addForm(rows, type)
        case .multipart(let parts): addParts(parts)
        case .file(let path):
            operation.content = [.init(type: type, schema: [:])]
            lose("the file \(path.templates) is left out")
        case nil: break
        }
    }

    /// Notes the values that only have their names in a body.
    private mutating func note(_ found: [ExportValue]) {
        for value in found where values.text(value) == nil { hide(value.name) }
    }

    private mutating func addForm(_ rows: [ExportedRequest.Row], _ type: String) {
        var fields = OpenAPIFields()
        for row in rows {
            note(row.name.values + row.value.values)
            let name = values.body(row.name, isJSON: false)
            let value = OpenAPIExample.masked(.string(values.body(row.value, isJSON: false)), named: name)
            fields.add(name, OpenAPIExample.schema(of: value), value, row.description)
        }
        operation.content = [fields.media(type)]
    }

    private mutating func addParts(_ parts: [ExportedRequest.Part]) {
        var fields = OpenAPIFields()
        for part in parts {
            note(part.name.values + (part.text?.values ?? []))
            let name = values.body(part.name, isJSON: false)
            let type = part.contentType.map { values.body($0, isJSON: false) }
            if let file = part.file {
                fields.add(
                    name, ["type": "string", "contentMediaType": .string(type ?? "application/octet-stream")], nil,
                    part.description)
                lose("the file \(file.templates) is left out")
            } else {
                let text = values.body(part.text ?? ExportText(), isJSON: false)
                let value = OpenAPIExample.masked(.string(text), named: name)
                fields.add(name, OpenAPIExample.schema(of: value), value, part.description)
            }
            if let type { fields.encode(name, type) }
        }
        operation.content = [fields.media("multipart/form-data")]
    }
}

/// The fields of a form, as the properties of an object.
private struct OpenAPIFields {
    private var properties: [JSONValue.Member] = []
    private var examples: [JSONValue.Member] = []
    private var encoding: [JSONValue.Member] = []

    /// Adds a field, or a further value of one, which is a list then.
    mutating func add(_ name: String, _ schema: JSONValue, _ example: JSONValue?, _ description: String) {
        let note: JSONValue = description.isEmpty ? [:] : ["description": .string(description)]
        if let index = properties.firstIndex(where: { $0.key == name }) {
            if properties[index].value["type"] != "array" {
                properties[index].value = note.appending(["type": "array", "items": schema])
            }
        } else {
            properties.append(JSONValue.Member(name, schema.appending(note)))
        }
        guard let example else { return }
        guard let index = examples.firstIndex(where: { $0.key == name }) else {
            examples.append(JSONValue.Member(name, example))
            return
        }
        examples[index].value = .array((examples[index].value.elements ?? [examples[index].value]) + [example])
    }

    mutating func encode(_ name: String, _ type: String) {
        guard !encoding.contains(where: { $0.key == name }) else { return }
        encoding.append(JSONValue.Member(name, ["contentType": .string(type)]))
    }

    func media(_ type: String) -> OpenAPIOperation.Media {
        .init(
            type: type, schema: ["type": "object", "properties": .object(properties)], encoding: encoding,
            examples: examples.isEmpty ? [] : [("", JSONValue.object(examples))])
    }
}

// MARK: Responses

extension OpenAPIOperationWriter {
    mutating func addResponses() {
        let expect = order.request.expect
        for pattern in expect?.status ?? [] {
            operation.add(OpenAPIOperation.Response(status: pattern.description.uppercased()))
        }
        for example in request.examples { add(example) }
        switch expect?.schema {
        case .inline(let schema): add(schema, expect?.status ?? [])
        case .file(let path): lose("the schema in \(path) is left out")
        case nil: break
        }
    }

    private mutating func add(_ example: SavedExample) {
        var response = OpenAPIOperation.Response(status: "\(example.status)")
        for header in example.headers
        where header.enabled && !header.name.isEmpty && header.name.lowercased() != "content-type" {
            let isShown = header.secretName == nil && SecretDetector.find(in: header.value, named: header.name).isEmpty
            let value = OpenAPIExample.typed(header.value)
            let content: JSONValue = [
                "schema": OpenAPIExample.schema(of: isShown ? value : .string("")), "example": isShown ? value : nil,
            ]
            let isKnown = response.headers.contains { $0.key.lowercased() == header.name.lowercased() }
            if !isKnown { response.headers.append(JSONValue.Member(header.name, content)) }
        }
        let type = example.contentType
        if example.file != nil {
            lose("the body of the example \(example.name) is left out: it is in a file")
            if !type.isEmpty { response.content = [.init(type: type)] }
        } else if !type.isEmpty || !example.body.isEmpty {
            let value = OpenAPIExample.value(example.body, type)
            response.content = [
                .init(
                    type: type.isEmpty ? "text/plain" : type, schema: OpenAPIExample.schema(of: value),
                    examples: [(example.name, value)])
            ]
        }
        operation.add(response, of: example.name)
    }

    /// Adds the expected schema to the first response of a success.
    private mutating func add(_ schema: JSONValue, _ statuses: [StatusPattern]) {
        let success = statuses.first { $0.codes.lowerBound / 100 == 2 } ?? statuses.first ?? .hundreds(2)
        operation.expect(schema, success.description.uppercased())
    }
}

extension OpenAPIOperation {
    /// Sets the schema of a JSON response, replacing an inferred one.
    fileprivate mutating func expect(_ schema: JSONValue, _ status: String) {
        add(Response(status: status))
        guard let index = responses.firstIndex(where: { $0.status == status }) else { return }
        if let media = responses[index].content.firstIndex(where: { OpenAPIExample.isJSON($0.type) }) {
            responses[index].content[media].schema = schema
        } else {
            responses[index].content.append(Media(type: "application/json", schema: schema))
        }
    }
}
