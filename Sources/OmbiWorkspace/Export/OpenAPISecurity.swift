/// The security schemes of a document, made of the credentials of its requests.
struct OpenAPISecurity {
    private(set) var schemes: [JSONValue.Member] = []
    /// The schemes by the names that they were to have.
    private var described: [String: [JSONValue.Member]] = [:]
    private var names = UniqueNames(separator: "_")

    /// Says which credentials an operation takes.
    mutating func add(to operation: inout OpenAPIOperation, _ order: RunOrder, _ writer: OpenAPIOperationWriter) {
        switch order.inheritance.authentication(of: order.request)?.value {
        case .basic: operation.security = require(Self.http("basic"), "basic")
        case .digest: operation.security = require(Self.http("digest"), "digest")
        case .bearer(let bearer): operation.security = require(Self.http("bearer"), Self.name(bearer.token) ?? "bearer")
        case .apiKey(let key):
            guard let name = writer.values.text(ExportText(key.name)) else {
                return operation.losses.append("its key is left out, as its name is not known: \(key.name)")
            }
            let scheme: JSONValue = [
                "type": "apiKey", "name": .string(name), "in": .string(key.location.rawValue),
            ]
            operation.security = require(scheme, Self.name(key.value) ?? "apiKey")
        case .oauth2(let client): add(client, to: &operation, writer.values)
        case .noAuthentication: operation.security = []
        // These are losses already.
        case .aws, .ntlm, .negotiate, .netrc: break
        case nil: addHeader(to: &operation, writer)
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

    /// Takes the credentials of a header.
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
