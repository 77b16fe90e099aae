import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiURLSession

/// What `URLSession` can do of a connection.
@Suite struct SessionSettingsTests {
    struct Setting: Sendable, CustomStringConvertible {
        let description: String
        let change: @Sendable (inout Connection) -> Void
    }

    static let unsupported: [Setting] = [
        Setting(description: "connectTimeout") { $0.connectTimeout = .seconds(1) },
        Setting(description: "tls.caFile") { $0.tls.caFile = "ca.pem" },
        Setting(description: "tls.clientCertificate") { $0.tls.clientCertificate = .pem(certificate: "c.pem") },
        Setting(description: "tls.pinnedPublicKeys") {
            $0.tls.pinnedPublicKeys = ["sha256//" + Data(count: 32).base64EncodedString()]
        },
        Setting(description: "httpVersion") { $0.httpVersion = .http1 },
        Setting(description: "unixSocket") { $0.unixSocket = "/run/some.sock" },
        Setting(description: "addresses") { $0.addresses = [.init(host: "a.test", port: 80, address: "127.0.0.1")] },
        Setting(description: "networkInterface") { $0.networkInterface = "lo" },
        Setting(description: "addressFamily") { $0.addressFamily = .ipv4 },
        Setting(description: "maximumReceiveRate") { $0.maximumReceiveRate = 1000 },
        Setting(description: "maximumSendRate") { $0.maximumSendRate = 1000 },
        Setting(description: "proxy") { $0.proxy = .server(.init(host: "127.0.0.1", port: 1)) },
    ]

    static let unsupportedOnLinux: [Setting] = [
        Setting(description: "proxy") { $0.proxy = .none },
        Setting(description: "tls.verifiesServer") { $0.tls.verifiesServer = false },
        Setting(description: "tls.minimumVersion") { $0.tls.minimumVersion = .v1_3 },
    ]

    #if canImport(FoundationNetworking)
    static let refused = unsupported + unsupportedOnLinux
    #else
    static let refused = unsupported
    #endif

    @Test(arguments: refused) func `what cannot be done is refused before anything is sent`(setting: Setting)
        async throws
    {
        let server = try LoopbackServer { _ in .ok("sent") }
        defer { server.stop() }
        var request = TransportRequest(url: try #require(URL(string: server.host + "/")), method: .post)
        setting.change(&request.connection)
        let events = await URLSessionTransport().allEvents(of: request)
        guard case .failed(let error, let metrics) = events.last else {
            Issue.record("it was not refused: \(events)")
            return
        }
        #expect(error.code == .unsupportedOption)
        #expect(error.message.hasPrefix("Connection.\(setting) asks for something that URLSession"), "\(error)")
        #expect(metrics.bytesSent == 0)
        #expect(server.connectionCount == 0)
    }

    @Test func `what can be done is not`() throws {
        _ = try SessionSettings(Connection())
        let changed = Connection {
            $0.maximumConnectionsPerHost = 2
            $0.acceptsCompression = false
            $0.redirects = .none
        }
        _ = try SessionSettings(changed)
    }

    /// Connections are shared by those alone that agree about them.
    @Test func `settings of the session tell sessions apart`() throws {
        let standard = try SessionSettings(Connection())
        #expect(try SessionSettings(Connection { $0.redirects = .none }) == standard)
        #expect(try SessionSettings(Connection { $0.maximumConnectionsPerHost = 2 }) != standard)
        #expect(standard.verified == standard)
    }

    @Test func `compression is turned off`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        var request = TransportRequest(url: try #require(URL(string: server.host + "/")))
        request.connection.acceptsCompression = false
        _ = await URLSessionTransport().allEvents(of: request)
        #expect(server.requests.first?.headers["accept-encoding"] == "identity")
    }
}
