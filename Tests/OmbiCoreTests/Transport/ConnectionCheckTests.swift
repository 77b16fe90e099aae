import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Settings that make no sense, or that the libcurl at hand cannot do: an error before anything is sent.
@Suite struct ConnectionCheckTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let sentence: String
        let connection: Connection
        var testDescription: String { sentence }

        init(_ sentence: String, _ change: (inout Connection) -> Void) {
            self.sentence = sentence
            connection = Connection(change)
        }
    }

    static let hash = Data(repeating: 7, count: 32).base64EncodedString()

    static func server(_ host: String = "proxy.test", port: Int = 8080, username: String? = nil) -> Connection.Proxy {
        .server(.init(host: host, port: port, username: username))
    }

    static let refusals = [
        Refusal("connectTimeout is not above 0") { $0.connectTimeout = .zero },
        Refusal("connectTimeout is not above 0") { $0.connectTimeout = .seconds(-1) },
        Refusal("maximumReceiveRate is 0; give more than 0, or nil for no limit") { $0.maximumReceiveRate = 0 },
        Refusal("maximumSendRate is -5; give more than 0, or nil for no limit") { $0.maximumSendRate = -5 },
        Refusal("maximumConnectionsPerHost is 0; give more than 0") { $0.maximumConnectionsPerHost = 0 },
        Refusal("addresses has an empty host") { $0.addresses = [.init(host: "", port: 1, address: "127.0.0.1")] },
        Refusal("addresses has the port 0 for a.test, which is not from 1 to 65535") {
            $0.addresses = [.init(host: "a.test", port: 0, address: "127.0.0.1")]
        },
        Refusal("addresses has \"localhost\" for a.test, which is not an IP address") {
            $0.addresses = [.init(host: "a.test", port: 1, address: "localhost")]
        },
        Refusal("addresses has \"127.0.0.1:99\" for a.test, which is not an IP address") {
            $0.addresses = [.init(host: "a.test", port: 1, address: "127.0.0.1:99")]
        },
        Refusal("tls.pinnedPublicKeys has \"/etc/passwd\", which is not sha256// and the Base64 of 32 bytes") {
            $0.tls.pinnedPublicKeys = ["sha256//" + hash, "/etc/passwd"]
        },
        Refusal("tls.pinnedPublicKeys has \"sha256//AAAA\", which is not sha256// and the Base64 of 32 bytes") {
            $0.tls.pinnedPublicKeys = ["sha256//AAAA"]
        },
        Refusal("proxy has the host \"\", which is no name or address") { $0.proxy = server("") },
        Refusal("proxy has the host \"http://proxy.test\", which is no name or address") {
            $0.proxy = server("http://proxy.test")
        },
        Refusal("proxy has the host \"a\\nb\", which is no name or address") { $0.proxy = server("a\nb") },
        Refusal("proxy has the port 65536, which is not from 1 to 65535") { $0.proxy = server(port: 65_536) },
        Refusal("proxy has a user name with a colon, which ends it (RFC 7617)") { $0.proxy = server(username: "a:b") },
        Refusal("unixSocket and Connection.proxy exclude each other") {
            $0.proxy = server()
            $0.unixSocket = "/tmp/x"
        },
        Refusal("unixSocket is a path of 0 bytes; the system takes 1 to 107") { $0.unixSocket = "" },
        Refusal("unixSocket is a path of 200 bytes; the system takes 1 to 107") {
            $0.unixSocket = String(repeating: "x", count: 200)
        },
    ]

    @Test(arguments: refusals) func `what makes no sense is refused`(refusal: Refusal) async throws {
        let server = try LoopbackServer { _ in .ok("sent") }
        defer { server.stop() }
        let url = try #require(URL(string: server.host))
        let transport = CurlTransport()
        let events = await transport.events(of: TransportRequest(url: url, connection: refusal.connection))
        #expect(
            events.last?.error
                == TransportError(code: .unsupportedOption, message: "Connection.\(refusal.sentence)"))
        #expect(events.count == 1)
        #expect(server.connectionCount == 0)
        #expect(events.last?.error?.code.isTransient == false)
        // The handle that it was tried on goes on as if nothing had been.
        #expect(await transport.events(of: TransportRequest(url: url)).last?.response?.statusCode == 200)
    }

    @Test func `what the library does not have is refused`() async throws {
        let features = try CurlLibrary.shared.get().features
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let request = TransportRequest(url: url, connection: Connection { $0.httpVersion = .http3 })
        let error = await CurlTransport().events(of: request).last?.error
        if features.hasHTTP3 {
            #expect(error?.code != .unsupportedOption)
        } else {
            #expect(
                error
                    == TransportError(
                        code: .unsupportedOption,
                        message: "Connection.httpVersion asks for HTTP/3, which the libcurl of this system "
                            + "(\(features.version)) does not have"))
        }
    }

    @Test(arguments: ["password", "interface", "certificate"]) func `a NUL is refused`(member: String) async throws {
        let text = "a\u{0}b"
        let connection = Connection { connection in
            switch member {
            case "password": connection.proxy = .server(.init(host: "127.0.0.1", port: 1, password: text))
            case "interface": connection.networkInterface = text
            default: connection.tls.clientCertificate = .pem(certificate: text)
            }
        }
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = await CurlTransport().events(of: TransportRequest(url: url, connection: connection)).last?.error
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.hasPrefix("Connection.") == true)
    }

    @Test func `the settings of a manager reach its requests without a copy`() throws {
        let manager = RequestManager(host: "http://a.test")
        #expect(manager.connection == Connection())
        let before = try manager.buildRequest(for: PlainRequest())
        manager.connection.httpVersion = .http1
        let after = try manager.buildRequest(for: PlainRequest())
        #expect(before.connection.httpVersion == .automatic)
        #expect(after.connection.httpVersion == .http1)
        #expect(try manager.buildRequest(for: PlainRequest()).settings === after.settings)
    }

    @Test func `without compression none is asked for`() async throws {
        let arrived = try await RealServer.arrival(of: PlainRequest()) { $0.connection.acceptsCompression = false }
        #expect(arrived.headers["accept-encoding"] == "identity")
    }
}
