import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// What an attempt reports of its TLS connection.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
struct TLSReportTests {
    private static let isKnown = (try? CurlLibrary.shared.get().openSSL) != nil

    func reports(
        _ site: NginxServer.Site, of count: Int = 1, _ change: (inout Connection, NginxServer) -> Void
    ) async throws -> [TransportMetrics] {
        let server = try NginxServer([site])
        defer { server.stop() }
        let url = try #require(URL(string: server.host))
        let request = TransportRequest(url: url, connection: Connection { change(&$0, server) })
        let transport = CurlTransport()
        var all: [TransportMetrics] = []
        for _ in 0..<count { all.append(try #require(await transport.events(of: request).last?.metrics)) }
        return all
    }

    @Test(.enabled(if: isKnown, "libcurl has another library than OpenSSL for TLS"))
    func `the chain is as the server sent it`() async throws {
        let tls = try #require(
            try await reports(.chain) { $0.tls.caFile = $1.file("root.pem") }.first?.tls)
        #expect(tls.version == "TLSv1.2")
        #expect(tls.cipher?.hasPrefix("ECDHE-ECDSA-") == true, "\(tls.cipher ?? "")")
        #expect(tls.isVerified)
        #expect(
            tls.certificates.map(\.subject) == [
                "CN = Ombi chained server, O = Ombi", "CN = Ombi test intermediate, O = Ombi",
            ])
        #expect(
            tls.certificates.map(\.issuer) == [
                "CN = Ombi test intermediate, O = Ombi", "O = Ombi, CN = Ombi test root",
            ])
        #expect(tls.certificates.map(\.names) == [["127.0.0.1", "::1", "localhost", "*.ombi.test"], []])
        #expect(tls.certificates.allSatisfy { $0.notBefore == Date(timeIntervalSince1970: 1_767_225_600) })
        #expect(tls.certificates.allSatisfy { $0.notAfter == Date(timeIntervalSince1970: 4_922_899_200) })
    }

    @Test(arguments: [NginxServer.Site.standard, .http1, .newTLS])
    func `every request over a connection reports the same`(site: NginxServer.Site) async throws {
        let all = try await reports(site, of: 3) { $0.tls.caFile = $1.authorityFile }
        #expect(all.map(\.reusedConnection) == [false, true, true])
        #expect(all[0].tls != nil)
        #expect(all.allSatisfy { $0.tls == all[0].tls })
    }

    @Test(.enabled(if: isKnown, "libcurl has another library than OpenSSL for TLS"))
    func `what is not verified says so`() async throws {
        let tls = try #require(
            try await reports(.selfSigned) { connection, _ in connection.tls.verifiesServer = false }.first?.tls)
        #expect(!tls.isVerified)
        #expect(tls.certificates.map(\.subject) == ["CN = Ombi self-signed server"])
    }

    @Test(
        .enabled(if: isKnown, "libcurl has another library than OpenSSL for TLS"),
        arguments: [
            (NginxServer.Site.chain, ["CN = Ombi chained server, O = Ombi", "CN = Ombi test intermediate, O = Ombi"]),
            (.selfSigned, ["CN = Ombi self-signed server"]),
        ])
    func `a chain that is not trusted is reported as the server sent it`(
        site: NginxServer.Site, subjects: [String]
    ) async throws {
        let metrics = try await reports(site) { _, _ in }.first
        #expect(metrics?.tls?.certificates.map(\.subject) == subjects)
        #expect(metrics?.tls?.isVerified == false && metrics?.tls?.version == nil)
    }

    @Test func `without TLS there is none`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let url = try #require(URL(string: server.host))
        let metrics = await CurlTransport().events(of: TransportRequest(url: url)).last?.metrics
        #expect(metrics != nil)
        #expect(metrics?.tls == nil)
    }

    @Test func `a report goes with its connection`() async throws {
        let all = try await reports(.http1, of: 1) { $0.tls.caFile = $1.authorityFile }
        let again = try await reports(.selfSigned) { connection, _ in connection.tls.verifiesServer = false }
        #expect(all.first?.tls?.certificates != again.first?.tls?.certificates)
    }
}
