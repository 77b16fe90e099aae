#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Masking of credentials in logs. Pure, and suitable for excerpts: a value that was cut off is masked to its end.
///
/// The name decides; a secret with a harmless name has to be marked as one.
package enum LogMask {
    package static let mask = "••••••"

    private static let words = [
        "apikey", "token", "secret", "password", "passwd", "passphrase", "credential", "accesskey", "privatekey",
        "authorization", "signature", "cookie", "sessionid",
    ]
    private static let wholeNames: Set<String> = [
        "auth", "bearer", "key", "pwd", "pass", "pin", "sig", "jwt", "otp", "session", "codeverifier", "devicecode",
        "assertion",
    ]

    /// Returns true for names of credentials: "access_token", "X-Api-Key", "clientSecret".
    static func isSensitive(_ name: some StringProtocol) -> Bool {
        let separators = "-_. []".utf8
        let plain = name.lowercased().utf8.filter { !separators.contains($0) }
        return wholeNames.contains(String(decoding: plain, as: UTF8.self)) || words.contains { isPart($0, of: plain) }
    }

    /// Compares bytes: it is called for each header and each member of a body.
    private static func isPart(_ word: String, of text: [UInt8]) -> Bool {
        let word = word.utf8
        guard let first = word.first, text.count >= word.count else { return false }
        return text.indices.dropLast(word.count - 1).contains { start in
            text[start] == first && text[start..<start + word.count].elementsEqual(word)
        }
    }

    /// Returns a URL without the user name and password before its host, and without the values of sensitive parameters
    /// and of those in `names`.
    package static func url(_ text: String, hiding names: Set<String> = []) -> String {
        let (address, query) = cut(text, at: "?")
        return userInfo(address) + (query.map { "?" + form($0, hiding: names) } ?? "")
    }

    /// Returns a URL without the values that a request marks as secret.
    package static func url(_ url: URL, of request: TransportRequest?) -> String {
        self.url(url.absoluteString, hiding: request?.sensitiveQueryNames ?? [])
    }

    private static func userInfo(_ text: String) -> String {
        guard let scheme = text.firstIndex(of: ":"),
            let start = text.index(scheme, offsetBy: 3, limitedBy: text.endIndex),
            let at = text[start...].prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@")
        else { return text }
        return text[..<start] + mask + text[at...]
    }

    /// Masks `name=value&name=value`, in a query or a body. `code` is a secret together with an OAuth grant.
    static func form(_ text: String, hiding names: Set<String> = []) -> String {
        let isGrant = text.hasPrefix("grant_type=") || text.contains("&grant_type=")
        return text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let (name, value) = cut(String(pair), at: "=")
            let plain = PercentEncoding.unescapeForm(name)
            guard value != nil, isSensitive(plain) || names.contains(plain) || (isGrant && plain == "code") else {
                return String(pair)
            }
            return "\(name)=\(mask)"
        }.joined(separator: "&")
    }

    private static func cut(_ text: String, at separator: Character) -> (String, String?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    /// Masks the values of sensitive members in JSON, complete or cut off.
    package static func json(_ text: String) -> String {
        var scanner = JSONMaskScanner(text)
        return scanner.masked()
    }
}
