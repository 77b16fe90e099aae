#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// References between schemas (RFC 3986), as texts.
package enum SchemaURI {
    static func resolve(_ reference: String, against base: String) -> String {
        if reference.isEmpty { return base }
        if reference.hasPrefix("#") { return withoutFragment(base) + reference }
        if hasScheme(reference) { return reference }
        guard let whole = URL(string: base), let url = URL(string: reference, relativeTo: whole) else {
            return reference
        }
        return url.absoluteURL.absoluteString
    }

    static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter ?? false else { return false }
        return text[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }

    static func withoutFragment(_ uri: String) -> String { String(uri.prefix { $0 != "#" }) }

    /// Returns what follows `#`, with its escapes decoded.
    static func fragment(_ uri: String) -> String {
        guard let start = uri.firstIndex(of: "#") else { return "" }
        return unescaped(uri[uri.index(after: start)...])
    }

    /// Returns a text with its percent-escapes decoded; what is no escape stays.
    package static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(Substring(rest.prefix(2)))
            guard byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
