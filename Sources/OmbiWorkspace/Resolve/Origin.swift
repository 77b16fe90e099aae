/// Scheme, host and port of a URL (RFC 6454 §4): decides whether the environment's headers may go there.
struct Origin: Equatable {
    private var scheme: String
    private var host: String
    private var port: String

    /// Parses a URL that begins with `http://` or `https://`; nil for any other, or without a host.
    init?(_ address: String) {
        guard let (scheme, authority) = Self.split(address) else { return nil }
        let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let hostEnd = server.last == "]" ? server.endIndex : Self.portColon(in: server) ?? server.endIndex
        let port = server[hostEnd...].dropFirst()
        host = server[..<hostEnd].lowercased()
        guard !host.isEmpty, port.allSatisfy({ $0.isASCII && $0.isNumber }), port.isEmpty || UInt16(port) != nil
        else { return nil }
        self.scheme = scheme
        self.port = port.isEmpty ? (scheme == "https" ? "443" : "80") : String(port)
    }

    static func isAbsolute(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    /// The index of the path in an absolute URL.
    static func pathStart(of address: String) -> String.Index {
        let scheme = address.prefix(8).lowercased() == "https://" ? 8 : 7
        let start = address.index(address.startIndex, offsetBy: scheme, limitedBy: address.endIndex)
        let rest = address[(start ?? address.endIndex)...]
        return rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? address.endIndex
    }

    private static func split(_ address: String) -> (scheme: String, authority: Substring)? {
        guard isAbsolute(address), let colon = address.firstIndex(of: ":") else { return nil }
        let authority = address[..<pathStart(of: address)][colon...].dropFirst(3)
        let isPlain = authority.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
        }
        return authority.isEmpty || !isPlain ? nil : (address[..<colon].lowercased(), authority)
    }

    private static func portColon(in server: Substring) -> String.Index? { server.lastIndex(of: ":") }
}
