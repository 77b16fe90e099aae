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
    /// Gives the JSON of a response a schema, in place of one that is inferred.
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
