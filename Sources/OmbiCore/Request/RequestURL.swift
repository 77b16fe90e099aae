#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the URL of a request. Pure.
enum RequestURL {
    static func make(host: String, path: String, query: [URLQueryItem]) throws -> URL {
        let host = trimmed(host)
        try checkHost(host)
        let (base, baseQuery) = split(host, at: "?")
        let (ownPath, ownQuery) = split(path, at: "?")
        var text = escapePath(join(base, ownPath))
        let queryText = query.isEmpty ? escapeQuery(ownQuery ?? baseQuery) : make(query)
        if let queryText { text += "?" + queryText }
        guard let url = URL(string: text), url.scheme != nil else {
            throw MalformedRequest("\"\(text)\" is not a URL")
        }
        return url
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func checkHost(_ host: String) throws {
        guard !host.isEmpty else { throw MalformedRequest("the host is empty; write it as https://api.example.com") }
        let lower = host.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lower.hasPrefix($0) }) else {
            throw MalformedRequest(
                "the host \"\(host)\" does not begin with http:// or https://; write it as https://api.example.com")
        }
        let authority = host.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let name = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !name.isEmpty, name.first != ":" else {
            throw MalformedRequest("the host \"\(host)\" has no name after \(scheme)")
        }
        guard !name.contains(where: { $0.isWhitespace || "{}<>\"\\^`|".contains($0) || $0.isNewline }) else {
            throw MalformedRequest("the host \"\(host)\" contains a character that no host name has")
        }
        try checkPort(name, host: host)
    }

    private static func checkPort(_ name: Substring, host: String) throws {
        let afterAddress = name.split(separator: "]", omittingEmptySubsequences: false).last ?? name
        guard let colon = afterAddress.lastIndex(of: ":") else { return }
        let port = afterAddress[afterAddress.index(after: colon)...]
        guard let number = Int(port), (1...65_535).contains(number) else {
            throw MalformedRequest("the port \"\(port)\" of the host \"\(host)\" is not a number from 1 to 65535")
        }
    }

    /// Exactly one slash at the joint; an empty path adds none.
    private static func join(_ base: String, _ path: String) -> String {
        guard !path.isEmpty else { return base }
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        return path.hasPrefix("/") ? base + path : base + "/" + path
    }

    private static func split(_ text: String, at separator: Character) -> (String, String?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    private static let pathCharacters = "/:@!$&'()*+,;="

    /// Escapes the path and leaves the scheme and the host as they are.
    private static func escapePath(_ text: String) -> String {
        let name = text.firstIndex(of: ":").flatMap { text.index($0, offsetBy: 3, limitedBy: text.endIndex) }
        let slash = text[(name ?? text.startIndex)...].firstIndex(of: "/") ?? text.endIndex
        return text[..<slash] + PercentEncoding.escapeRest(text[slash...], allowing: pathCharacters)
    }

    private static func escapeQuery(_ text: String?) -> String? {
        text.map { PercentEncoding.escapeRest($0, allowing: "/?:@!$&'()*,;=") }
    }

    /// A nil value gives a bare name.
    private static func make(_ query: [URLQueryItem]) -> String {
        let allowed = "/?:@!$'()*,"
        return query.map { item in
            let name = PercentEncoding.escape(item.name, allowing: allowed)
            return item.value.map { name + "=" + PercentEncoding.escape($0, allowing: allowed + "=") } ?? name
        }.joined(separator: "&")
    }
}
