/// A format of texts in a schema (JSON Schema 2020-12, validation 7.3). Other names accept any text.
enum TextFormat: String {
    case date, time, duration, email, hostname, ipv4, ipv6, uri, uuid
    case dateTime = "date-time"

    /// To follow the word `expected`.
    var words: String {
        switch self {
        case .date: "a date such as 2024-01-31"
        case .time: "a time such as 12:00:00Z"
        case .dateTime: "a date and a time such as 2024-01-31T12:00:00Z"
        case .duration: "a duration such as PT1H30M"
        case .email: "an email address"
        case .hostname: "a host name"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        case .uri: "a URI with a scheme"
        case .uuid: "a UUID"
        }
    }

    func accepts(_ text: String) -> Bool {
        let bytes = Array(text.utf8)[...]
        return switch self {
        case .date: Self.isDate(bytes)
        case .time: Self.isTime(bytes)
        case .dateTime:
            bytes.dropFirst(10).first.map { $0 | 0x20 } == UInt8(ascii: "t") && Self.isDate(bytes.prefix(10))
                && Self.isTime(bytes.dropFirst(11))
        case .duration: Self.isDuration(bytes)
        case .email: Self.isEmail(bytes)
        case .hostname: Self.isHostname(bytes)
        case .ipv4: Self.isIPv4(bytes)
        case .ipv6: Self.isIPv6(bytes)
        case .uri: Self.isURI(bytes)
        case .uuid: Self.isUUID(bytes)
        }
    }

    // MARK: Characters

    private static let (dash, dot, colon) = (UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"))

    private static func isHex(_ byte: UInt8) -> Bool { byte.hexDigitValue != nil }

    private static func parts(_ text: ArraySlice<UInt8>, _ separator: UInt8) -> [ArraySlice<UInt8>] {
        text.split(separator: separator, omittingEmptySubsequences: false)
    }

    /// The number of that many digits; nil for another text.
    private static func number(_ digits: ArraySlice<UInt8>, count: Int) -> Int? {
        guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    // MARK: Times (RFC 3339, section 5.6)

    private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = parts(text, dash)
        guard parts.count == 3, let year = number(parts[0], count: 4), let month = number(parts[1], count: 2),
            let day = number(parts[2], count: 2), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }

    private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        guard isClock(text.prefix(5)), text.dropFirst(5).first == colon,
            let second = number(text.dropFirst(6).prefix(2), count: 2), second <= 60
        else { return false }
        var rest = text.dropFirst(8)
        if rest.first == dot {
            let fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(fraction.count + 1)
        }
        guard let sign = rest.first else { return false }
        switch sign {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): return rest.count == 1
        case UInt8(ascii: "+"), dash: return isClock(rest.dropFirst())
        default: return false
        }
    }

    /// Returns true for hours and minutes: `23:59`.
    private static func isClock(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = parts(text, colon)
        guard parts.count == 2, let hour = number(parts[0], count: 2), let minute = number(parts[1], count: 2) else {
            return false
        }
        return hour < 24 && minute < 60
    }

    /// Returns true for units in order, any of which may be omitted (ISO 8601): `P1Y2DT0.5S`.
    private static func isDuration(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "P") else { return false }
        var (rest, units, isTime, count) = (text.dropFirst(), Array("YMWD".utf8)[...], false, 0)
        while let first = rest.first {
            if first == UInt8(ascii: "T"), !isTime, rest.count > 1 {
                (rest, units, isTime) = (rest.dropFirst(), Array("HMS".utf8)[...], true)
                continue
            }
            let digits = rest.prefix { $0.isASCIIDigit || $0 == dot }
            guard first.isASCIIDigit, let unit = rest.dropFirst(digits.count).first,
                let place = units.firstIndex(of: unit)
            else { return false }
            (rest, units) = (rest.dropFirst(digits.count + 1), units[(place + 1)...])
            count += 1
        }
        return count > 0
    }

    // MARK: Addresses

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = parts(text, dot)
        return parts.count == 4
            && parts.allSatisfy { part in
                let isShort = part.count == 1 || part.first != UInt8(ascii: "0")
                return isShort && (number(part, count: min(part.count, 3)).map { $0 < 256 && !part.isEmpty } ?? false)
            }
    }

    private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        var halves = [text]
        if let gap = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) {
            halves = [text[..<gap], text[(gap + 2)...]]
        }
        var count = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            let groups = parts(half, colon)
            for (place, group) in groups.enumerated() {
                if (1...4).contains(group.count), group.allSatisfy(isHex) {
                    count += 1
                } else if index == halves.count - 1, place == groups.count - 1, isIPv4(group) {
                    count += 2
                } else {
                    return false
                }
            }
        }
        return halves.count == 2 ? count < 8 : count == 8
    }

    private static func isHostname(_ text: ArraySlice<UInt8>) -> Bool {
        text.count <= 253
            && parts(text, dot).allSatisfy { label in
                (1...63).contains(label.count) && label.first != dash && label.last != dash
                    && label.allSatisfy { $0.isASCIIAlphanumeric || $0 == dash }
            }
    }

    private static func isEmail(_ text: ArraySlice<UInt8>) -> Bool {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let (local, domain) = (text[..<at], text[(at + 1)...])
        let isQuoted = local.first == UInt8(ascii: "\"")
        let isPlain = local.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "@") }
        // An address in brackets, or a name with letters beyond ASCII.
        let isOther = domain.first == UInt8(ascii: "[") || domain.contains { $0 > 0x7F }
        return !local.isEmpty && (isQuoted || isPlain) && (isOther || isHostname(domain))
    }

    private static func isURI(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first.isASCIILetter, let end = text.firstIndex(of: colon),
            text[..<end].allSatisfy({ $0.isASCIIAlphanumeric || Array("+-.".utf8).contains($0) })
        else { return false }
        let refused = Array("\"<>\\^`{|}".utf8)
        let isPlain = text.allSatisfy { $0 > 0x20 && $0 < 0x7F && !refused.contains($0) }
        let escapes = parts(text, UInt8(ascii: "%")).dropFirst()
        return isPlain && escapes.allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(isHex) }
    }

    private static func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = parts(text, dash)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(isHex) }
    }
}
