/// An operation of an OpenAPI document: a method of a path, with all that the requests to it say.
struct OpenAPIOperation {
    /// A parameter; one that is sent several times is a list.
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
    /// Nil says nothing about credentials; an empty list that there are none.
    var security: JSONValue?
    /// A sentence for each part that the document does not say.
    var losses: [String] = []
}

extension OpenAPIOperation {
    /// Adds a parameter, or a further value of one.
    mutating func add(_ parameter: Parameter) {
        guard let index = parameters.firstIndex(where: { $0.isSame(parameter) }) else {
            parameters.append(parameter)
            return
        }
        parameters[index].values += parameter.values
        parameters[index].isRequired = parameters[index].isRequired || parameter.isRequired
        if parameters[index].description.isEmpty { parameters[index].description = parameter.description }
    }

    /// Adds the parameters and the examples of a further request; what differs otherwise is that of the first.
    mutating func join(_ other: OpenAPIOperation) {
        for var parameter in other.parameters where !parameters.contains(where: { $0.isSame(parameter) }) {
            parameter.isRequired = false
            parameters.append(parameter)
        }
        content.join(other.content, of: other.name)
        for response in other.responses { add(response, of: other.name) }
    }

    /// Adds what is known of the responses with a status.
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
