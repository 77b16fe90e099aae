import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Files that libcurl would open: what is no file is refused before it does.
@Suite struct ConnectionFileTests {
    enum Kind: String, CaseIterable, Sendable {
        case pipe, linkToPipe, folder, device, listener

        func make(in folder: String) throws -> String {
            let path = folder + "/x"
            switch self {
            case .pipe: #expect(mkfifo(path, 0o600) == 0)
            case .linkToPipe:
                #expect(mkfifo(folder + "/pipe", 0o600) == 0)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "pipe")
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .device: return "/dev/zero"
            case .listener:
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
                let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(descriptor) }
                let bound = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                #expect(bound == 0)
            }
            return path
        }
    }

    static let members: [(name: String, set: @Sendable (inout Connection, String) -> Void)] = [
        ("tls.caFile", { $0.tls.caFile = $1 }),
        ("tls.clientCertificate", { $0.tls.clientCertificate = .pem(certificate: $1) }),
        ("tls.clientCertificate", { $0.tls.clientCertificate = .pem(certificate: "/nowhere.pem", key: $1) }),
        ("tls.clientCertificate", { $0.tls.clientCertificate = .pkcs12(file: $1) }),
    ]

    @Test(arguments: Kind.allCases, members.indices) func `what is no file is refused`(kind: Kind, member: Int)
        async throws
    {
        let folder = NSTemporaryDirectory() + "ombi-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try kind.make(in: folder)
        let (name, set) = Self.members[member]
        let transport = CurlTransport()
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let request = TransportRequest(url: url, connection: Connection { set(&$0, path) })
        let error = await transport.events(of: request).last?.error
        #expect(
            error
                == TransportError(
                    code: .unsupportedOption,
                    message: "Connection.\(name) names \(path.excerpt()), which is not a regular file"))
        // The loop goes on.
        let server = try LoopbackServer { _ in .ok("sent") }
        defer { server.stop() }
        let plain = TransportRequest(url: try #require(URL(string: server.host)))
        #expect(await transport.events(of: plain).last?.response?.statusCode == 200)
    }

    @Test(arguments: members.indices) func `a file that is missing is an error of libcurl`(member: Int) async throws {
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let request = TransportRequest(
            url: url, connection: Connection { Self.members[member].set(&$0, "/nowhere.pem") })
        #expect(await CurlTransport().events(of: request).last?.error?.code != .unsupportedOption)
    }
}
