#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs requests with Signature Version 4 of AWS, in the header or in the URL.
///
///     manager.authenticator = AWSSignatureV4(
///         credentials: AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "…"), region: "eu-central-1",
///         service: "s3")
///
/// Each attempt is signed with its own date, after the interceptors, so that the signature covers what is sent: method,
/// path, query, body, and all header fields but those that are changed on the way (such as `User-Agent`, `Cookie` and
/// `Accept-Encoding`). Paths are escaped once for S3 and twice for all other services, as AWS wants it.
public struct AWSSignatureV4: Authenticator {
    /// What of the body is signed.
    public enum Payload: Sendable, Hashable {
        /// The hash of the body. Streams to S3 over HTTPS are left out; others are read twice.
        case automatic
        /// The hash of the body; a stream is read twice.
        case hashed
        /// Not the body (`UNSIGNED-PAYLOAD`), which S3 alone takes.
        case unsigned
    }

    /// Where the service is: "eu-central-1".
    public let region: String
    /// What it is called in signatures: "s3", "execute-api".
    public let service: String
    /// What of the body is signed; `automatic` by default.
    public var payload: Payload
    private let keys: TokenHolder<AWSCredentials>
    private let now: @Sendable () -> Date

    /// Temporary keys are asked for again this long before they expire, in seconds.
    private static let leeway: TimeInterval = 60

    /// Signs with keys that stay the same.
    public init(
        credentials: AWSCredentials, region: String, service: String, payload: Payload = .automatic,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(region: region, service: service, payload: payload, now: now) { credentials }
    }

    /// Signs with temporary keys.
    /// - Parameters:
    ///   - region: Where the service is.
    ///   - service: What it is called in signatures.
    ///   - payload: What of the body is signed.
    ///   - now: The clock of the signatures.
    ///   - credentials: Gets keys: for the first request, and before those at hand expire. Requests at the same time wait
    ///     for one call.
    public init(
        region: String, service: String, payload: Payload = .automatic,
        now: @escaping @Sendable () -> Date = { Date() },
        credentials: @escaping @Sendable () async throws -> AWSCredentials
    ) {
        self.region = region
        self.service = service
        self.payload = payload
        self.now = now
        keys = TokenHolder(nil) { _ in try await credentials() }
    }

    public func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        guard !keys.isRefreshingHere else { return request }
        let signer = try await signer()
        var request = request
        for key: RequestHeaders.Key in [.authorization, .amzDate, .amzSecurityToken] {
            request.headers.removeValue(forKey: key)
        }
        let hash = try await payloadHash(of: request)
        request.headers[.amzDate] = .string(signer.time)
        if let token = signer.credentials.sessionToken { request.headers[.amzSecurityToken] = .string(token) }
        if isS3 { request.headers[.amzContentHash] = .string(hash) }
        let canonical = CanonicalRequest(request, isS3: isS3, payloadHash: hash)
        request.headers[.authorization] = .string(signer.authorization(for: canonical))
        return request
    }

    /// False: AWS refuses with a 403, and never for a reason that new keys would mend.
    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool { false }

    var isS3: Bool { service == "s3" || service.hasPrefix("s3-") }

    func signer() async throws -> AWSSigner {
        let now = now()
        let limit = now.addingTimeInterval(Self.leeway)
        let credentials = try await keys.token { $0.expiresAt ?? .distantFuture > limit }
        return AWSSigner(credentials: credentials, region: region, service: service, date: now)
    }

    /// A hash that the request names itself counts, such as that of a chunked upload.
    private func payloadHash(of request: TransportRequest) async throws -> String {
        if let named = request.headers[.amzContentHash] { return named.text }
        let isLeftOut =
            switch payload {
            case .hashed: false
            case .unsigned: true
            case .automatic: isS3 && request.bodyStream != nil && request.url.scheme?.lowercased() == "https"
            }
        return isLeftOut ? AWSSigner.unsignedPayload : try await request.bodyHash(.sha256)
    }
}

extension RequestHeaders.Key {
    static let amzDate: RequestHeaders.Key = "X-Amz-Date"
    static let amzSecurityToken: RequestHeaders.Key = "X-Amz-Security-Token"
    static let amzContentHash: RequestHeaders.Key = "X-Amz-Content-SHA256"
}
