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
    static func isSensitive(_ name: some StringProtocol) -> Bool { withBytes(of: name) { isSensitive($0) } }

    /// The same for a name in UTF-8.
    static func isSensitive(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        withPlainBytes(of: name) { plain in
            let hasWord = plain.indices.contains { words.begin(plain, at: $0) && !harmless.begin(plain, at: $0) }
            return hasWord ? !pages.end(plain) : isWholeName(plain, of: name) || lastParts.end(plain)
        }
    }

    /// Returns true for a name of credentials that something else has as a number: `max_tokens` is a count, and
    /// `secret_expires_at` a time. The name of a credential ends as one.
    static func isFigure(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        withPlainBytes(of: name) { plain in
            let digits = plain.reversed().prefix { $0.isASCIIDigit }.count
            let plain = UnsafeBufferPointer(rebasing: plain.dropLast(digits))
            return !words.end(plain) && !ends.end(plain) && !isWholeName(plain, of: name)
        }
    }

    /// `X-Session` is `session`, and `X-User-Session` ends so, but `xKey` is the key of an axis.
    private static func isWholeName(
        _ plain: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // Most names do not begin so.
        let isField = plain.first == UInt8(ascii: "x") && name.count > 1 && isHyphen(name[1])
        if isField, lastWords.contains(where: { isLast($0, in: plain, of: name) }) { return true }
        return wholeNames.are(plain, from: isField ? 1 : 0)
    }

    /// Returns true for a name whose last word behind a separator is this one.
    private static func isLast(
        _ word: [UInt8], in plain: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        plain.suffix(word.count).elementsEqual(word) && name.suffix(word.count + 1).first.map(isHyphen) ?? false
    }

    private static func isHyphen(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") }

    private static func withBytes<Result>(
        of name: some StringProtocol, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        name.utf8.withContiguousStorageIfAvailable(body) ?? Array(name.utf8).withUnsafeBufferPointer(body)
    }

    /// Passes on the name in lower case, and without separators. Every member of JSON has one: it is on the stack.
    private static func withPlainBytes<Result>(
        of name: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard !name.contains(where: { $0 >= 0x80 }) else {
            let plain = String(decoding: name, as: UTF8.self).lowercased().utf8.filter { !isSeparator($0) }
            return plain.withUnsafeBufferPointer(body)
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { plain in
            var count = 0
            for byte in name where !isSeparator(byte) {
                plain[count] = byte.lowercasedASCII
                count += 1
            }
            return body(UnsafeBufferPointer(rebasing: plain[..<count]))
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
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
        if names.isEmpty, withBytes(of: text, isPlain) { return text }
        let (rest, last) = text.cut(at: UInt8(ascii: "#"))
        let (address, query) = rest.cut(at: UInt8(ascii: "?"))
        return parameters(userInfo(address)) + (query.map { "?" + form($0, hiding: names) } ?? "")
            + (last.map { "#" + fragment($0, hiding: names) } ?? "")
    }

    /// Returns true for a URL that surely has nothing to mask, like most: a path, and parameters with harmless names.
    private static func isPlain(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !url.contains(where: isOfMore) else { return false }
        var place = (url.firstIndex(of: UInt8(ascii: "?")) ?? url.endIndex - 1) + 1
        while place < url.endIndex {
            let rest = url[place...]
            let pair = rest[..<(rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex)]
            place = pair.endIndex + 1
            guard let end = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            // The values of a few short ones say whether they are secret: `code`, `sid`, `ticket`.
            let mayBeSession = end - pair.startIndex <= 8 && "cstxCSTX".utf8.contains(pair.first ?? 0)
            let isHarmless = !mayBeSession && !isSensitive(UnsafeBufferPointer(rebasing: pair[..<end]))
            guard isHarmless, !pair[end...].contains(UInt8(ascii: "?")) else { return false }
        }
        return true
    }

    /// True for a byte of a URL with a user, parameters of its path, a fragment, or escapes.
    private static func isOfMore(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "@"), UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "+"): true
        default: false
        }
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
        var names = KnownNames()
        return bytes.withUnsafeBufferPointer { JSONMaskScanner.masked($0, &names) } ?? bytes
    }

    package static func json(_ data: Data) -> Data {
        var names = KnownNames()
        return json(data, &names)
    }

    /// - Parameter names: Those of texts before this one.
    package static func json(_ data: Data, _ names: inout KnownNames) -> Data {
        let masked = data.withUnsafeBytes { JSONMaskScanner.masked($0.bindMemory(to: UInt8.self), &names) }
        return masked.map { Data($0) } ?? data
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

/// Words that names are compared with. Every member of JSON has a name: a word is compared only where its first three bytes
/// may be.
private struct NameWords {
    private let bytes: [UInt8]
    private let places: [Range<Int>]
    /// The words that have a byte at one of their first three places, and at their end, a bit each: 32 for each place.
    /// Letters differ in the five bits that count.
    private var masks = [UInt32](repeating: 0, count: 4 << 5)

    private static let end = 3 << 5

    /// - Parameter words: Two bytes at least, and three for words in the middle of a name.
    init(_ words: [String]) {
        precondition(words.count <= UInt32.bitWidth)
        var (bytes, places): ([UInt8], [Range<Int>]) = ([], [])
        for (number, word) in words.enumerated() {
            let word = Array(word.utf8)
            places.append(bytes.count..<bytes.count + word.count)
            bytes += word
            for place in 0..<3 {
                let all = place < word.count ? [word[place]] : Array(0..<32)
                for byte in all { masks[place << 5 | Int(byte & 31)] |= 1 << number }
            }
            masks[Self.end | Int(word[word.count - 1] & 31)] |= 1 << number
        }
        (self.bytes, self.places) = (bytes, places)
    }

    /// Returns true if a word is in a name from an index on.
    func begin(_ name: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + 2 < name.count else { return false }
        let candidates =
            masks[Int(name[index] & 31)] & masks[1 << 5 | Int(name[index + 1] & 31)]
            & masks[2 << 5 | Int(name[index + 2] & 31)]
        return has(candidates) { isWord($0, in: name, at: index) }
    }

    /// Returns true if a name ends with a word.
    func end(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let byte = name.last else { return false }
        return has(masks[Self.end | Int(byte & 31)]) { isWord($0, in: name, at: name.count - $0.count) }
    }

    /// Returns true if a name is a word, but for its first bytes.
    func are(_ name: UnsafeBufferPointer<UInt8>, from index: Int) -> Bool {
        guard index + 1 < name.count else { return false }
        let candidates = masks[Int(name[index] & 31)] & masks[1 << 5 | Int(name[index + 1] & 31)]
        return has(candidates) { $0.count == name.count - index && isWord($0, in: name, at: index) }
    }

    private func has(_ candidates: UInt32, _ condition: (Range<Int>) -> Bool) -> Bool {
        var rest = candidates
        while rest != 0 {
            if condition(places[rest.trailingZeroBitCount]) { return true }
            rest &= rest - 1
        }
        return false
    }

    private func isWord(_ word: Range<Int>, in name: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard start >= 0, word.count <= name.count - start else { return false }
        for offset in 0..<word.count where name[start + offset] != bytes[word.lowerBound + offset] { return false }
        return true
    }
}
