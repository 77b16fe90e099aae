import OmbiCore
import OmbiDocument

/// An access key of AWS, which signs each attempt (Signature Version 4).
public struct AWSAuthentication: Sendable, Equatable {
    public var accessKeyID: String
    public var secretAccessKey: String
    /// The token of temporary keys; empty for others.
    public var sessionToken: String
    public var region: String
    /// The signing name of the service: `s3`, `execute-api`.
    public var service: String
    public var unknown = UnknownMembers()

    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String = "", region: String, service: String
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
    }
}

extension AWSAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.aws
    static let note = "signatures of AWS, version 4"
    static let form = "{ \"aws\": { \"accessKeyID\": …, \"secretAccessKey\": …, \"region\": …, \"service\": … } }"
    static let descriptors: [FieldDescriptor<AWSAuthentication>] = [
        FieldDescriptor(
            "access key ID", \.accessKeyID, example: "AKIDEXAMPLE", need: { _ in .required }),
        FieldDescriptor(
            "secret access key", \.secretAccessKey, isSecret: true, example: "{{secretAccessKey}}",
            need: { _ in .required }),
        FieldDescriptor("session token", \.sessionToken, isSecret: true, example: "{{sessionToken}}"),
        FieldDescriptor("region", \.region, example: "eu-central-1", need: { _ in .required }),
        FieldDescriptor("service", \.service, example: "execute-api", need: { _ in .required }),
    ]
    private static let keys = ["accessKeyID", "secretAccessKey", "sessionToken", "region", "service"]

    init() { self.init(accessKeyID: "", secretAccessKey: "", region: "", service: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object("aws") else { return nil }
        self.init(
            accessKeyID: inner.requiredString("accessKeyID"), secretAccessKey: inner.requiredString("secretAccessKey"),
            sessionToken: inner.string("sessionToken") ?? "", region: inner.requiredString("region"),
            service: inner.requiredString("service"))
        unknown = inner.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("accessKeyID", text: accessKeyID)
        writer.add("secretAccessKey", text: secretAccessKey)
        writer.add("sessionToken", optional: sessionToken)
        writer.add("region", text: region)
        writer.add("service", text: service)
        return writer.object(unknown)
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let token = try fill(sessionToken, "authentication session token")
        return .aws(
            PreparedCredentials.AWS(
                accessKeyID: try fill(accessKeyID, "authentication access key ID"),
                secretAccessKey: try fill(secretAccessKey, "authentication secret access key"),
                sessionToken: token.isEmpty ? nil : token, region: try fill(region, "authentication region"),
                service: try fill(service, "authentication service")))
    }

    var authentication: SavedAuthentication { .aws(self) }

    var exported: ExportedCredentials {
        .user(
            accessKeyID, password: secretAccessKey,
            .aws(region: region, service: service, sessionToken: sessionToken))
    }
}
