#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension URL {
    /// Host and port for messages, "127.0.0.1:8080"; the host alone for a URL without a port.
    package var server: String {
        let host = (host(percentEncoded: false) ?? absoluteString).excerpt()
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// Returns true if scheme, host and port are equal (RFC 6454 §5). A change from http to https on their default
    /// ports preserves the origin: it is the same server, better protected.
    func hasOrigin(of other: URL) -> Bool {
        guard host()?.lowercased() == other.host()?.lowercased() else { return false }
        let schemes = (other.scheme?.lowercased(), scheme?.lowercased())
        if schemes.0 == schemes.1 { return effectivePort == other.effectivePort }
        return schemes == ("http", "https") && other.effectivePort == 80 && effectivePort == 443
    }

    private var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
