/// The parts of a text that carry a credential: the value of a cookie, the password and the parameters of a URL, what stands
/// behind the scheme of an authorization.
enum SecretParts {
    static func isCookie(_ name: String) -> Bool { ["cookie", "set-cookie"].contains(name.lowercased()) }

    /// Every value of a `Cookie`: which of them is a session, only its server knows. Attributes of a `Set-Cookie` count, too.
    static func ofCookie(_ text: String) -> [SecretDetector.Finding] {
        text.split(separator: ";").map { pair in
            let end = pair.firstIndex(of: "=")
            let name = end.map { String(pair[..<$0]).trimmed } ?? "cookie"
            let value = trimmedRange(of: end.map { pair[pair.index(after: $0)...] } ?? pair)
            return .init(kind: "a cookie", name: name, range: value)
        }
    }

    /// The password in front of the host of a URL, and the parameters that are named like credentials.
    /// - Parameter isPath: true for a text that is a path without a host, too.
    static func ofURL(_ text: String, isPath: Bool) -> [SecretDetector.Finding] {
        guard let scheme = text.firstRange(of: "://") else { return isPath ? ofQuery(text) : [] }
        guard !text[..<scheme.lowerBound].contains(where: \.isWhitespace) else { return [] }
        return ofUserInfo(text, after: scheme.upperBound) + ofQuery(text)
    }

    private static func ofUserInfo(_ text: String, after start: String.Index) -> [SecretDetector.Finding] {
        let authority = text[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else { return [] }
        return [.init(kind: "a password", name: "password", range: text.index(after: colon)..<at)]
    }

    private static func ofQuery(_ text: String) -> [SecretDetector.Finding] {
        guard let mark = text.firstIndex(of: "?") else { return [] }
        let query = text[text.index(after: mark)...].prefix { $0 != "#" }
        return query.split(separator: "&").compactMap { pair in
            guard let end = pair.firstIndex(of: "=") else { return nil }
            let name = String(pair[..<end])
            let value = pair[pair.index(after: end)...]
            guard !value.contains("://"), let found = SecretDetector.find(in: String(value), named: name).first
            else { return nil }
            return .init(kind: found.kind, name: name, range: value.startIndex..<value.endIndex)
        }
    }

    private static let schemes: Set<String> = ["bearer", "token", "basic", "apikey", "key", "digest", "jwt", "oauth"]

    /// The text behind a scheme such as `Bearer`, which is no secret. A pass phrase of several words has none.
    static func withoutScheme(_ text: String, isAuthorization: Bool) -> Range<String.Index> {
        let whole = trimmedRange(of: text[...])
        guard let space = text[whole].firstIndex(of: " "),
            isAuthorization || schemes.contains(text[whole.lowerBound..<space].lowercased())
        else {
            return isAuthorization && schemes.contains(text[whole].lowercased())
                ? whole.upperBound..<whole.upperBound : whole
        }
        return trimmedRange(of: text[space..<whole.upperBound])
    }

    private static func trimmedRange(of text: Substring) -> Range<String.Index> {
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? start
        return start..<end
    }
}
