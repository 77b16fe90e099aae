/// The credentials in a text that is JSON, a form, markup or GraphQL: strings under names that are given to nothing else,
/// such as `password` and `client_secret`. Templates may stand between the members, so that it need not be valid JSON.
enum SecretBody {
    private struct Pair {
        var name: String
        /// In bytes of the text.
        var value: Range<Int>
    }

    static func find(in text: String) -> [SecretDetector.Finding] {
        let bytes = Array(text.utf8)
        let isMarkup = bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
        var pairs = isMarkup ? [] : members(of: bytes)
        if pairs.isEmpty, !isMarkup { pairs = fields(of: text) }
        if pairs.isEmpty { pairs = others(of: bytes) }
        return pairs.flatMap { pair -> [SecretDetector.Finding] in
            let value = String(decoding: bytes[pair.value], as: UTF8.self)
            return SecretDetector.named(value, pair.name, .body).map { found -> SecretDetector.Finding in
                let first = value.utf8.distance(from: value.startIndex, to: found.range.lowerBound)
                let count = value.utf8.distance(from: found.range.lowerBound, to: found.range.upperBound)
                let start = text.utf8.index(text.startIndex, offsetBy: pair.value.lowerBound + first)
                var found = found
                found.range = start..<text.utf8.index(start, offsetBy: count)
                return found
            }
        }.filter { !text[$0.range].contains("{{") && !$0.range.isEmpty }
    }

    private static func members(of bytes: [UInt8]) -> [Pair] {
        var pairs: [Pair] = []
        var (name, isValue, index) = (Range<Int>?.none, false, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let start = index + 1
                var end = start
                while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                    end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard end < bytes.count else { return pairs }
                if isValue, let name {
                    pairs.append(Pair(name: String(decoding: bytes[name], as: UTF8.self), value: start..<end))
                }
                (name, isValue) = (isValue ? nil : start..<end, false)
                index = end
            case UInt8(ascii: ":"): isValue = name != nil
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: (name, isValue) = (nil, false)
            }
            index += 1
        }
        return pairs
    }

    /// The fields of `name=value&name=value`; none for a text whose names have spaces.
    private static func fields(of text: String) -> [Pair] {
        guard text.utf8.contains(UInt8(ascii: "=")) else { return [] }
        var (pairs, start): ([Pair], Int) = ([], 0)
        for field in text.split(separator: "&", omittingEmptySubsequences: false) {
            let name = field.prefix { $0 != "=" }
            if name.contains(where: \.isWhitespace) { return [] }
            let end = start + field.utf8.count
            if name.endIndex < field.endIndex {
                pairs.append(
                    Pair(name: PercentEncoding.unescapeForm(name), value: (start + name.utf8.count + 1)..<end))
            }
            start = end + 1
        }
        return pairs
    }

    /// The arguments of GraphQL, and the attributes and the texts of markup.
    private static func others(of bytes: [UInt8]) -> [Pair] {
        var pairs: [Pair] = []
        var (word, element, isNamed, index) = (Range<Int>?.none, Range<Int>?.none, false, 0)
        func add(_ name: Range<Int>, _ value: Range<Int>) {
            pairs.append(Pair(name: String(decoding: bytes[name], as: UTF8.self), value: value))
        }
        while index < bytes.count {
            switch bytes[index] {
            case let byte where isWord(byte):
                let start = index
                index = bytes[start...].firstIndex { !isWord($0) } ?? bytes.count
                (word, isNamed) = (start..<index, false)
                let before = start > 0 ? bytes[start - 1] : 0
                // A prefix of a namespace is no part of the name.
                let isPrefixed = before == UInt8(ascii: ":") && element?.upperBound == start - 1
                if before == UInt8(ascii: "<") || isPrefixed { element = word }
                continue
            case UInt8(ascii: ":"), UInt8(ascii: "="): isNamed = word != nil
            case UInt8(ascii: "\""):
                guard let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return pairs }
                if isNamed, let word { add(word, index + 1..<end) }
                (word, isNamed, index) = (nil, false, end)
            case UInt8(ascii: ">"):
                // Only after the name of an element: a text of nothing but these would take the square of its size.
                if let element {
                    let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                    let isClosed = end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "/")
                    if isClosed { add(element, index + 1..<end) }
                }
                (word, element, isNamed) = (nil, nil, false)
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: (word, isNamed) = (nil, false)
            }
            index += 1
        }
        return pairs
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    // MARK: Names

    /// True for a string under a name that only credentials have, unless it is a sample.
    static func isCredential(_ value: Substring, named name: String) -> Bool {
        let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
        let isPassword = plain == "pw" || passwords.contains { plain.hasSuffix($0) }
        guard isPassword || tokens.contains(plain), !isSample(value, plain) else { return false }
        let isLong = !plain.hasSuffix("token") || value.utf8.count >= minimumToken
        return isPassword || isLong && !value.contains(where: \.isWhitespace)
    }

    /// In bytes; shorter ones are words.
    private static let minimumToken = 8

    private static let passwords = ["password", "passwd", "passphrase", "pwd"]
    private static let tokens: Set<String> = [
        "token", "accesstoken", "refreshtoken", "idtoken", "authtoken", "apitoken", "sessiontoken", "bearertoken",
        "secret", "clientsecret", "apisecret", "appsecret", "webhooksecret", "sharedsecret", "secretkey",
        "secretaccesskey", "apikey", "xapikey", "appkey", "subscriptionkey", "accesskey", "privatekey",
    ]

    /// True for a placeholder: `string`, `<password>`, `****`, the name itself.
    private static func isSample(_ value: Substring, _ name: String) -> Bool {
        let lowercased = value.lowercased()
        let letters = lowercased.filter { $0.isLetter || $0.isNumber }
        return lowercased.hasPrefix("<") && lowercased.hasSuffix(">") || lowercased.hasPrefix("your") || letters.isEmpty
            || letters == name || samples.contains(letters) || Set(letters).count == 1
            || SecretDetector.isPlaceholder(value)
    }

    private static let samples: Set<String> = [
        "string", "text", "value", "password", "passwd", "secret", "token", "apikey", "changeme", "test", "redacted",
        "null", "none", "true", "false", "yes", "no",
    ]
}
