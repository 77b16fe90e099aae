#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stored cookie (RFC 6265bis §5.7). Its description omits the value.
public struct Cookie: Sendable, Hashable, Codable {
    /// The cross-site requests that may carry a cookie. Stored and listed only: a client without pages makes no
    /// cross-site requests.
    public enum SameSite: String, Sendable, Hashable, Codable, CaseIterable {
        /// Requests from the same site only.
        case strict = "Strict"
        /// Also top-level navigations from other sites.
        case lax = "Lax"
        /// All requests; requires `Secure`.
        case none = "None"
    }

    /// The name, which identifies a cookie together with domain and path; may be empty.
    public var name: String
    /// The value as sent, quotation marks included.
    public var value: String
    /// The domain in lower case, without a leading dot.
    public var domain: String
    /// Excludes subdomains of `domain`.
    public var isHostOnly: Bool
    /// The path prefix that a request must match.
    public var path: String
    /// The expiry; nil for a session cookie.
    public var expiresAt: Date?
    /// Restricts the cookie to secure connections: HTTPS, and loopback addresses.
    public var isSecure: Bool
    /// Hides the cookie from scripts of a page; without effect here.
    public var isHTTPOnly: Bool
    /// nil if the server did not say.
    public var sameSite: SameSite?
    /// The time at which it was first stored. Older cookies are sent first.
    public var createdAt: Date

    /// Creates a cookie; by default a host-only session cookie for all paths.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expiresAt: Date? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil,
        createdAt: Date = Date()
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expiresAt = expiresAt
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.createdAt = createdAt
    }
}

extension Cookie {
    /// The form in a `Cookie` field: "name=value", or the bare value without a name.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    func hasExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Returns true if both have the same identity (§5.7 step 23).
    func replaces(_ other: Cookie) -> Bool {
        name == other.name && path == other.path && isHostOnly == other.isHostOnly && domain == other.domain
    }
}

/// A parsed `Set-Cookie` field (RFC 6265bis §5.6). `CookieRules` decides whether the cookie is stored.
package struct SetCookie: Equatable {
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
        let (name, value) = text.cut(at: UInt8(ascii: "="))
        return (trimmed(name), value.map(trimmed))
    }

    private static func trimmed(_ text: String) -> String {
        String(decoding: text.utf8.trimming { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }

    /// Parses digits with an optional minus sign; out-of-range numbers are clamped.
    private static func seconds(_ text: String) -> Int? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !text.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        let isNegative = digits.count < text.utf8.count
        guard !digits.isEmpty else { return 0 }
        return Int(text) ?? (isNegative ? .min : .max)
    }
}

/// A parser for the dates in `Expires`, in any order and form (RFC 6265bis §5.1.1).
enum CookieDate {
    private struct Fields {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
    }

    /// Returns nil for text without a date, and for dates that do not exist.
    static func parse(_ text: some StringProtocol) -> Date? {
        var fields = Fields()
        for token in text.utf8.split(whereSeparator: isDelimiter) { read(token, into: &fields) }
        guard let time = fields.time, let day = fields.day, let month = fields.month, var year = fields.year else {
            return nil
        }
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        guard year >= 1601, (1...daysInMonth(month, year)).contains(day), time.hour < 24, time.minute < 60,
            time.second < 60
        else { return nil }
        let days = RetryAfter.daysSince1970(year: year, month: month, day: day)
        return Date(
            timeIntervalSince1970: Double(days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second))
    }

    /// Assigns a token to the first missing field of time, day, month and year that it matches.
    private static func read(_ token: some Collection<UInt8>, into fields: inout Fields) {
        if fields.time == nil, let time = time(token) {
            fields.time = time
        } else if fields.day == nil, let day = number(token, digits: 1...2) {
            fields.day = day
        } else if fields.month == nil, let month = month(token) {
            fields.month = month
        } else if fields.year == nil, let year = number(token, digits: 2...4) {
            fields.year = year
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the number at the start of a token if it has a permitted count of digits.
    private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let text = token.prefix(while: \.isASCIIDigit)
        guard digits.contains(text.count) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    /// Parses "8:49:37"; any non-digit may follow.
    private static func time(_ token: some Collection<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[..<2].allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func month(_ token: some Collection<UInt8>) -> Int? {
        let name = token.prefix(3).map { $0 | 0x20 }
        return months.firstIndex { $0.utf8.elementsEqual(name) }.map { $0 + 1 }
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
