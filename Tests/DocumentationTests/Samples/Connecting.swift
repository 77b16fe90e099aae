import OmbiCore

enum Connecting {
    static func settings(_ manager: RequestManager) {
        // sample: Connections/settings
        manager.connection = Connection {
            $0.connectTimeout = .seconds(5)
            $0.httpVersion = .http1
            $0.addressFamily = .ipv4
            $0.maximumConnectionsPerHost = 2
        }
        // end
    }

    static func proxy(_ manager: RequestManager, password: String) {
        // sample: Connections/proxy
        manager.connection.proxy = .server(
            .init(
                scheme: .socks5h, host: "proxy.example.com", port: 1080, username: "ada", password: password,
                bypasses: ["localhost", "internal.example.com"]))
        // end
    }

    static func trust(_ manager: RequestManager) {
        // sample: Connections/trust
        manager.connection.tls.caFile = "certificates/ca.pem"
        manager.connection.tls.clientCertificate = .pem(certificate: "client.pem", key: "client.key")
        manager.connection.tls.minimumVersion = .v1_3
        // end
    }

    static func addresses(_ manager: RequestManager) {
        // sample: Connections/addresses
        manager.connection.addresses = [
            .init(host: "api.example.com", port: 443, address: "10.0.3.17")
        ]
        // end
    }

    static func redirects(_ manager: RequestManager) {
        // sample: Connections/redirects
        manager.connection.redirects = RedirectPolicy(maximum: 3, keepsMethod: true)
        // end
    }

    // sample: Connections/report
    func describe(_ metrics: TransportMetrics) -> [String] {
        var lines = metrics.redirects.map { hop in
            "\(hop.head.statusCode) to \(hop.target.absoluteString), without \(hop.withheld.map(\.name))"
        }
        if let tls = metrics.tls {
            lines.append("\(tls.version ?? "TLS"), \(tls.isVerified ? "verified" : "not verified")")
            lines += tls.certificates.map { "\($0.subject), issued by \($0.issuer)" }
        }
        return lines
    }
    // end
}
