#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the URL of a request (RFC 3986). Pure.
///
/// Whatever a URL cannot hold is percent-encoded as UTF-8; escapes that are there already stay. What would be another
/// URL than the one written is refused: see `RequestURLCheck`.
enum RequestURL {
    static func make(host: String, path: String, query: [URLQueryItem]) throws -> URL {
        let host = trimmed(host)
        try RequestURLCheck.host(host)
        let (base, baseQuery) = split(host, at: "?")
        let (ownPath, ownQuery) = split(path, at: "?")
        let place = join(base, ownPath)
        try RequestURLCheck.path(place.dropFirst(authorityEnd(place)), written: path)
        var text = escapePath(place)
        let queryText = query.isEmpty ? escapeQuery(ownQuery ?? baseQuery) : make(query)
        if let queryText { text += "?" + queryText }
        guard let url = URL(string: text), url.scheme != nil else {
            throw MalformedRequest(.url, "\"\(LogMask.url(text).visible)\" is not a URL")
        }
        return url
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
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

    /// How many characters stand before the path: the scheme and the host.
    private static func authorityEnd(_ text: String) -> Int {
        let name = text.firstIndex(of: ":").flatMap { text.index($0, offsetBy: 3, limitedBy: text.endIndex) }
        let slash = text[(name ?? text.startIndex)...].firstIndex(of: "/") ?? text.endIndex
        return text.distance(from: text.startIndex, to: slash)
    }

    /// Escapes the path and leaves the scheme and the host as they are.
    private static func escapePath(_ text: String) -> String {
        let end = authorityEnd(text)
        return text.prefix(end) + PercentEncoding.escapeRest(text.dropFirst(end), allowing: pathCharacters)
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
