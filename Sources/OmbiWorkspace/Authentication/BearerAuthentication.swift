/// A token (RFC 6750), usually the template of a secret.
package struct BearerAuthentication: Sendable, Equatable {
    package var token = ""
}

extension BearerAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.bearer
    static let note = "a token"
    static let form = "{ \"bearer\": \"…\" }"
    static var schema: JSONValue { Schema.text("A token, usually {{name}} of a secret.") }
    static let descriptors = [
        FieldDescriptor(
            "token", \BearerAuthentication.token, isSecret: true, example: "{{token}}", need: { _ in .required })
    ]

    init?(reading object: ObjectReader) { self.init(token: object.requiredString("bearer")) }

    var json: JSONValue { .string(token) }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        .plain(.token(type: .bearer, value: try fill(token, "authentication bearer")))
    }

    var authentication: SavedAuthentication { .bearer(self) }

    var exported: ExportedCredentials { .token(token) }
}

/// A key under a name that the API defines, in a header, in the query or in a cookie.
package struct APIKeyAuthentication: Sendable, Equatable {
    package enum Location: String, Sendable, CaseIterable {
        case header, query, cookie
    }

    package var name = "X-API-Key"
    package var value = ""
    package var location = Location.header
    package var unknown = UnknownMembers()
}

extension APIKeyAuthentication: ObjectCredentials {
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
    static let members = Members<APIKeyAuthentication>([
        .name("name", nil, isRequired: true, { $0.name = $1 }, { $0.name }),
        .text(
            "value", Schema.text("The key, usually {{name}} of a secret."), isRequired: true, { $0.value = $1 },
            { $0.value }),
        Member(
            "in", ["enum": .strings(Location.allCases.map(\.rawValue)), "default": "header"],
            read: { $0.location = $1.choice($2, of: Location.self) ?? .header },
            write: { $0.location == .header ? nil : .string($0.location.rawValue) }),
    ])
    static var schema: JSONValue { members.schema("A key under the name that the API defines.") }

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
