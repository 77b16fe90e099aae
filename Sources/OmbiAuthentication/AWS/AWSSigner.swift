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

/// The canonical form of a request, which is signed.
struct CanonicalRequest {
    /// "host;x-amz-date"
    let signedHeaders: String
    let text: String

    /// Fields that transports and proxies add or change, and the signature itself.
    private static let unsigned: Set<RequestHeaders.Key> = [
        .authorization, .proxyAuthorization, .cookie, .userAgent, .contentLength, .acceptEncoding, "Connection",
        "Expect", "TE", "Transfer-Encoding", "Upgrade", "X-Amzn-Trace-Id",
    ]

    init(_ request: TransportRequest, isS3: Bool, payloadHash: String) {
        let headers = Self.headers(of: request)
        signedHeaders = headers.map(\.name).joined(separator: ";")
        text = [
            request.method.rawValue, Self.path(request.url.escapedPath, isS3: isS3),
            Self.query(request.url.query(percentEncoded: true) ?? ""),
            headers.map { "\($0.name):\($0.value)\n" }.joined(), signedHeaders, payloadHash,
        ].joined(separator: "\n")
    }

    /// Returns the header fields sorted by name, values of equal names joined, runs of spaces collapsed.
    private static func headers(of request: TransportRequest) -> [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for field in request.headers.fields where !unsigned.contains(field.key) {
            let value = field.value.text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            values[field.key.name.lowercased(), default: []].append(value)
        }
        if values["host"] == nil { values["host"] = [host(of: request.url)] }
        return values.map { ($0.key, $0.value.joined(separator: ",")) }.sorted { $0.0 < $1.0 }
    }

    /// Returns the value of the `Host` field, without the default port of the scheme.
    private static func host(of url: URL) -> String {
        let name = url.host() ?? ""
        let host = name.contains(":") ? "[\(name)]" : name
        let usual = url.scheme?.lowercased() == "https" ? 443 : 80
        return url.port.map { $0 == usual ? host : "\(host):\($0)" } ?? host
    }

    /// Returns the canonical path. For S3 it is an object key, escaped once; for other services it is normalized, and
    /// escapes are escaped again.
    private static func path(_ path: String, isS3: Bool) -> String {
        guard !isS3 else { return PercentEncoding.escapeAnew(path, keepingSlashes: true) }
        var segments: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        let end = path.hasSuffix("/") && !segments.isEmpty ? "/" : ""
        return "/" + segments.map { PercentEncoding.escape(String($0)) }.joined(separator: "/") + end
    }

    /// Returns the items sorted by name and value.
    private static func query(_ query: String) -> String {
        query.split(separator: "&").map { item in
            let (name, value) = item.cut(at: UInt8(ascii: "="))
            return (name: PercentEncoding.escapeAnew(name), value: PercentEncoding.escapeAnew(value ?? ""))
        }
        .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

/// An authenticator for AWS Signature Version 4.
///
///     manager.authenticator = AWSSignatureV4(
///         credentials: AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "…"), region: "eu-central-1",
///         service: "s3")
///
/// Each attempt is signed with the current date, and each redirect within the origin again. The signature covers method, path, query, body, and all header fields
/// except those that may change in transit, such as `User-Agent`, `Cookie` and `Accept-Encoding`. Paths are escaped once
/// for S3 and twice for all other services.
public struct AWSSignatureV4: Authenticator {
    /// The way in which the body is signed.
    public enum Payload: Sendable, Hashable {
        /// As `unsigned` for streams to S3 over HTTPS, else as `hashed`.
        case automatic
        /// By the hash of the body. A stream is read twice.
        case hashed
        /// Not at all (`UNSIGNED-PAYLOAD`), which only S3 accepts.
        case unsigned
    }

    /// The region: "eu-central-1".
    public let region: String
    /// The signing name of the service: "s3", "execute-api".
    public let service: String
    /// The way in which the body is signed; `automatic` by default.
    public var payload: Payload
    private let keys: TokenHolder<AWSCredentials>
    private let now: @Sendable () -> Date

    /// The time before their expiry at which temporary keys are renewed, in seconds.
    private static let leeway: TimeInterval = 60

    /// Creates an authenticator with constant credentials.
    public init(
        credentials: AWSCredentials, region: String, service: String, payload: Payload = .automatic,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(region: region, service: service, payload: payload, now: now) { credentials }
    }

    /// Creates an authenticator with temporary credentials.
    /// - Parameters:
    ///   - region: The region of the service.
    ///   - service: The signing name of the service.
    ///   - payload: The way in which the body is signed.
    ///   - now: The current time; for tests.
    ///   - credentials: Obtains credentials for the first request, and again before they expire. Concurrent requests wait
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
        let hash = try await payloadHash(of: request)
        var request = request
        request.headers = signedHeaders(of: request, signer, payloadHash: hash)
        let hasBody = request.hasBody
        request.hopCredentials = HopCredentials { [self] hop in
            var hop = hop
            guard hasBody, !hop.hasBody else { return signedHeaders(of: hop, signer, payloadHash: hash) }
            hop.headers.removeValue(forKey: .amzContentHash)
            let emptyHash = hash == AWSSigner.unsignedPayload ? hash : HashFunction.sha256.hex("")
            return signedHeaders(of: hop, signer, payloadHash: emptyHash)
        }
        return request
    }

    private func signedHeaders(
        of request: TransportRequest, _ signer: AWSSigner, payloadHash hash: String
    ) -> RequestHeaders {
        var request = request
        for key: RequestHeaders.Key in [.authorization, .amzDate, .amzSecurityToken] {
            request.headers.removeValue(forKey: key)
        }
        request.headers[.amzDate] = .string(signer.time)
        if let token = signer.credentials.sessionToken { request.headers[.amzSecurityToken] = .string(token) }
        if isS3 { request.headers[.amzContentHash] = .string(hash) }
        let canonical = CanonicalRequest(request, isS3: isS3, payloadHash: hash)
        request.headers[.authorization] = .string(signer.authorization(for: canonical))
        return request.headers
    }

    /// Returns false: AWS rejects signatures with a 403.
    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool { false }

    var isS3: Bool { service == "s3" || service.hasPrefix("s3-") }

    func signer() async throws -> AWSSigner {
        let now = now()
        let limit = now.addingTimeInterval(Self.leeway)
        let credentials = try await keys.token { $0.expiresAt ?? .distantFuture > limit }
        return AWSSigner(credentials: credentials, region: region, service: service, date: now)
    }

    /// Returns the hash to sign; a hash in the headers, such as that of a chunked upload, takes precedence.
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

extension TransportRequest {
    fileprivate var hasBody: Bool { bodyLength != nil && bodyLength != 0 || bodyStream != nil }
}

extension RequestHeaders.Key {
    static let amzDate: RequestHeaders.Key = "X-Amz-Date"
    static let amzSecurityToken: RequestHeaders.Key = "X-Amz-Security-Token"
    static let amzContentHash: RequestHeaders.Key = "X-Amz-Content-SHA256"
}

extension AWSSignatureV4 {
    /// Returns a URL that anyone may use for one method until it expires.
    ///
    /// The body is not signed for S3, and must be empty for other services. Requests with the URL must carry the same
    /// `headers`.
    /// - Parameters:
    ///   - url: The URL of the request, with its query.
    ///   - method: The method of the request.
    ///   - headers: Header fields to sign in addition to `Host`.
    ///   - lifetime: The validity of the URL: up to seven days, and no longer than temporary keys.
    public func presignedURL(
        for url: URL, method: RequestMethod = .get, headers: RequestHeaders = [:], lifetime: Duration = .seconds(900)
    ) async throws -> URL {
        let signer = try await signer()
        var request = TransportRequest(url: url, method: method, headers: headers)
        var items = [
            ("X-Amz-Algorithm", AWSSigner.algorithm), ("X-Amz-Credential", signer.credential),
            ("X-Amz-Date", signer.time), ("X-Amz-Expires", String(lifetime.components.seconds)),
        ]
        let hash = isS3 ? AWSSigner.unsignedPayload : HashFunction.sha256.hex("")
        let signedHeaders = CanonicalRequest(request, isS3: isS3, payloadHash: hash).signedHeaders
        items.append(("X-Amz-SignedHeaders", signedHeaders))
        if let token = signer.credentials.sessionToken { items.append(("X-Amz-Security-Token", token)) }
        request.url = try Self.adding(items, to: url)
        let canonical = CanonicalRequest(request, isS3: isS3, payloadHash: hash)
        return try Self.adding([("X-Amz-Signature", signer.signature(of: canonical))], to: request.url)
    }

    private static func adding(_ items: [(String, String)], to url: URL) throws -> URL {
        let text = url.absoluteString.prefix { $0 != "#" }
        let query = items.map { "\($0.0)=\(PercentEncoding.escape($0.1))" }.joined(separator: "&")
        let separator = !text.contains("?") ? "?" : text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&"
        guard let signed = URL(string: text + separator + query) else {
            throw MalformedRequest(.url, "\"\(url.absoluteString)\" cannot carry a query")
        }
        return signed
    }
}
