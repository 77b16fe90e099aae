extension URL {
    /// The target in the request line: path and query, escaped as in the URL (RFC 9112 §3.2.1).
    var requestTarget: String { escapedPath + (query(percentEncoded: true).map { "?" + $0 } ?? "") }

    /// The escaped path; "/" if empty.
    var escapedPath: String {
        let path = path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// The scope of credentials: "https://api.example.com:443".
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
