import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// TLS and HTTP/2 against nginx (package nginx-light), with a certificate authority of our own.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
struct TLSTests {
    func withServer(_ use: (NginxServer) async throws -> Void) async throws {
        let server = try NginxServer()
        defer { server.stop() }
        try await use(server)
    }

    func last(
        _ address: String, _ change: (inout Connection) -> Void = { _ in }
    ) async throws -> TransportEvent? {
        let url = try #require(URL(string: address))
        return await CurlTransport().events(of: TransportRequest(url: url, connection: Connection(change))).last
    }

    @Test func aTrustedServerAnswersInHTTP2() async throws {
        try await withServer { server in
            let url = try #require(URL(string: server.host + "/"))
            let transport = CurlTransport()
            let request = TransportRequest(url: url, connection: Connection { $0.tls.caFile = server.authorityFile })
            let events = await transport.events(of: request)
            let text = events.last?.response?.body.map { String(decoding: $0, as: UTF8.self) }
            #expect(text?.hasSuffix(" HTTP/2.0") == true, "\(events)")
            let metrics = events.last?.metrics
            #expect(metrics?.httpVersion == "2")
            #expect(metrics?.reusedConnection == false)
            let timings = try #require(metrics?.timings)
            #expect(timings.tls > .zero)
            #expect(events.contains(.phase(.tls)))
            let again = await transport.events(of: request).last?.metrics
            #expect(again?.reusedConnection == true)
            #expect(again?.timings.tls == .zero)
        }
    }

    @Test func requestsAtOnceShareOneConnection() async throws {
        try await withServer { server in
            let url = try #require(URL(string: server.host + "/"))
            let transport = CurlTransport()
            let request = TransportRequest(url: url, connection: Connection { $0.tls.caFile = server.authorityFile })
            async let first = transport.events(of: request).last
            async let second = transport.events(of: request).last
            let all = await [first, second]
            #expect(all.compactMap { $0?.response?.body }.count == 2, "\(all)")
            #expect(Set(all.compactMap { $0?.response?.body }).count == 1, "each had a connection of its own")
            #expect(Set(all.compactMap { $0?.metrics?.reusedConnection }) == [true, false])
        }
    }

    @Test func anUnknownAuthorityIsNotTrusted() async throws {
        try await withServer { server in
            let error = try await last(server.host + "/")?.error
            #expect(error?.code == .certificateNotTrusted)
            let message = try #require(error?.message)
            #expect(message.hasPrefix("could not make a secure connection to 127.0.0.1:\(server.port): "))
            #expect(
                error?.advice
                    == "trust its authority with Connection.tls.caFile, or set Connection.tls.verifiesServer to false")
            #expect(error?.description == "\(message); \(error?.advice ?? "")")
            #expect(error?.code.isTransient == false)
        }
    }

    @Test func aCertificateForAnotherNameIsNotTrusted() async throws {
        try await withServer { server in
            let error = try await last("https://localhost:\(server.port)/") {
                $0.tls.caFile = server.authorityFile
            }?.error
            #expect(error?.code == .certificateNotTrusted)
            #expect(error?.message.contains("localhost") == true)
        }
    }

    @Test func aMissingFileOfCertificatesIsNamed() async throws {
        try await withServer { server in
            let error = try await last(server.host + "/") { $0.tls.caFile = "/nowhere/authority.pem" }?.error
            #expect(error?.code == .certificateNotTrusted)
            #expect(error?.message.contains("/nowhere/authority.pem") == true, "\(error?.message ?? "")")
            #expect(error?.advice == "check Connection.tls.caFile")
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"]) func whoDoesNotVerifyTrustsAll(name: String) async throws {
        try await withServer { server in
            let last = try await last("https://\(name):\(server.port)/") { $0.tls.verifiesServer = false }
            #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
        }
    }
}
