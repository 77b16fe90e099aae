/// One of the addresses of a server, to which requests are sent alone: is it the one that fails? It lasts as long as the
/// program, and is in no file.
struct OnlyAddress: Equatable, Sendable {
    /// As `resolve` of a connection has it: `api.example.com:443:10.0.3.7`.
    let text: String
    let host: String
    /// `10.0.3.7`
    let address: String

    /// - Parameters:
    ///   - remote: an address with its port, as it was recorded.
    ///   - url: one of a request that reached it.
    /// - Returns: nil where the URL is masked, or names the address itself, and for the address of a proxy or of a socket.
    init?(_ remote: String, of url: String) {
        guard !url.contains(LogMask.mask), !remote.hasPrefix("/"), let url = URL(string: url), let host = url.host(),
            !host.isEmpty, !host.contains(":"), let colon = remote.lastIndex(of: ":")
        else { return nil }
        let isSecure = ["https", "wss"].contains(url.scheme?.lowercased() ?? "")
        let port = String(url.port ?? (isSecure ? 443 : 80))
        let address = String(remote[..<colon])
        guard remote[remote.index(after: colon)...] == port, address != host else { return nil }
        (self.host, self.address, text) = (host, address, "\(host):\(port):\(address)")
    }
}
