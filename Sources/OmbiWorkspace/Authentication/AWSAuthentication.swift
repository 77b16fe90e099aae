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
}

extension AWSAuthentication: SavedCredentials {
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
    private static let keys = ["accessKeyID", "secretAccessKey", "sessionToken", "region", "service", "profile"]

    init() { self.init(accessKeyID: "", secretAccessKey: "", region: "", service: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object("aws") else { return nil }
        let profile = inner.string("profile") ?? ""
        func text(_ key: String) -> String {
            profile.isEmpty ? inner.requiredString(key) : inner.string(key) ?? ""
        }
        self.init(
            accessKeyID: text("accessKeyID"), secretAccessKey: text("secretAccessKey"),
            sessionToken: inner.string("sessionToken") ?? "", region: text("region"),
            service: inner.requiredString("service"), profile: profile)
        unknown = inner.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        func add(_ key: String, _ text: String) { writer.add(key, text: hasProfile && text.isEmpty ? nil : text) }
        add("accessKeyID", accessKeyID)
        add("secretAccessKey", secretAccessKey)
        writer.add("sessionToken", optional: sessionToken)
        add("region", region)
        writer.add("service", text: service)
        writer.add("profile", optional: profile)
        return writer.object(unknown)
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
