import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session's measurements of one task. Foundation on Linux measures nothing.
struct SessionMetrics: Sendable {
    var timings: Timings
    /// "1.1", "2", "3"
    var httpVersion: String?
    var remoteAddress: String?
    var reusedConnection: Bool
    /// The body bytes on the wire.
    var bytesReceived: Int
    /// "TLSv1.3"
    var tlsVersion: String?
    var cipher: String?

    init?(_ metrics: URLSessionTaskMetrics) {
        guard let metrics = metrics.transactionMetrics.last else { return nil }
        timings = Timings(
            resolve: Self.time(from: metrics.domainLookupStartDate, to: metrics.domainLookupEndDate),
            connect: Self.time(
                from: metrics.connectStartDate, to: metrics.secureConnectionStartDate ?? metrics.connectEndDate),
            tls: Self.time(from: metrics.secureConnectionStartDate, to: metrics.secureConnectionEndDate),
            send: Self.time(from: metrics.requestStartDate, to: metrics.requestEndDate),
            wait: Self.time(from: metrics.requestEndDate, to: metrics.responseStartDate),
            receive: Self.time(from: metrics.responseStartDate, to: metrics.responseEndDate))
        httpVersion = metrics.networkProtocolName.flatMap(Self.version)
        remoteAddress = metrics.remoteAddress.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return metrics.remotePort.map { "\(host):\($0)" } ?? host
        }
        reusedConnection = metrics.isReusedConnection
        bytesReceived = Int(metrics.countOfResponseBodyBytesReceived)
        tlsVersion = metrics.negotiatedTLSProtocolVersion.flatMap { Self.tlsVersions[$0.rawValue] }
        cipher = metrics.negotiatedTLSCipherSuite.flatMap { Self.ciphers[$0.rawValue] }
    }

    private static func time(from start: Date?, to end: Date?) -> Duration {
        guard let start, let end else { return .zero }
        return .seconds(max(end.timeIntervalSince(start), 0))
    }

    /// Returns the version for the name of a protocol in ALPN (RFC 7301).
    private static func version(_ name: String) -> String? {
        switch name {
        case "http/1.0": "1.0"
        case "http/1.1": "1.1"
        case "h2": "2"
        case "h3": "3"
        default: nil
        }
    }

    private static let tlsVersions: [UInt16: String] = [
        0x0301: "TLSv1", 0x0302: "TLSv1.1", 0x0303: "TLSv1.2", 0x0304: "TLSv1.3",
    ]

    /// The cipher suites of TLS 1.3, and those of TLS 1.2 that servers still choose (IANA's registry).
    private static let ciphers: [UInt16: String] = [
        0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC02B: "ECDHE-ECDSA-AES128-GCM-SHA256", 0xC02C: "ECDHE-ECDSA-AES256-GCM-SHA384",
        0xC02F: "ECDHE-RSA-AES128-GCM-SHA256", 0xC030: "ECDHE-RSA-AES256-GCM-SHA384",
        0xCCA8: "ECDHE-RSA-CHACHA20-POLY1305", 0xCCA9: "ECDHE-ECDSA-CHACHA20-POLY1305",
    ]
}
