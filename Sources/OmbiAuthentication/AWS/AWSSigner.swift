#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A signer for one point in time, region and service.
struct AWSSigner {
    let credentials: AWSCredentials
    /// "20130524T000000Z"
    let time: String
    private let region: String
    private let service: String

    static let algorithm = "AWS4-HMAC-SHA256"
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    init(credentials: AWSCredentials, region: String, service: String, date: Date) {
        self.credentials = credentials
        self.region = region
        self.service = service
        time = date.formatted(Self.style)
    }

    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt)

    /// "20130524/us-east-1/s3/aws4_request"
    private var scope: String { "\(time.prefix(8))/\(region)/\(service)/aws4_request" }

    /// The key ID and the scope: "AKIDEXAMPLE/20130524/us-east-1/s3/aws4_request"
    var credential: String { "\(credentials.accessKeyID)/\(scope)" }

    func signature(of request: CanonicalRequest) -> String {
        let hash = HashFunction.sha256.hex(request.text)
        let key = [String(time.prefix(8)), region, service, "aws4_request"].reduce(
            Data("AWS4\(credentials.secretAccessKey)".utf8)
        ) { HashFunction.authenticationCode($1, key: $0) }
        return HashFunction.authenticationCode("\(Self.algorithm)\n\(time)\n\(scope)\n\(hash)", key: key).hex
    }

    /// Returns the value of `Authorization`.
    func authorization(for request: CanonicalRequest) -> String {
        "\(Self.algorithm) Credential=\(credential), SignedHeaders=\(request.signedHeaders), "
            + "Signature=\(signature(of: request))"
    }
}

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
