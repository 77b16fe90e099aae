#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An access key of AWS. Its description shows no secret.
public struct AWSCredentials: Sendable, Hashable {
    /// Sent along: "AKIDEXAMPLE".
    public var accessKeyID: String
    /// Never sent.
    public var secretAccessKey: String
    /// Sent along with temporary keys.
    public var sessionToken: String?
    /// When temporary keys expire; nil for keys that do not.
    public var expiresAt: Date?

    /// Keys that do not expire, unless said otherwise.
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
    /// The ID and the expiry alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["accessKeyID": accessKeyID, "expiresAt": expiresAt as Any])
    }
}
