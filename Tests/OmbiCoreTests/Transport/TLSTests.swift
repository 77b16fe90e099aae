import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Trust, keys, versions and certificates against nginx (package nginx-light), with certificate authorities of our own.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
struct TLSTests {
    func withServer(_ sites: [NginxServer.Site] = [.standard], _ use: (NginxServer) async throws -> Void) async throws {
        let server = try NginxServer(sites)
        defer { server.stop() }
        try await use(server)
    }

    func last(
        _ address: String, on transport: CurlTransport = CurlTransport(),
        _ change: (inout Connection) -> Void = { _ in }
    ) async throws -> TransportEvent? {
        let url = try #require(URL(string: address))
        return await transport.events(of: TransportRequest(url: url, connection: Connection(change))).last
    }

    func text(_ event: TransportEvent?) -> String? {
        event?.response?.body.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a trusted server answers in HTTP/2`() async throws {
        try await withServer { server in
            let url = try #require(URL(string: server.host + "/"))
            let transport = CurlTransport()
            let request = TransportRequest(url: url, connection: Connection { $0.tls.caFile = server.authorityFile })
            let events = await transport.events(of: request)
            #expect(text(events.last)?.hasSuffix(" HTTP/2.0") == true, "\(events)")
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

    @Test func `requests at once share one connection`() async throws {
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

    @Test func `an unknown authority is not trusted`() async throws {
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

    @Test func `a certificate for another name is not trusted`() async throws {
        try await withServer { server in
            let error = try await last("https://localhost:\(server.port)/") {
                $0.tls.caFile = server.authorityFile
            }?.error
            #expect(error?.code == .certificateNotTrusted)
            #expect(error?.message.contains("localhost") == true)
        }
    }

    @Test func `a missing file of certificates is named`() async throws {
        try await withServer { server in
            let error = try await last(server.host + "/") { $0.tls.caFile = "/nowhere/authority.pem" }?.error
            #expect(error?.code == .certificateNotTrusted)
            #expect(error?.message.contains("/nowhere/authority.pem") == true, "\(error?.message ?? "")")
            #expect(error?.advice == "check Connection.tls.caFile")
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"]) func `who does not verify trusts all`(name: String) async throws {
        try await withServer { server in
            let last = try await last("https://\(name):\(server.port)/") { $0.tls.verifiesServer = false }
            #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
        }
    }

    @Test(arguments: [
        (NginxServer.Site.expired, "expired"), (.future, "not yet valid"), (.selfSigned, "self"),
    ]) func `a bad certificate is refused with its reason`(site: NginxServer.Site, word: String) async throws {
        try await withServer([site]) { server in
            let error = try await last(server.host) { $0.tls.caFile = server.file("root.pem") }?.error
            #expect(error?.code == .certificateNotTrusted)
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            let unverified = try await last(server.host) {
                $0.tls.caFile = server.file("root.pem")
                $0.tls.verifiesServer = false
            }
            #expect(unverified?.metrics?.tls?.isVerified == false)
        }
    }

    // MARK: Pinned keys

    @Test func `a pinned key is accepted`() async throws {
        try await withServer { server in
            for pins in [[Self.pin], [Self.otherPin, Self.pin]] {
                let last = try await last(server.host) {
                    $0.tls.caFile = server.authorityFile
                    $0.tls.pinnedPublicKeys = pins
                }
                #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
            }
        }
    }

    @Test(arguments: [true, false]) func `another key is refused`(verifies: Bool) async throws {
        try await withServer { server in
            let error = try await last(server.host) {
                $0.tls.caFile = server.authorityFile
                $0.tls.verifiesServer = verifies
                $0.tls.pinnedPublicKeys = [Self.otherPin]
            }?.error
            #expect(
                error
                    == TransportError(
                        code: .certificateNotTrusted,
                        message:
                            "could not make a secure connection to 127.0.0.1:\(server.port): its public key is none "
                            + "of Connection.tls.pinnedPublicKeys"))
        }
    }

    /// Of `TestCertificates.server`.
    private static let pin = "sha256//UVWddweyjhtl4kZiYlYUMLhJQnXZ1MY8UryMDPIbmVY="
    private static let otherPin = "sha256//" + Data(count: 32).base64EncodedString()

    // MARK: Versions

    @Test(arguments: [
        (NginxServer.Site.newTLS, Connection.TLS.Version.v1_2, "TLSv1.3" as String?), (.newTLS, .v1_3, "TLSv1.3"),
        (.standard, .v1_0, "TLSv1.2"), (.standard, .v1_3, nil), (.oldTLS, .v1_2, nil), (.oldTLS, .v1_1, "TLSv1.1"),
        (.oldTLS, .v1_0, "TLSv1.1"),
    ]) func `the minimum version holds`(
        site: NginxServer.Site, minimum: Connection.TLS.Version, expected: String?
    ) async throws {
        try await withServer([site]) { server in
            let last = try await last(server.host) {
                $0.tls.caFile = server.authorityFile
                $0.tls.minimumVersion = minimum
            }
            #expect(last?.response?["X-TLS"] == expected.map { .string($0) }, "\(String(describing: last))")
            if expected == nil { #expect(last?.error?.code == .secureConnectionFailed) }
        }
    }

    @Test(arguments: [(Connection.HTTPVersion.http1, "1.1"), (.http2, "2"), (.automatic, "2")])
    func `the version of HTTP holds`(version: Connection.HTTPVersion, expected: String) async throws {
        try await withServer { server in
            let last = try await last(server.host) {
                $0.tls.caFile = server.authorityFile
                $0.httpVersion = version
            }
            #expect(last?.metrics?.httpVersion == expected)
        }
    }

    // MARK: Client certificates

    @Test(arguments: ["two files", "one file", "an encrypted key", "PKCS#12"])
    func `the client shows its certificate`(form: String) async throws {
        try await withServer([.clientCertificate]) { server in
            let certificate: Connection.ClientCertificate =
                switch form {
                case "two files": .pem(certificate: server.file("client.pem"), key: server.file("client.key"))
                case "one file": .pem(certificate: server.file("both.pem"))
                case "PKCS#12": .pkcs12(file: server.file("client.p12"), password: "secret")
                default:
                    .pem(certificate: server.file("client.pem"), key: server.file("encrypted.key"), password: "secret")
                }
            let last = try await last(server.host) {
                $0.tls.caFile = server.authorityFile
                $0.tls.clientCertificate = certificate
            }
            #expect(text(last) == "O=Ombi,CN=Ombi test client", "\(String(describing: last))")
        }
    }

    /// Without a password OpenSSL would ask for one on the terminal, and the loop would wait for it.
    @Test(arguments: [nil, "wrong"]) func `a key that stays locked is an error`(password: String?) async throws {
        try await withServer([.clientCertificate]) { server in
            for certificate: Connection.ClientCertificate in [
                .pem(certificate: server.file("client.pem"), key: server.file("encrypted.key"), password: password),
                .pkcs12(file: server.file("client.p12"), password: password),
            ] {
                let error = try await last(server.host) {
                    $0.tls.caFile = server.authorityFile
                    $0.tls.clientCertificate = certificate
                }?.error
                #expect(error?.code == .unsupportedOption, "\(String(describing: error))")
                #expect(error?.advice == "check Connection.tls.clientCertificate")
                #expect(error?.code.isTransient == false)
            }
        }
    }

    @Test func `a missing certificate is named`() async throws {
        try await withServer([.clientCertificate]) { server in
            let error = try await last(server.host) {
                $0.tls.caFile = server.authorityFile
                $0.tls.clientCertificate = .pem(certificate: "/nowhere/client.pem")
            }?.error
            #expect(
                error?.message
                    == "could not make a secure connection to 127.0.0.1:\(server.port): the client certificate cannot "
                    + "be used (the file /nowhere/client.pem cannot be read (No such file or directory))")
        }
    }
}
