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
        guard !isS3 else { return escapedAnew(path, keeping: "/") }
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
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                name: escapedAnew(parts[0]),
                value: parts.count > 1 ? escapedAnew(parts[1]) : ""
            )
        }
        .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Decodes all escapes, and escapes everything but letters, digits, `-._~` and `kept`.
    private static func escapedAnew(_ text: some StringProtocol, keeping kept: String = "") -> String {
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            let byte = byte == UInt8(ascii: "%") ? takeEscaped(&rest) ?? byte : byte
            if plain.contains(byte) || kept.utf8.contains(byte) {
                result.append(byte)
            } else {
                result += Array("%\(Data([byte]).hex.uppercased())".utf8)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Takes two hexadecimal digits; returns nil if there are none.
    private static func takeEscaped(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 2 else { return nil }
        rest.removeFirst(2)
        return UInt8(digits[0] << 4 | digits[1])
    }
}
