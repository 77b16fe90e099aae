/// The values that a document about a request shows: those of variables that are no secrets.
struct OpenAPIValues {
    /// In bytes. A longer value is not shown.
    private static let maximumLength = 64 << 10
    private static let maximumNesting = 32

    private var known: [String: String?] = [:]
    private let written: [String: String]

    /// - Parameters:
    ///   - folders: those of the request, the outermost first.
    ///   - own: the variables of the request.
    init(_ collection: Collection, _ environment: Environment?, folders: [Folder] = [], own: [Variable] = []) {
        let secrets = Set((environment?.secrets ?? []).map(\.name))
        let levels =
            [collection.variables, environment?.variables ?? []] + folders.map(\.settings.variables) + [own]
        var written: [String: String] = [:]
        for variable in levels.joined() where variable.enabled {
            // One that is not shown hides those of the levels around it.
            written[variable.name] = variable.isPublic(besides: secrets) ? variable.value : nil
        }
        self.written = written
        for name in written.keys.sorted() { _ = fill(name, 0) }
    }

    init(_ order: RunOrder) {
        self.init(
            order.collection, order.chosenEnvironment, folders: order.folders ?? [], own: order.request.variables)
    }

    /// Fills a variable in, once; nil for one that is not known, that names itself or that is too long.
    private mutating func fill(_ name: String, _ nesting: Int) -> String? {
        if let done = known[name] { return done }
        known.updateValue(nil, forKey: name)
        guard nesting < Self.maximumNesting, let text = written[name] else { return nil }
        let parts = ExportText(text)
        for value in parts.values {
            guard let inner = Self.variable(value) else { return nil }
            _ = fill(inner, nesting + 1)
        }
        guard let filled = self.text(parts), filled.utf8.count <= Self.maximumLength else { return nil }
        known.updateValue(filled, forKey: name)
        return filled
    }

    /// The name of the variable that a value is; nil for a function and for a secret in clear.
    private static func variable(_ value: ExportValue) -> String? {
        guard case .template(let template) = value.source, case .variable(let name) = template.value else { return nil }
        return name
    }

    /// The text of a value; nil for a secret, and for one that is computed or captured.
    func text(_ value: ExportValue) -> String? { Self.variable(value).flatMap { known[$0] ?? nil } }

    /// The text with its values; nil where one is not known.
    func text(_ text: ExportText) -> String? {
        var result = ""
        for piece in text.pieces {
            switch piece {
            case .text(let text): result += text
            case .value(let value):
                guard let filled = self.text(value) else { return nil }
                result += value.encoding.apply(to: filled)
            }
            if result.utf8.count > Self.maximumLength { return nil }
        }
        return result
    }

    /// The text of a body, with the names of values that are not known in braces.
    /// - Parameter isJSON: true to write a name outside of a string as one.
    func body(_ text: ExportText, isJSON: Bool) -> String {
        text.text { value in
            if let filled = self.text(value) { return value.encoding.apply(to: filled) }
            if isJSON, value.encoding == .none { return JSONValue.quoted(value.braces) }
            return isJSON ? ExportEncoding.json.apply(to: value.braces) : value.braces
        }
    }
}

/// Examples and the schemas that are inferred from them.
enum OpenAPIExample {
    /// Levels of objects and lists that are described.
    private static let maximumDepth = 64
    /// In digits: every reader has a number of so many.
    private static let maximumDigits = 15

    /// Returns a text of a parameter as the number or the truth value that it is.
    static func typed(_ text: String) -> JSONValue {
        switch text {
        case "true": .bool(true)
        case "false": .bool(false)
        default: isNumber(text) ? .number(text) : .string(text)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        let parts = (text.hasPrefix("-") ? text.dropFirst() : text[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count < 3, text.utf8.count <= maximumDigits else { return false }
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return areDigits && (whole == "0" || !whole.hasPrefix("0"))
    }

    /// Returns the schema that a sample meets. Nothing in it is required, as one sample does not tell.
    static func schema(of value: JSONValue, depth: Int = 0) -> JSONValue {
        switch value {
        case .null: return [:]
        case .bool: return ["type": "boolean"]
        case .number(let text): return ["type": .string(text.contains(where: ".eE".contains) ? "number" : "integer")]
        case .string: return ["type": "string"]
        case .array(let elements):
            guard depth < maximumDepth else { return ["type": "array"] }
            return ["type": "array", "items": common(elements.map { schema(of: $0, depth: depth + 1) })]
        case .object(let members):
            guard depth < maximumDepth else { return ["type": "object"] }
            var properties: [JSONValue.Member] = []
            var names: Set<String> = []
            for member in members where names.insert(member.key).inserted {
                properties.append(.init(member.key, schema(of: member.value, depth: depth + 1)))
            }
            return ["type": "object", "properties": .object(properties)]
        }
    }

    /// The schema that all have; that of anything where they differ.
    static func common(_ schemas: [JSONValue]) -> JSONValue {
        guard let first = schemas.first, schemas.allSatisfy({ $0 == first }) else { return [:] }
        return first
    }

    /// Returns a JSON value with the names of secrets in place of them.
    /// - Parameter name: that of the member with the value.
    static func masked(_ value: JSONValue, named name: String = "", depth: Int = 0) -> JSONValue {
        guard depth < maximumDepth else { return .null }
        switch value {
        case .string(let text):
            return SecretDetector.find(in: text, named: name).isEmpty ? value : .string("{{\(name)}}")
        case .array(let elements): return .array(elements.map { masked($0, named: name, depth: depth + 1) })
        case .object(let members):
            return .object(
                members.map { JSONValue.Member($0.key, masked($0.value, named: $0.key, depth: depth + 1)) })
        case .null, .bool, .number: return value
        }
    }

    /// The value of a body: that of JSON, or its text.
    static func value(_ body: String, _ type: String) -> JSONValue {
        if isJSON(type), let value = try? JSONValue.parse(body) { return masked(value) }
        var text = SecretDetector.masked(body: body)
        while case let next = SecretDetector.masked(text, named: ""), next != text { text = next }
        return .string(text)
    }

    static func isJSON(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.trimmed.lowercased()
        return name == "application/json" || name.hasSuffix("+json")
    }
}
