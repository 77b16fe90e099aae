internal import OmbiBase

/// Masking of credentials in logs. Pure, and suitable for excerpts: a value that was cut off is masked to its end.
///
/// The name decides; a secret with a harmless name has to be marked as one.
package enum LogMask {
    package static let mask = "••••••"

    private static let words = NameWords([
        "apikey", "token", "secret", "password", "passwd", "passphrase", "credential", "accesskey", "privatekey",
        "authorization", "signature", "cookie", "sessionid", "subscriptionkey", "functionskey", "appkey",
        "samlresponse",
    ])
    private static let wholeNames = NameWords([
        "auth", "bearer", "key", "pwd", "pass", "pin", "sig", "jwt", "otp", "session", "codeverifier", "devicecode",
        "cvv", "cvc", "pw", "totp", "otpcode", "mfacode", "2facode", "sessid", "phpsessid", "apisign", "jenkinscrumb",
        "honeycombteam",
    ])
    /// The last words of header fields: `X-Tableau-Auth`, but not `X-Auth-Type`.
    private static let lastWords = ["auth", "jwt", "otp", "session"].map { Array($0.utf8) }
    /// The ends of names in any form: `clientAssertion`. Most keys that are not named here name rows and caches.
    private static let lastParts = NameWords([
        "assertion", "hmac", "passcode", "adminkey", "applicationkey", "authkey", "deploykey", "encryptionkey",
        "fastlykey", "licensekey", "masterkey", "serverkey", "signingkey",
    ])
    /// The ends of names of what leads to the next page.
    private static let pages = NameWords([
        "pagetoken", "nexttoken", "previoustoken", "continuationtoken", "paginationtoken",
    ])
    /// Words that begin like one of a credential.
    private static let harmless = NameWords(["tokeniz", "secretary"])
    /// The last words of names of credentials that may be numbers: `secret_code`, `license_key`.
    private static let ends = NameWords(["key", "code", "value"])

    /// Returns true for names of credentials: "access_token", "X-Api-Key", "clientSecret".
    static func isSensitive(_ name: some StringProtocol) -> Bool {
        let plain = plainBytes(of: name)
        let hasWord = plain.indices.contains { words.begin(plain, at: $0) && !harmless.begin(plain, at: $0) }
        return hasWord ? !pages.end(plain) : isWholeName(plain, of: name) || lastParts.end(plain)
    }

    /// Returns true for a name of credentials that something else has as a number: `max_tokens` is a count, and
    /// `secret_expires_at` a time. The name of a credential ends as one.
    static func isFigure(_ name: some StringProtocol) -> Bool {
        var plain = plainBytes(of: name)
        while let last = plain.last, last.isASCIIDigit { plain.removeLast() }
        return !words.end(plain) && !ends.end(plain) && !isWholeName(plain, of: name)
    }

    /// `X-Session` is `session`, and `X-User-Session` ends so, but `xKey` is the key of an axis.
    private static func isWholeName(_ plain: [UInt8], of name: some StringProtocol) -> Bool {
        // Most names do not begin so.
        let isField =
            plain.first == UInt8(ascii: "x")
            && name.utf8.dropFirst().first.map { "-_".utf8.contains($0) } ?? false
        if isField, lastWords.contains(where: { isLast($0, in: plain, of: name) }) { return true }
        return wholeNames.are(plain, from: isField ? 1 : 0)
    }

    /// Returns true for a name whose last word behind a separator is this one.
    private static func isLast(_ word: [UInt8], in plain: [UInt8], of name: some StringProtocol) -> Bool {
        plain.suffix(word.count).elementsEqual(word)
            && name.utf8.suffix(word.count + 1).first.map { "-_".utf8.contains($0) } ?? false
    }

    /// Lower case, and without separators.
    private static func plainBytes(of name: some StringProtocol) -> [UInt8] {
        var isASCII = true
        let plain = [UInt8](unsafeUninitializedCapacity: name.utf8.count) { plain, count in
            for byte in name.utf8 {
                switch byte {
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "["),
                    UInt8(ascii: "]"):
                    continue
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): plain[count] = byte | 0x20
                default:
                    if byte >= 0x80 { isASCII = false }
                    plain[count] = byte
                }
                count += 1
            }
        }
        return isASCII ? plain : name.lowercased().utf8.filter { !"-_. []".utf8.contains($0) }
    }

    /// Returns true for the value of a parameter `sid` or `ticket` that is one of a session. The names are those of
    /// identifiers, too: `PROJ-123`, a UUID.
    package static func isSession(_ value: some StringProtocol, named name: some StringProtocol) -> Bool {
        // The first letter sorts out most names: a collection has thousands of them.
        guard value.utf8.count >= 8, (3...8).contains(name.utf8.count),
            name.utf8.first.map({ "stxSTX".utf8.contains($0) }) ?? false,
            ["sid", "ticket", "x-sid", "x-ticket"].contains(name.lowercased()), value.contains(where: \.isNumber),
            UUID(uuidString: String(value)) == nil
        else { return false }
        return value.contains(where: \.isLowercase)
    }

    /// Returns a URL without the user name and password before its host, and without the values of sensitive parameters
    /// and of those in `names`.
    package static func url(_ text: String, hiding names: Set<String> = []) -> String {
        let (rest, last) = text.cut(at: UInt8(ascii: "#"))
        let (address, query) = rest.cut(at: UInt8(ascii: "?"))
        return parameters(userInfo(address)) + (query.map { "?" + form($0, hiding: names) } ?? "")
            + (last.map { "#" + fragment($0, hiding: names) } ?? "")
    }

    /// Masks the parameters of the segments of a path (RFC 3986, §3.3), such as the session of a servlet.
    private static func parameters(_ address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ";")) else { return address }
        return address.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.split(separator: ";", omittingEmptySubsequences: false).map { form(String($0)) }
                .joined(separator: ";")
        }.joined(separator: "/")
    }

    /// Masks a fragment: a form, as which servers hand over tokens (RFC 6749, §4.2.2), or a path with a query.
    private static func fragment(_ text: String, hiding names: Set<String>) -> String {
        let (path, query) = text.cut(at: UInt8(ascii: "?"))
        return form(path, hiding: names) + (query.map { "?" + form($0, hiding: names) } ?? "")
    }

    /// Returns a URL without the values that a request marks as secret.
    package static func url(_ url: URL, of request: TransportRequest?) -> String {
        self.url(url.absoluteString, hiding: request?.sensitiveQueryNames ?? [])
    }

    private static func userInfo(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.contains(UInt8(ascii: "@")), let scheme = bytes.firstIndex(of: UInt8(ascii: ":")),
            let start = bytes.index(scheme, offsetBy: 3, limitedBy: bytes.endIndex),
            let at = bytes[start...].prefix(while: { !"/?#".utf8.contains($0) }).lastIndex(of: UInt8(ascii: "@"))
        else { return text }
        return text[..<start] + mask + text[at...]
    }

    /// Masks `name=value&name=value`, in a query or a body.
    static func form(_ text: String, hiding names: Set<String> = []) -> String {
        let grant = GrantParameters(of: text)
        return text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let (name, value) = pair.cut(at: UInt8(ascii: "="))
            let plain = PercentEncoding.unescapeForm(name)
            guard let value,
                isSensitive(plain) || names.contains(plain) || grant.hasCode(value, named: plain)
                    || isSession(value, named: plain) || isURLWithCredential(value)
            else { return String(pair) }
            return "\(name)=\(mask)"
        }.joined(separator: "&")
    }

    /// True for a value that is a URL, escaped once or twice, with a credential in its own query or fragment.
    private static func isURLWithCredential(_ value: String) -> Bool {
        guard value.utf8.contains(where: { "%?#".utf8.contains($0) }) else { return false }
        let url = PercentEncoding.unescapeForm(PercentEncoding.unescapeForm(value))
        return url.utf8.split { "?&#".utf8.contains($0) }.dropFirst().contains { pair in
            let (name, value) = Substring(pair).cut(at: UInt8(ascii: "="))
            return !(value ?? "").isEmpty && isSensitive(name)
        }
    }

    /// Masks the values of sensitive members in JSON, complete or cut off.
    package static func json(_ text: String) -> String { String(decoding: json(Array(text.utf8)), as: UTF8.self) }

    /// The same for a text in any encoding like ASCII: bytes that are not UTF-8 stay.
    package static func json(_ bytes: [UInt8]) -> [UInt8] {
        var scanner = JSONMaskScanner(bytes)
        return scanner.masked()
    }
}

/// The parameters next to a `code` that make a credential of it: those of an OAuth grant, and of the redirect before it
/// (RFC 6749, §4.1).
package struct GrantParameters: Sendable {
    private var isGrant = false
    private var hasState = false

    /// In bytes. A shorter code next to a `state` alone may be that of a place or of an order.
    private static let minimumLength = 16

    package init(named names: [String] = []) {
        for name in names {
            if name == "grant_type" || name == "redirect_uri" { isGrant = true }
            if name == "state" { hasState = true }
        }
    }

    /// - Parameter form: `name=value&name=value`
    package init(of form: some StringProtocol) {
        // Most have no code, also not in escapes.
        let mayHaveCode = form.utf8.contains(UInt8(ascii: "%")) || form.contains("code=")
        let pairs = mayHaveCode ? form.split(separator: "&") : []
        self.init(named: pairs.map { PercentEncoding.unescapeForm($0.cut(at: UInt8(ascii: "=")).0) })
    }

    /// Returns true for the code that a client exchanges for a token.
    package func hasCode(_ value: some StringProtocol, named name: String) -> Bool {
        guard isGrant || hasState, name == "code" else { return false }
        return isGrant || value.utf8.count >= Self.minimumLength && value.contains(where: \.isNumber)
    }

    /// Returns the name of a parameter; for that code one that only credentials have.
    package func name(of value: some StringProtocol, named name: String) -> String {
        hasCode(value, named: name) ? "authorizationCode" : name
    }
}

/// Words that names are compared with. Every member of JSON has a name: a word is compared only where its first byte is.
private struct NameWords {
    private let words: [[UInt8]]
    /// The words with a first and with a last byte, a bit each. Letters differ in the five bits that count.
    private var (first, last) = ([UInt32](repeating: 0, count: 32), [UInt32](repeating: 0, count: 32))

    init(_ words: [String]) {
        self.words = words.map { Array($0.utf8) }
        precondition(words.count <= UInt32.bitWidth)
        for (number, word) in self.words.enumerated() {
            first[Int(word[0] & 31)] |= 1 << number
            last[Int(word[word.count - 1] & 31)] |= 1 << number
        }
    }

    /// Returns true if a word is in a name from an index on.
    func begin(_ name: [UInt8], at index: Int) -> Bool {
        has(first[Int(name[index] & 31)]) { Self.has(name, $0, at: index) }
    }

    /// Returns true if a name ends with a word.
    func end(_ name: [UInt8]) -> Bool {
        guard let byte = name.last else { return false }
        return has(last[Int(byte & 31)]) { Self.has(name, $0, at: name.count - $0.count) }
    }

    /// Returns true if a name is a word, but for its first bytes.
    func are(_ name: [UInt8], from index: Int) -> Bool {
        guard index < name.count else { return false }
        return has(first[Int(name[index] & 31)]) { $0.count == name.count - index && Self.has(name, $0, at: index) }
    }

    private func has(_ candidates: UInt32, _ condition: ([UInt8]) -> Bool) -> Bool {
        var rest = candidates
        while rest != 0 {
            if condition(words[rest.trailingZeroBitCount]) { return true }
            rest &= rest - 1
        }
        return false
    }

    private static func has(_ name: [UInt8], _ word: [UInt8], at start: Int) -> Bool {
        guard start >= 0, word.count <= name.count - start else { return false }
        for index in word.indices where name[start + index] != word[index] { return false }
        return true
    }
}

/// A scanner that copies JSON text without the values of sensitive members. It only examines strings and brackets, so
/// that text that is not JSON, or ends early, does no harm.
struct JSONMaskScanner {
    private let bytes: [UInt8]
    private var index = 0
    private var result: [UInt8] = []
    /// The end of what the result has.
    private var copied = 0
    /// True in a text with the parameters of an OAuth grant; nil up to the first `code`.
    private var isGrant: Bool?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func masked() -> [UInt8] {
        while let start = bytes[index...].firstIndex(of: quote) {
            index = start
            let name = takeString()
            guard takeColon() else { continue }
            let text = Self.text(of: name)
            let isCredential = LogMask.isSensitive(text) && !isBoolean && !(isNumber && LogMask.isFigure(text))
            if isCredential || isCode(text) { skipValue() }
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }

    /// Takes the string that starts here, with its quotation marks; the rest of the text if it is unterminated.
    private mutating func takeString() -> ArraySlice<UInt8> {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == backslash ? 2 : 1 }
        index = min(index + 1, bytes.count)
        return bytes[start..<index]
    }

    private mutating func takeColon() -> Bool {
        let start = index
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            index = start
            return false
        }
        index += 1
        skipSpace()
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    /// Skips a value, except null, which reveals nothing and shows that there is no value.
    private mutating func skipValue() {
        guard index < bytes.count, !bytes[index...].starts(with: "null".utf8) else { return }
        result += bytes[copied..<index]
        defer { copied = index }
        var depth = 0
        repeat {
            switch bytes[index] {
            case quote:
                _ = takeString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return writeMask()
            default: break
            }
            if depth < 0 { return writeMask() }
            index += 1
        } while index < bytes.count
        writeMask()
    }

    /// The literal that starts here, up to what ends one; nil for one that is cut off.
    private var literal: ArraySlice<UInt8>? {
        let literal = bytes[index...].prefix { !",]} \t\r\n".utf8.contains($0) }
        return literal.endIndex < bytes.count ? literal : nil
    }

    private var isNumber: Bool {
        guard let literal, !literal.isEmpty else { return false }
        return literal.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }

    /// A Boolean value is no credential: `is_password_enabled`.
    private var isBoolean: Bool {
        literal.map { $0.elementsEqual("true".utf8) || $0.elementsEqual("false".utf8) } ?? false
    }

    /// Returns true for a name whose value, which starts here, is the code of an OAuth grant.
    private mutating func isCode(_ name: String) -> Bool {
        guard name == "code", index < bytes.count, bytes[index] == quote else { return false }
        if let isGrant { return isGrant }
        let text = String(decoding: bytes, as: UTF8.self)
        let hasGrant = text.contains("\"grant_type\"") || text.contains("\"redirect_uri\"")
        isGrant = hasGrant
        return hasGrant
    }

    private mutating func writeMask() { result += Array("\"\(LogMask.mask)\"".utf8) }

    /// Returns the name in a string literal, with escapes resolved so that they do not hide it.
    private static func text(of literal: ArraySlice<UInt8>) -> String {
        if literal.contains(backslash), let name = try? JSONDecoder().decode(String.self, from: Data(literal)) {
            return name
        }
        return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    }

    private var quote: UInt8 { 0x22 }
    private var backslash: UInt8 { 0x5C }
    private static var backslash: UInt8 { 0x5C }
}
