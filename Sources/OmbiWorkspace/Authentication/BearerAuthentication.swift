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
