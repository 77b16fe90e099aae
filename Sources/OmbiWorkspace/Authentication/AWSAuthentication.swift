import OmbiCore
import OmbiDocument

/// An access key of AWS, which signs each attempt (Signature Version 4): one that is written, or that of a profile.
public struct AWSAuthentication: Sendable, Equatable {
    /// Empty with a profile.
    public var accessKeyID: String
    public var secretAccessKey: String
    /// The token of temporary keys; empty for others.
    public var sessionToken: String
    /// Empty for that of the profile.
    public var region: String
    /// The signing name of the service: `s3`, `execute-api`.
    public var service: String
    /// The profile of the AWS command line that has the keys; empty for keys that are written.
    public var profile: String
    public var unknown = UnknownMembers()

    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String = "", region: String, service: String,
        profile: String = ""
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
        self.profile = profile
    }

    private var hasProfile: Bool { !profile.isEmpty }

    /// Returns what the file says of a part; nil for one that the profile gives.
    private func written(_ part: String) -> String? { hasProfile && part.isEmpty ? nil : part }
}

extension AWSAuthentication: ObjectCredentials {
    static let kind = SavedAuthentication.Kind.aws
    static let note = "signatures of AWS, version 4"
    static let form = "{ \"aws\": { \"accessKeyID\": …, \"secretAccessKey\": …, \"region\": …, \"service\": … } }"
    static let descriptors: [FieldDescriptor<AWSAuthentication>] = [
        FieldDescriptor(
            "access key ID", \.accessKeyID, example: "AKIDEXAMPLE", need: { $0.hasProfile ? .unused : .required }),
        FieldDescriptor(
            "secret access key", \.secretAccessKey, isSecret: true, example: "{{secretAccessKey}}",
            need: { $0.hasProfile ? .unused : .required }),
        FieldDescriptor(
            "session token", \.sessionToken, isSecret: true, example: "{{sessionToken}}",
            need: { $0.hasProfile ? .unused : .optional }),
        FieldDescriptor(
            "region", \.region, example: "eu-central-1", need: { $0.hasProfile ? .optional : .required }),
        FieldDescriptor("service", \.service, example: "execute-api", need: { _ in .required }),
        FieldDescriptor("profile", \.profile, example: "dev of ~/.aws, in place of the keys"),
    ]
    static let members = Members<AWSAuthentication>([
        .text("accessKeyID", Schema.text(), { $0.accessKeyID = $1 }, { $0.written($0.accessKeyID) }),
        .text("secretAccessKey", Schema.text(), { $0.secretAccessKey = $1 }, { $0.written($0.secretAccessKey) }),
        .optional(
            "sessionToken", Schema.text("The token of temporary keys."), { $0.sessionToken = $1 }, { $0.sessionToken }),
        .text("region", Schema.text(), { $0.region = $1 }, { $0.written($0.region) }),
        .text(
            "service", Schema.text("The signing name: s3, execute-api."), { $0.service = $1 }, { $0.service }),
        .optional(
            "profile", Schema.text("The profile in ~/.aws that has the keys, and the region where none is written."),
            { $0.profile = $1 }, { $0.profile }),
    ])
    static var schema: JSONValue {
        members.schema(
            "Signatures of AWS, version 4.", required: ["service"],
            rules: [
                "anyOf": [["required": ["profile"]], ["required": ["accessKeyID", "secretAccessKey", "region"]]]
            ])
    }

    init() { self.init(accessKeyID: "", secretAccessKey: "", region: "", service: "") }

    func check(_ object: ObjectReader) {
        let keys = hasProfile ? ["service"] : ["accessKeyID", "secretAccessKey", "region", "service"]
        for key in keys where !object.has(key) { object.missing(key) }
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let profile = try fill(profile, "authentication profile")
        if !profile.isEmpty {
            return .aws(
                PreparedCredentials.AWS(
                    accessKeyID: "", secretAccessKey: "", region: try fill(region, "authentication region"),
                    service: try fill(service, "authentication service"), profile: profile))
        }
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
        if hasProfile { return .awsProfile(profile) }
        return .user(
            accessKeyID, password: secretAccessKey,
            .aws(region: region, service: service, sessionToken: sessionToken))
    }
}
