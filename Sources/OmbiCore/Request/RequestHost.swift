#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the requests of a manager go, checked once: what all their URLs (RFC 3986) begin with.
///
/// Whatever a URL cannot hold is percent-encoded as UTF-8; escapes that are there already stay. What would be another
/// URL than the one written is refused: see `RequestURLCheck`.
struct RequestHost: Sendable {
    /// "https://api.example.com:8443"
    private let authority: String
    /// "/v1"; may be empty.
    private let path: String
    private let query: String?

    init(_ text: String) throws {
        let text = Self.trimmed(text)
        try RequestURLCheck.host(text)
        let (place, query) = Self.split(text)
        let bytes = place.utf8
        let name = bytes.index(bytes.firstIndex(of: 0x3A) ?? bytes.startIndex, offsetBy: 3)
        let slash = bytes[name...].firstIndex(of: 0x2F) ?? bytes.endIndex
        authority = String(place[..<slash])
        path = String(place[slash...])
        self.query = query
    }

    /// An empty query leaves that of the path, or else that of the host.
    func url(path: String, query: [URLQueryItem]) throws -> URL {
        let (ownPath, ownQuery) = Self.split(path)
        var text = authority + (try escapedPath(ownPath, written: path))
        if let query = query.isEmpty ? Self.escapeQuery(ownQuery ?? self.query) : Self.text(of: query) {
            text += "?" + query
        }
        guard let url = URL(string: text) else {
            throw MalformedRequest(.url, "\"\(LogMask.url(text).visible)\" is not a URL")
        }
        return url
    }

    private func escapedPath(_ ownPath: String, written: String) throws -> String {
        let path = join(ownPath)
        if path.utf8.allSatisfy(Self.isPlain) { return path }
        try RequestURLCheck.path(path[...], written: written)
        return PercentEncoding.escapeRest(path, allowing: Self.pathCharacters)
    }

    /// Exactly one slash at the joint; an empty path adds none.
    private func join(_ ownPath: String) -> String {
        guard !ownPath.isEmpty else { return path }
        let base = path.utf8.last == 0x2F ? String(path.dropLast()) : path
        return ownPath.utf8.first == 0x2F ? base + ownPath : base + "/" + ownPath
    }

    private static let pathCharacters = "/:@!$&'()*+,;="

    /// Needs neither an escape nor a second look, which a full stop does.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2F...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    private static func trimmed(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func split(_ text: String) -> (String, String?) {
        guard let index = text.utf8.firstIndex(of: 0x3F) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.utf8.index(after: index)...]))
    }

    private static func escapeQuery(_ text: String?) -> String? {
        text.map { PercentEncoding.escapeRest($0, allowing: "/?:@!$&'()*,;=") }
    }

    /// A nil value gives a bare name.
    private static func text(of query: [URLQueryItem]) -> String {
        let allowed = "/?:@!$'()*,"
        return query.map { item in
            let name = PercentEncoding.escape(item.name, allowing: allowed)
            return item.value.map { name + "=" + PercentEncoding.escape($0, allowing: allowed + "=") } ?? name
        }.joined(separator: "&")
    }
}
