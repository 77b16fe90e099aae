import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings of a connection that belong to a session and not to a request. Requests with equal settings share a
/// session and its connections; a connection made without verification is never used by others.
struct SessionSettings: Sendable, Hashable {
    private(set) var verifiesServer: Bool
    private let usesProxy: Bool
    private let minimumVersion: Connection.TLS.Version
    private let maximumConnectionsPerHost: Int

    /// Equal to the default of `CurlTransport`.
    private static let defaultConnectionsPerHost = 8

    /// Throws for settings that `URLSession` does not support.
    init(_ connection: Connection) throws(TransportError) {
        try connection.check()
        try Self.checkSupport(connection)
        verifiesServer = connection.tls.verifiesServer
        usesProxy = connection.proxy != .none
        minimumVersion = connection.tls.minimumVersion
        maximumConnectionsPerHost = connection.maximumConnectionsPerHost ?? Self.defaultConnectionsPerHost
    }

    /// The settings for another server than that of the request, which is always verified.
    var verified: SessionSettings {
        var settings = self
        settings.verifiesServer = true
        return settings
    }

    private static func checkSupport(_ connection: Connection) throws(TransportError) {
        let standard = Connection()
        let unsupported: [(String, Bool)] = [
            ("connectTimeout", connection.connectTimeout != nil),
            ("tls.caFile", connection.tls.caFile != nil),
            ("tls.clientCertificate", connection.tls.clientCertificate != nil),
            ("tls.pinnedPublicKeys", !connection.tls.pinnedPublicKeys.isEmpty),
            ("httpVersion", connection.httpVersion != standard.httpVersion),
            ("unixSocket", connection.unixSocket != nil),
            ("addresses", !connection.addresses.isEmpty),
            ("networkInterface", connection.networkInterface != nil),
            ("addressFamily", connection.addressFamily != standard.addressFamily),
            ("maximumReceiveRate", connection.maximumReceiveRate != nil),
            ("maximumSendRate", connection.maximumSendRate != nil),
        ]
        if let member = unsupported.first(where: \.1)?.0 { throw refusal(member, on: "URLSession") }
        #if canImport(FoundationNetworking)
        let missing: [(String, Bool)] = [
            ("proxy", connection.proxy != standard.proxy),
            ("tls.verifiesServer", !connection.tls.verifiesServer),
            ("tls.minimumVersion", connection.tls.minimumVersion != standard.tls.minimumVersion),
        ]
        if let member = missing.first(where: \.1)?.0 { throw refusal(member, on: "URLSession on Linux") }
        #else
        if case .server = connection.proxy { throw refusal("proxy", on: "URLSession") }
        #endif
    }

    private static func refusal(_ member: String, on platform: String) -> TransportError {
        Connection.unsupported(member, "asks for something that \(platform) cannot do")
    }

    func apply(to configuration: URLSessionConfiguration) {
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        #if !canImport(FoundationNetworking)
        if !usesProxy { configuration.connectionProxyDictionary = [:] }
        configuration.tlsMinimumSupportedProtocolVersion =
            switch minimumVersion {
            case .v1_0: .TLSv10
            case .v1_1: .TLSv11
            case .v1_2: .TLSv12
            case .v1_3: .TLSv13
            }
        #endif
    }
}
