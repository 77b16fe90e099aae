#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension URL {
    /// What goes into the request line: path and query as they are escaped in the URL (RFC 9112 §3.2.1).
    var requestTarget: String { escapedPath + (query(percentEncoded: true).map { "?" + $0 } ?? "") }

    /// "/" at least.
    var escapedPath: String {
        let path = path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// "https://api.example.com:443": what credentials are for.
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
