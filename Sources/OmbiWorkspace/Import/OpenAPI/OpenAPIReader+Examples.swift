/// The responses that a document shows: they become the saved examples of a request.
extension OpenAPIReader {
    /// Of one request.
    private static let maximumExamples = 10
    /// In bytes of a body.
    private static let maximumExampleSize = 64 << 10
    /// The cost of a content type or of a header, besides its text.
    private static let mediaEffort = 256

    /// The examples of an operation in the order of the document. A content type of JSON without one has that of its
    /// schema.
    mutating func examples(of place: Place) -> [SavedExample] {
        guard place.method.lowercased() != "head" else { return [] }
        var found: [SavedExample] = []
        for (status, value) in place.operation["responses"]?.members ?? [] where !status.hasPrefix("x-") {
            guard exampleEffort > 0, let response = resolved(value) else { continue }
            let contents = contents(of: response, in: place)
            spend(contents.count * Self.mediaEffort, in: response)
            if let pattern = StatusPattern(status) {
                for media in contents {
                    found += examples(of: media, in: response, status: pattern.codes.lowerBound)
                }
            } else if contents.contains(where: { Self.hasExamples($0) }) {
                log.loss(response.offset, status.excerpted, "its examples are left out, as they have no status")
            }
        }
        if found.count > Self.maximumExamples {
            let count = found.count - Self.maximumExamples
            log.loss(place.operation.offset, "examples", "\(count) are left out; a request has \(Self.maximumExamples)")
        }
        return Array(found.prefix(Self.maximumExamples))
    }

    static func hasExamples(_ media: Media) -> Bool {
        media.value["example"] != nil || media.value["examples"] != nil
    }

    /// The content types of a response, in 2.0 the one that its schema is for; those of its examples have their names.
    private mutating func contents(of response: ForeignValue, in place: Place) -> [Media] {
        guard version == .two else { return content(of: response) }
        let produced = (place.operation["produces"] ?? root["produces"])?.elements.compactMap(\.string) ?? []
        let types = produced.map { Media(type: $0, value: response) }
        return [types.first { $0.isJSON } ?? types.first ?? Media(type: "application/json", value: response)]
    }

    private mutating func examples(
        of media: Media, in response: ForeignValue, status: Int
    ) -> [SavedExample] {
        let title = response["description"]?.string?.excerpt(60) ?? ""
        var found: [SavedExample] = []
        let bodies = bodies(of: media)
        // Many may refer to one large body: it is made for one after the other.
        for (name, type, value) in bodies where exampleEffort > 0 {
            let body = Self.body(value.json, of: type)
            let name = name.isEmpty ? title : name
            if let made = example(name, body, type, in: response, status: status) { found.append(made) }
        }
        // A document that is opened as it is has thousands, and few of them are looked at.
        guard bodies.isEmpty, media.isJSON, !isOpened, let schema = media.value["schema"] else { return found }
        let sample = schemas.responseSample(schema.json)
        guard let value = sample.value,
            let made = example("From the schema", Self.body(value, of: media), media, in: response, status: status)
        else { return found }
        if let difference = sample.difference {
            log.loss(schema.offset, "examples", "the one of the schema differs from it \(difference)")
        }
        return [made]
    }

    private mutating func example(
        _ name: String, _ body: String, _ type: Media, in response: ForeignValue, status: Int
    ) -> SavedExample? {
        let headers = headers(of: response, type)
        spend(headers.reduce(body.utf8.count) { $0 + $1.value.utf8.count + Self.mediaEffort }, in: response)
        guard body.utf8.count <= Self.maximumExampleSize else {
            log.loss(response.offset, "examples", "left out: one is longer than 64 KiB")
            return nil
        }
        return SavedExample(foreign: name, status: status, headers: headers, body: body)
    }

    /// Notes once that further examples are left out.
    private mutating func spend(_ count: Int, in response: ForeignValue) {
        guard exampleEffort > 0 else { return }
        exampleEffort -= count
        if exampleEffort <= 0 { log.loss(response.offset, "examples", "further ones are left out: they are too many") }
    }

    /// The bodies of a content type with their names, empty for none.
    private mutating func bodies(of media: Media) -> [(name: String, type: Media, value: ForeignValue)] {
        if let example = media.value["example"] { return [("", media, example)] }
        var found: [(name: String, type: Media, value: ForeignValue)] = []
        for (key, entry) in media.value["examples"]?.members ?? [] {
            if version == .two {
                found.append(("", Media(type: key, value: media.value), entry))
            } else if let entry = resolved(entry), let value = shownValue(of: entry) {
                found.append((entry["summary"]?.string?.excerpt(60) ?? key, media, value))
            }
        }
        return found
    }

    /// JSON is often written as a text.
    private static func body(_ value: JSONValue, of media: Media) -> String {
        guard let text = value.stringValue else { return value.compact }
        let start = text.first { !$0.isWhitespace }
        return !media.isJSON || start == "{" || start == "[" ? text : value.compact
    }

    /// The content type, and the headers whose values the document shows.
    private mutating func headers(of response: ForeignValue, _ media: Media) -> [Field] {
        let type = media.name.contains("*") ? (media.isJSON ? "application/json" : "") : media.type
        var headers = type.isEmpty ? [] : [Field("Content-Type", type)]
        for (name, value) in response["headers"]?.members ?? [] where name.lowercased() != "content-type" {
            guard let header = resolved(value) else { continue }
            let schema = header["schema"] ?? header
            guard let shown = example(of: header) ?? schema["example"]?.json ?? schema["default"]?.json else {
                continue
            }
            headers.append(Field(name, Self.text(shown)))
        }
        return headers
    }
}

extension SavedRequest {
    /// The examples that are saved with it, and those that a document has schemas for.
    package var shownExamples: [SavedExample] {
        let saved = examples ?? []
        return saved + documentedResponses.lazy.flatMap(\.samples).prefix(max(0, Self.maximumExamples - saved.count))
    }

    private static let maximumExamples = 10
}

extension DocumentedResponse {
    /// The responses of which the document has a schema and no example.
    fileprivate var samples: [SavedExample] {
        guard let status else { return [] }
        return bodies.compactMap { body in
            guard let sample = body.sample else { return nil }
            let type =
                body.contentType.contains("*") || body.contentType.isEmpty ? "application/json" : body.contentType
            return SavedExample(
                foreign: "From the schema", status: status.codes.lowerBound, headers: [Field("Content-Type", type)],
                body: sample.compact)
        }
    }
}

/// Samples as XML, with the names, attributes, lists and namespaces of their schemas (OpenAPI, "XML Object").
extension OpenAPISchemas {
    /// Elements in each other.
    private static let maximumElementLevels = 20

    /// Returns nil for a schema that does not say what its element is called.
    mutating func xml(_ sample: JSONValue, of schema: JSONValue) -> String? {
        spent = 0
        let name = keywords(of: schema, inside: [])?["xml"]?["name"]?.stringValue
        guard let root = name ?? schema["$ref"]?.stringValue.map({ OpenAPISchemas.name(of: $0) }) else { return nil }
        return elements(sample, schema, root, level: 0).joined(separator: "\n")
    }

    /// The lines of the elements of a value: a list has several.
    /// - Parameter outer: the name where the schema has none.
    private mutating func elements(
        _ value: JSONValue, _ schema: JSONValue, _ outer: String, level: Int
    ) -> [String] {
        guard level < Self.maximumElementLevels else { return [] }
        let found = keywords(of: schema, inside: []) ?? Keywords()
        let xml = found["xml"]
        if let values = value.elements {
            let items = found["items"] ?? .object([])
            guard level == 0 || xml?["wrapped"] == .bool(true) else {
                return values.flatMap { elements($0, items, outer, level: level + 1) }
            }
            let name = xml?["name"]?.stringValue ?? outer
            return Self.element(xml, outer, values.flatMap { elements($0, items, name, level: level + 1) })
        }
        guard case .object(let members) = value else {
            return Self.element(xml, outer, text: OpenAPIReader.text(value))
        }
        var (attributes, content) = ("", [String]())
        for member in members {
            let property = found["properties"]?[member.key] ?? .object([])
            let inner = keywords(of: property, inside: [])?["xml"]
            if inner?["attribute"] == .bool(true) {
                let text = Self.escaped(OpenAPIReader.text(member.value))
                attributes += " \(Self.name(inner, member.key))=\"\(text)\""
            } else {
                content += elements(member.value, property, member.key, level: level + 1)
            }
        }
        return Self.element(xml, outer, attributes: attributes, content)
    }

    /// The lines of an element with those in it, or with a text.
    private static func element(
        _ xml: JSONValue?, _ outer: String, attributes: String = "", text: String = "", _ content: [String] = []
    ) -> [String] {
        let name = name(xml, outer)
        var start = "<" + name + attributes
        if let namespace = xml?["namespace"]?.stringValue {
            let prefix = xml?["prefix"]?.stringValue.map { ":" + word($0) } ?? ""
            start += " xmlns\(prefix)=\"\(escaped(namespace))\""
        }
        if content.isEmpty { return [text.isEmpty ? start + "/>" : "\(start)>\(escaped(text))</\(name)>"] }
        return [start + ">"] + content.map { "  " + $0 } + ["</\(name)>"]
    }

    private static func name(_ xml: JSONValue?, _ outer: String) -> String {
        let prefix = xml?["prefix"]?.stringValue.map { word($0) + ":" } ?? ""
        return prefix + word(xml?["name"]?.stringValue ?? outer)
    }

    /// A name of XML; other characters become `_`.
    private static func word(_ text: String) -> String {
        let word = String(text.map { $0.isLetter || $0.isNumber || "_-.".contains($0) ? $0 : "_" })
        return word.first.map { $0.isLetter || $0 == "_" } ?? false ? word : "_" + word
    }

    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return plain.replacing("\"", with: "&quot;")
    }
}
