import OmbiAuthentication

/// An access key of AWS, which signs each attempt (Signature Version 4): written in the file, or from a profile.
package struct AWSAuthentication: Sendable, Equatable {
    /// Empty with a profile.
    package var accessKeyID = ""
    package var secretAccessKey = ""
    /// The token of temporary keys; empty for others.
    package var sessionToken = ""
    /// Empty for the region of the profile.
    package var region = ""
    /// The signing name of the service: `s3`, `execute-api`.
    package var service = ""
    /// The profile of the AWS command line that has the keys; empty for keys that are written.
    package var profile = ""
    package var unknown = UnknownMembers()

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

/// The profiles of the AWS command line in its two files, without what only that program can do.
struct AWSProfiles: Equatable {
    enum File: Hashable { case credentials, config }

    /// The reason why a profile has no keys, as a clause, with what to do.
    struct Failure: Error, Equatable { var message: String }

    struct Keys: Equatable {
        var accessKeyID: String
        var secretAccessKey: String
        /// Nil for keys that last.
        var sessionToken: String?
        /// As the file has it: `2026-11-28T12:00:00Z`; nil for keys that last.
        var expiration: String?
    }

    /// The content of a profile.
    struct Found: Equatable {
        enum Origin: Equatable {
            case keys(Keys)
            /// The name of the file in `~/.aws/cli/cache` with the keys of a role.
            case cache(String)
        }

        var origin: Origin
        var region: String?
        /// The files that have a part of it.
        var files: Set<File>
    }

    private var profiles: [File: [String: [String: String]]] = [:]

    /// It bounds the stack.
    private static let maximumSources = 100

    /// - Parameters:
    ///   - credentials: The content of `~/.aws/credentials`; nil for none.
    ///   - config: The content of `~/.aws/config`; nil for none.
    init(credentials: AWSFile?, config: AWSFile?) {
        profiles[.credentials] = credentials?.sections ?? [:]
        var described: [String: [String: String]] = [:]
        for (section, values) in config?.sections ?? [:] {
            guard let name = AWSFile.profile(of: section) else { continue }
            described[name, default: [:]].merge(values) { known, new in section == "default" ? known : new }
        }
        profiles[.config] = described
    }

    /// Returns the keys of a profile, or the place of the keys of its role.
    /// - Parameter needsRegion: False for a request that names a region.
    func find(_ name: String, needsRegion: Bool = true) throws(Failure) -> Found {
        var files: Set<File> = []
        let region = needsRegion ? value("region", of: name, &files) : nil
        let origin = try origin(name, &files, passed: [])
        return Found(origin: origin, region: region, files: files)
    }

    private func origin(
        _ name: String, _ files: inout Set<File>, passed: Set<String>
    ) throws(Failure) -> Found.Origin {
        let shown = JSONValue.quoted(name.excerpt(60))
        guard profiles.values.contains(where: { $0[name] != nil }) else {
            throw Failure(
                message: "there is no profile \(shown); `aws configure list-profiles` lists those that there are")
        }
        if value("role_arn", of: name, &files) != nil { throw Self.foreign("the profile \(shown) assumes a role") }
        if let cache = try cacheName(name, &files) { return .cache(cache) }
        if let key = value("aws_access_key_id", of: name, &files) {
            guard let secret = value("aws_secret_access_key", of: name, &files) else {
                throw Failure(message: "the profile \(shown) has an access key, and no aws_secret_access_key")
            }
            let token = value("aws_session_token", of: name, &files)
            return .keys(Keys(accessKeyID: key, secretAccessKey: secret, sessionToken: token))
        }
        if value("credential_process", of: name, &files) != nil {
            throw Self.foreign("the profile \(shown) has its keys from a program (credential_process)")
        }
        guard let source = value("source_profile", of: name, &files) else {
            throw Self.foreign("the profile \(shown) has no keys of its own")
        }
        let passed = passed.union([name])
        guard !passed.contains(source) else {
            throw Failure(message: "the profile \(shown) is its own source_profile")
        }
        guard passed.count < Self.maximumSources else {
            throw Failure(message: "more than \(Self.maximumSources) profiles follow each other by source_profile")
        }
        return try origin(source, &files, passed: passed)
    }

    private static func foreign(_ reason: String) -> Failure {
        Failure(message: reason + ": make secrets of what `aws configure export-credentials` writes, as commands")
    }

    /// Returns the file in which the AWS command line keeps the keys of a role of single sign-on; nil for a profile without.
    private func cacheName(_ name: String, _ files: inout Set<File>) throws(Failure) -> String? {
        guard let account = value("sso_account_id", of: name, &files),
            let role = value("sso_role_name", of: name, &files)
        else { return nil }
        let session = value("sso_session", of: name, &files).map { JSONValue.Member("sessionName", .string($0)) }
        let start = value("sso_start_url", of: name, &files).map { JSONValue.Member("startUrl", .string($0)) }
        guard let place = session ?? start else {
            throw Failure(
                message: "the profile \(JSONValue.quoted(name.excerpt(60))) has neither sso_session nor sso_start_url")
        }
        let key = JSONValue.object([.init("accountId", .string(account)), .init("roleName", .string(role)), place])
        return HashFunction.sha1.hex(Data(key.compact.utf8)) + ".json"
    }

    /// The value in the first file that has one; an empty one is none.
    private func value(_ key: String, of name: String, _ files: inout Set<File>) -> String? {
        for file in [File.credentials, .config] {
            guard let value = profiles[file]?[name]?[key], !value.isEmpty else { continue }
            files.insert(file)
            return value
        }
        return nil
    }
}

extension AWSProfiles.Keys {
    /// Reads the keys of a role in a file of the cache; nil for any other content.
    init?(cached text: String) {
        guard let keys = (try? JSONValue.parse(text))?["Credentials"], let key = keys["AccessKeyId"]?.stringValue,
            let secret = keys["SecretAccessKey"]?.stringValue, let token = keys["SessionToken"]?.stringValue,
            let expiration = keys["Expiration"]?.stringValue, !key.isEmpty, !secret.isEmpty
        else { return nil }
        self.init(accessKeyID: key, secretAccessKey: secret, sessionToken: token, expiration: expiration)
    }
}

extension AWSProfiles.Keys: CustomStringConvertible, CustomReflectable {
    var description: String { "keys of AWS" }
    /// Keeps secrets out of debuggers and failing tests.
    var customMirror: Mirror { Mirror(self, children: []) }
}
