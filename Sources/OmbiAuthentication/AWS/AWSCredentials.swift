#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An access key of AWS. Its description omits secrets.
public struct AWSCredentials: Sendable, Hashable {
    /// The public identifier: "AKIDEXAMPLE".
    public var accessKeyID: String
    /// The signing secret, which is never sent.
    public var secretAccessKey: String
    /// The token sent with temporary keys; nil for others.
    public var sessionToken: String?
    /// The expiry of temporary keys; nil for others.
    public var expiresAt: Date?

    /// Creates credentials; by default, ones that do not expire.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiresAt: Date? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiresAt = expiresAt
    }
}

extension AWSCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// "AWS key AKIDEXAMPLE"
    public var description: String { "AWS key \(accessKeyID)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The ID and the expiry; secrets are omitted.
    public var customMirror: Mirror {
        Mirror(self, children: ["accessKeyID": accessKeyID, "expiresAt": expiresAt as Any])
    }
}
