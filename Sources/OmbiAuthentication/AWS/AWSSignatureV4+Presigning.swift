#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
