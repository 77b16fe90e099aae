#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A parsed `Set-Cookie` field (RFC 6265bis §5.6). `CookieRules` decides whether the cookie is stored.
package struct SetCookie: Equatable {
    /// The lifetime of a cookie.
    package enum Lifetime: Equatable {
        case session
        case until(Date)
    }

    package var name: String
    package var value: String
    /// `Max-Age` takes precedence.
    private var expires: Date?
    private var maxAge: Int?
    /// The domain in lower case, without a leading dot; empty means none.
    private(set) var domain: String?
    /// True for any `Path` attribute, valid or not.
    private(set) var hasPath = false
    /// nil for the default path.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: Cookie.SameSite?

    private static let maximumPairBytes = 4096
    private static let maximumAttributeBytes = 1024
    /// 400 days, in seconds (§5.5).
    static let maximumAge = 400 * 86_400

    /// Returns nil for a field that is ignored as a whole.
    package init?(_ field: some StringProtocol) {
        guard !field.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else { return nil }
        var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        let pair = parts.removeFirst()
        let (name, value) = Self.pair(String(decoding: pair, as: UTF8.self))
        self.name = value == nil ? "" : name
        self.value = value ?? name
        guard self.name.utf8.count + self.value.utf8.count <= Self.maximumPairBytes,
            !(self.name.isEmpty && self.value.isEmpty)
        else { return nil }
        for part in parts { read(attribute: String(decoding: part, as: UTF8.self)) }
    }

    private mutating func read(attribute: String) {
        let (name, written) = Self.pair(attribute)
        let value = written ?? ""
        guard value.utf8.count <= Self.maximumAttributeBytes else { return }
        switch name.lowercased() {
        case "expires": if let date = CookieDate.parse(value) { expires = date }
        case "max-age": if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain": domain = (value.utf8.first == UInt8(ascii: ".") ? String(value.dropFirst()) : value).lowercased()
        case "path":
            hasPath = true
            path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite.allCases.first { $0.rawValue.lowercased() == value.lowercased() }
        default: return
        }
    }

    func lifetime(from now: Date) -> Lifetime {
        let limit = now.addingTimeInterval(Double(Self.maximumAge))
        if let maxAge {
            return .until(maxAge <= 0 ? .distantPast : now.addingTimeInterval(Double(min(maxAge, Self.maximumAge))))
        }
        return expires.map { .until(min($0, limit)) } ?? .session
    }

    /// Splits at the first equals sign and trims both sides; the second is nil without one.
    private static func pair(_ text: String) -> (String, String?) {
        guard let index = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(text[...]), nil) }
        return (trimmed(text[..<index]), trimmed(text[text.utf8.index(after: index)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var bytes = text.utf8.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses digits with an optional minus sign; out-of-range numbers are clamped.
    private static func seconds(_ text: String) -> Int? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !text.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let isNegative = digits.count < text.utf8.count
        guard !digits.isEmpty else { return 0 }
        return Int(text) ?? (isNegative ? .min : .max)
    }
}
