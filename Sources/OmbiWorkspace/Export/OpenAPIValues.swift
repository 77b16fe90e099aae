/// The values that a document about a request may show: variables that are no secrets.
struct OpenAPIValues {
    /// In bytes. A longer value is not shown.
    private static let maximumLength = 64 << 10
    private static let maximumNesting = 32

    private var known: [String: String?] = [:]
    private let written: [String: String]

    /// - Parameters:
    ///   - folders: The folders of the request, the outermost first.
    ///   - own: The variables of the request.
    init(_ collection: Collection, _ environment: Environment?, folders: [Folder] = [], own: [Variable] = []) {
        let secrets = Set((environment?.secrets ?? []).map(\.name))
        let levels =
            [collection.variables, environment?.variables ?? []] + folders.map(\.settings.variables) + [own]
        var written: [String: String] = [:]
        for variable in levels.joined() where variable.enabled {
            // One that is not shown hides the values of the levels around it.
            written[variable.name] = variable.isPublic(besides: secrets) ? variable.value : nil
        }
        self.written = written
        for name in written.keys.sorted() { _ = fill(name, 0) }
    }

    init(_ order: RunOrder) {
        self.init(
            order.collection, order.chosenEnvironment, folders: order.folders ?? [], own: order.request.variables)
    }

    /// Fills in a variable, once; nil if it is unknown, recursive or too long.
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

    /// The text of a value; nil if it is secret, computed or captured.
    func text(_ value: ExportValue) -> String? { Self.variable(value).flatMap { known[$0] ?? nil } }

    /// The text with its values; nil if one is unknown.
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
    /// The maximum digits that every reader can represent.
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
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
        return areDigits && (whole == "0" || !whole.hasPrefix("0"))
    }

    /// Returns the schema that a sample meets, without required members, which one sample cannot establish.
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

    /// The schema that all have in common; the schema of any value if they differ.
    static func common(_ schemas: [JSONValue]) -> JSONValue {
        guard let first = schemas.first, schemas.allSatisfy({ $0 == first }) else { return [:] }
        return first
    }

    /// Returns a JSON value with its secrets replaced by their names.
    /// - Parameter name: The name of the member with the value.
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

    /// The value of a body: parsed JSON, or its text.
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

/// The security schemes of a document, made of the credentials of its requests.
struct OpenAPISecurity {
    private(set) var schemes: [JSONValue.Member] = []
    /// The schemes by the names that they were to have.
    private var described: [String: [JSONValue.Member]] = [:]
    private var names = UniqueNames(separator: "_")

    mutating func add(to operation: inout OpenAPIOperation, _ order: RunOrder, _ writer: OpenAPIOperationWriter) {
        guard let authentication = order.inheritance.authentication(of: order.request)?.value else {
            return addHeader(to: &operation, writer)
        }
        if case .oauth2(let client) = authentication { return add(client, to: &operation, writer.values) }
        switch authentication.credentials?.exported {
        case .user(_, _, .basic): operation.security = require(Self.http("basic"), "basic")
        case .user(_, _, .digest): operation.security = require(Self.http("digest"), "digest")
        case .token(let token): operation.security = require(Self.http("bearer"), Self.name(token) ?? "bearer")
        case .key(let name, let value, let location):
            guard let known = writer.values.text(ExportText(name)) else {
                return operation.losses.append("its key is left out, as its name is not known: \(name)")
            }
            let scheme: JSONValue = ["type": "apiKey", "name": .string(known), "in": .string(location.rawValue)]
            operation.security = require(scheme, Self.name(value) ?? "apiKey")
        case nil: operation.security = []
        // These are losses already.
        case .user, .issuedToken, .negotiate, .netrc, .awsProfile: break
        }
    }

    private static func http(_ scheme: String) -> JSONValue { ["type": "http", "scheme": .string(scheme)] }

    /// The variable that a value is, which the scheme is named after; nil for any other value.
    private static func name(_ value: String) -> String? {
        guard let template = (try? Template(value))?.only, case .variable(let name) = template.value else { return nil }
        return name
    }

    /// Returns the requirement of a scheme, which is described once.
    private mutating func require(_ scheme: JSONValue, _ wanted: String, scopes: [String] = []) -> JSONValue {
        let plain = OpenAPIExport.name(wanted, or: "credentials")
        var member = JSONValue.Member("", scheme)
        if let known = described[plain]?.first(where: { $0.value == scheme }) {
            member = known
        } else {
            member.key = names.take(plain)
            described[plain, default: []].append(member)
            schemes.append(member)
        }
        return [.object([JSONValue.Member(member.key, .strings(scopes))])]
    }

    private mutating func add(
        _ client: OAuth2Authentication, to operation: inout OpenAPIOperation, _ values: OpenAPIValues
    ) {
        let flows: [OAuth2Authentication.Grant: String] = [
            .clientCredentials: "clientCredentials", .password: "password", .authorizationCode: "authorizationCode",
        ]
        guard let flow = flows[client.grant] else {
            return operation.losses.append("its OAuth 2 is left out: OpenAPI 3.1 has no flow with a device code")
        }
        let isCode = client.grant == .authorizationCode
        guard let tokenURL = values.text(ExportText(client.tokenURL)),
            let authorizationURL = isCode ? values.text(ExportText(client.authorizationURL)) : "",
            let scope = values.text(ExportText(client.scope)),
            SecretDetector.find(in: tokenURL, named: "tokenURL").isEmpty,
            SecretDetector.find(in: authorizationURL, named: "authorizationURL").isEmpty
        else { return operation.losses.append("its OAuth 2 is left out, as its addresses are not known") }
        var scopes: [String] = []
        for name in scope.split(separator: " ").map(String.init) where !scopes.contains(name) { scopes.append(name) }
        let content: JSONValue = [
            "authorizationUrl": isCode ? JSONValue.string(authorizationURL) : nil, "tokenUrl": .string(tokenURL),
            "scopes": .object(scopes.map { JSONValue.Member($0, "") }),
        ]
        let scheme: JSONValue = ["type": "oauth2", "flows": .object([JSONValue.Member(flow, content)])]
        operation.security = require(scheme, "oauth2", scopes: scopes)
    }

    private mutating func addHeader(to operation: inout OpenAPIOperation, _ writer: OpenAPIOperationWriter) {
        guard let header = writer.request.headers.first(where: { $0.isNamed("authorization") }) else { return }
        switch header.value.literal.split(separator: " ").first?.lowercased() {
        case "bearer"?: operation.security = require(Self.http("bearer"), header.value.values.first?.name ?? "bearer")
        case "basic"?: operation.security = require(Self.http("basic"), "basic")
        default:
            let scheme: JSONValue = ["type": "apiKey", "name": "Authorization", "in": "header"]
            operation.security = require(scheme, header.value.values.first?.name ?? "authorization")
        }
    }
}
