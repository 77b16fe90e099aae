import OmbiCore
import OmbiDocument

/// A token (RFC 6750), usually the template of a secret.
public struct BearerAuthentication: Sendable, Equatable {
    public var token: String

    public init(token: String) { self.token = token }
}

extension BearerAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.bearer
    static let note = "a token"
    static let form = "{ \"bearer\": \"…\" }"
    static let descriptors = [
        FieldDescriptor(
            "token", \BearerAuthentication.token, isSecret: true, example: "{{token}}", need: { _ in .required })
    ]

    init() { self.init(token: "") }

    init?(reading object: ObjectReader) { self.init(token: object.requiredString("bearer")) }

    var json: JSONValue { .string(token) }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        .plain(.token(type: .bearer, value: try fill(token, "authentication bearer")))
    }

    var authentication: SavedAuthentication { .bearer(self) }

    var exported: ExportedCredentials { .token(token) }
}

/// A key under a name that the API defines, in a header, in the query or in a cookie.
public struct APIKeyAuthentication: Sendable, Equatable {
    public enum Location: String, Sendable, CaseIterable {
        case header, query, cookie
    }

    public var name: String
    public var value: String
    public var location: Location
    public var unknown = UnknownMembers()

    public init(name: String, value: String, location: Location = .header) {
        self.name = name
        self.value = value
        self.location = location
    }
}

extension APIKeyAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.apiKey
    static let note = "a key in a header, in the query or in a cookie"
    static let form = "{ \"apiKey\": { \"name\": …, \"value\": … } }"
    static let descriptors: [FieldDescriptor<APIKeyAuthentication>] = [
        FieldDescriptor("name", \.name, example: "X-API-Key", need: { _ in .required }),
        FieldDescriptor(
            "value", \.value, isSecret: true, example: "{{apiKey}}", need: { _ in .required }),
        FieldDescriptor(
            "in", choices: Location.allCases.map { FieldChoice($0.rawValue) }
        ) {
            $0.location.rawValue
        } write: {
            $0.location = Location(rawValue: $1) ?? .header
        },
    ]
    private static let keys = ["name", "value", "in"]

    init() { self.init(name: "X-API-Key", value: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object("apiKey") else { return nil }
        self.init(
            name: inner.name("name"), value: inner.requiredString("value"),
            location: inner.choice("in", of: Location.self) ?? .header)
        unknown = inner.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        writer.add("value", text: value)
        writer.add("in", text: location == .header ? nil : location.rawValue)
        return writer.object(unknown)
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        .plain(
            .apiKey(
                name: try fill(name, "authentication name"), value: try fill(value, "authentication value"),
                location: location.place))
    }

    var authentication: SavedAuthentication { .apiKey(self) }

    var exported: ExportedCredentials { .key(name: name, value: value, location) }
}

extension APIKeyAuthentication.Location {
    fileprivate var place: RequestAuthentication.APIKeyLocation {
        switch self {
        case .header: .header
        case .query: .query
        case .cookie: .cookie
        }
    }
}
