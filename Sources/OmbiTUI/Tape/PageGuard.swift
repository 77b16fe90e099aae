import OmbiCore

/// Tells the requests of programs from those that a page of another site has a browser send: any page may send to
/// loopback, and one whose name resolves to it may read the responses.
enum PageGuard {
    /// Returns the reason to refuse a request; nil for none.
    static func refusal(of headers: RequestHeaders) -> String? {
        guard headers.values(for: "Host").allSatisfy({ isOwn($0.text) }) else {
            return "the Host is not this machine; use the URL as it was printed"
        }
        let origins = headers.values(for: "Origin").map(\.text)
        guard origins.allSatisfy(isLoopback) else {
            return "a page that this machine does not serve has sent the request; serve it from localhost"
        }
        // A page loads images and scripts without naming itself.
        guard origins.isEmpty, headers["Sec-Fetch-Site"]?.text == "cross-site",
            headers["Sec-Fetch-Mode"]?.text != "navigate"
        else { return nil }
        let referrer = headers["Referer"]?.text ?? ""
        return isLoopback(referrer) ? nil : "a page of another site has sent the request"
    }

    /// Returns true for a Host that no foreign name server answers for: an address, a name without a dot, and the
    /// domains that are reserved for machines and private networks.
    private static func isOwn(_ host: String) -> Bool {
        guard !host.hasPrefix("[") else { return true }
        let name = name(in: host[...])
        return !name.contains(".") || TapeSocket.isAddress(name) || name.hasSuffix(".localhost")
            || name.hasSuffix(".internal")
    }

    /// Returns true for the URL of a page that this machine serves.
    private static func isLoopback(_ url: String) -> Bool {
        guard let end = url.firstRange(of: "://") else { return false }
        let authority = url[end.upperBound...].prefix { !"/?#".contains($0) }
        guard !authority.hasPrefix("[") else { return authority.hasPrefix("[::1]") }
        let name = name(in: authority)
        return name == "localhost" || name.hasSuffix(".localhost") || TapeSocket.isLoopback(name)
    }

    /// Without the port, and without the dot that ends a name.
    private static func name(in authority: Substring) -> String {
        let name = authority.prefix { $0 != ":" }.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
