import OmbiPlatform

/// Recognises credentials in the texts of a collection: by the forms of their makers, by the name of the field that they stand
/// in, and in the parts of a URL and of a cookie that carry them. What it finds is masked on the screen, named by `ombi check`,
/// and moved to the local file when a request is saved.
package enum SecretDetector {
    /// A credential in a text.
    package struct Finding: Equatable, Sendable {
        /// "a GitHub token", for messages.
        package var kind: String
        /// The name of its field, its cookie or its parameter.
        package var name: String
        package var range: Range<String.Index>
    }

    /// The kind of text around a value, which decides how much its name means.
    enum Place {
        /// A row, or a member of the settings.
        case field
        /// A member of a body, where any name may occur: the value must also look like a secret, unless only
        /// credentials have its name.
        case body
    }

    /// Returns the secrets in a text, from left to right. A template is none: it only names one.
    /// - Parameter name: The name of the field with the text.
    package static func find(in text: String, named name: String) -> [Finding] { find(in: text, named: name, .field) }

    /// - Parameter isSensitive: true for the name of a credential; nil to find out.
    static func find(in text: String, named name: String, _ place: Place, isSensitive: Bool? = nil) -> [Finding] {
        guard !text.isEmpty else { return [] }
        var found = named(text, name, place, isSensitive: isSensitive)
        if found.isEmpty { found = SecretParts.ofURL(text, isPath: name == "path") }
        if found.isEmpty, place == .body { found = SecretBody.find(in: text) }
        if found.isEmpty { found = SecretForm.find(in: text, named: name) }
        return written(found, in: text)
    }

    private static func written(_ found: [Finding], in text: String) -> [Finding] {
        found.filter { !text[$0.range].contains("{{") && !$0.range.isEmpty }
    }

    /// Returns a text of the screen with the secrets in it masked.
    package static func masked(_ text: String, named name: String) -> String {
        mask(find(in: text, named: name), in: text)
    }

    private static func mask(_ found: [Finding], in text: String) -> String {
        found.reversed().reduce(into: text) { $0.replaceSubrange($1.range, with: LogMask.mask) }
    }

    /// Returns the value of a variable with its secrets masked. Short values and words stay, because texts made from
    /// the variable show them, too.
    package static func masked(variable field: Field) -> String {
        var literals = LiteralSecrets()
        literals.add(field.value, named: field.name)
        return literals.values.isEmpty ? field.value : masked(field.value, named: field.name)
    }

    /// Returns a URL, or a path with its query, with the secrets in it masked. It has no name of a field, which would be
    /// looked up before the first frame of the screen.
    package static func masked(url text: String) -> String {
        var found = SecretParts.ofURL(text, isPath: true)
        if found.isEmpty { found = SecretForm.find(in: text, named: "path") }
        return mask(written(found, in: text), in: text)
    }

    /// Returns a body, or a line of one, with the secrets in it masked.
    package static func masked(body text: String) -> String {
        mask(SecretBody.find(in: text), in: text)
    }

    /// A value under the name of a credential.
    static func named(_ text: String, _ name: String, _ place: Place, isSensitive: Bool? = nil) -> [Finding] {
        // `tokenURL` names an address.
        guard isSensitive ?? Self.isSensitive(name) || LogMask.isSession(text, named: name),
            !name.lowercased().hasSuffix("url"), !name.lowercased().hasSuffix("uri")
        else { return [] }
        if SecretParts.isCookie(name) { return SecretParts.ofCookie(text) }
        if text.contains("://") { return [] }
        let range = SecretParts.withoutScheme(text, isAuthorization: name.lowercased().hasSuffix("authorization"))
        let value = text[range]
        let looksLikeSecret = Disorder.isSecret(value)
        if isReference(text) || isSetting(value, name), !looksLikeSecret { return [] }
        let isAmbiguous = name.lowercased() == "key" && !isKey(value)
        let isNamed = place == .field ? !isAmbiguous : SecretBody.isCredential(value, named: name)
        guard looksLikeSecret || isNamed else { return [] }
        let kind = SecretForm.find(in: String(value), named: name).first?.kind ?? "a secret"
        return [Finding(kind: kind, name: name, range: range)]
    }

    /// False for the name of a column or a member.
    private static func isKey(_ value: Substring) -> Bool {
        let isLong = value.utf8.count >= 20 && !value.contains(where: \.isWhitespace)
        return isLong || value.utf8.count >= 8 && value.contains(where: \.isNumber)
    }

    /// True for the path of a file or of an endpoint, and for a variable of a shell or a JSONPath.
    private static func isReference(_ text: String) -> Bool {
        text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") || text.hasPrefix("$")
    }

    /// True for a switch, a kind of token and a number of tokens.
    private static func isSetting(_ value: Substring, _ name: String) -> Bool {
        let name = name.lowercased()
        return settings.contains(value.lowercased()) || name.hasSuffix("type")
            || name.contains("tokens") && value.allSatisfy(\.isNumber)
    }

    private static let settings: Set<String> = ["true", "false", "yes", "no", "none", "null"]

    static func isSensitive(_ name: String) -> Bool { RequestHeaders.Key(name).isSensitive }

    /// True for a value that is recognizably no credential: values of demos and examples, and masked ones.
    static func isPlaceholder(_ value: Substring) -> Bool {
        if value == LogMask.mask { return true }
        return value.lowercased().split { !$0.isLetter }.contains { placeholders.contains(String($0)) }
    }

    private static let placeholders: Set<String> = ["demo", "example", "placeholder", "not"]
}

/// The forms of credentials that their makers gave them: prefixes, JSON Web Tokens, keys in PEM.
enum SecretForm {
    private struct Maker {
        let kind: String
        /// The minimum number of bytes after the prefix.
        let count: Int
        let prefixes: [[UInt8]]

        init(_ kind: String, count: Int, _ prefixes: String...) {
            (self.kind, self.count) = (kind, count)
            self.prefixes = prefixes.map { Array($0.utf8) }
        }
    }

    /// In bytes. A shorter text cannot be told from other texts.
    static let minimumLength = 16

    private static let forms = [
        Maker("a GitHub token", count: 30, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        Maker("a GitHub token", count: 20, "github_pat_"),
        Maker("a GitLab token", count: 16, "glpat-"),
        Maker("a Stripe key", count: 16, "sk_live_", "rk_live_"),
        Maker("an API key", count: 20, "sk-ant-", "sk-proj-"),
        Maker("a Slack token", count: 16, "xoxb-", "xoxp-", "xoxa-", "xoxs-"),
        Maker("an AWS access key", count: 16, "AKIA", "ASIA"),
        Maker("a Google API key", count: 35, "AIza"),
        Maker("an npm token", count: 30, "npm_"),
        Maker("a PyPI token", count: 30, "pypi-"),
        Maker("a DigitalOcean token", count: 40, "dop_v1_"),
        Maker("a SendGrid key", count: 40, "SG."),
    ]

    static func find(in text: String, named name: String) -> [SecretDetector.Finding] {
        // Bytes, as a collection has thousands of texts, and characters take a hundred times as long.
        guard text.utf8.count >= minimumLength else { return [] }
        let bytes = Array(text.utf8)
        if contains("-----BEGIN ", bytes), contains("PRIVATE KEY-----", bytes) {
            return [.init(kind: "a private key", name: name, range: text.startIndex..<text.endIndex)]
        }
        guard let (kind, range) = token(in: bytes) else { return [] }
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return [.init(kind: kind, name: name, range: start..<text.utf8.index(start, offsetBy: range.count))]
    }

    private static func contains(_ part: StaticString, _ bytes: [UInt8]) -> Bool {
        let part = UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
        return bytes.indices.dropLast(part.count - 1).contains { start in
            bytes[start] == part[0] && bytes[start..<start + part.count].elementsEqual(part)
        }
    }

    /// The first word with the form of a known token.
    private static func token(in bytes: [UInt8]) -> (kind: String, range: Range<Int>)? {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { !isInWord($0) } ?? bytes.count
            if end - start >= minimumLength, let kind = kind(of: bytes[start..<end]) { return (kind, start..<end) }
            start = end + 1
        }
        return nil
    }

    private static func kind(of word: ArraySlice<UInt8>) -> String? {
        for form in forms {
            for prefix in form.prefixes where word.count >= prefix.count + form.count && word.starts(with: prefix) {
                return form.kind
            }
        }
        guard word.starts(with: "eyJ".utf8) else { return nil }
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { $0.count >= 8 } ? "a JSON Web Token" : nil
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "_-.".utf8.contains(byte)
    }
}

/// The parts of a text that carry a credential: the value of a cookie, the password and the parameters of a URL, the
/// text after the scheme of an authorization.
enum SecretParts {
    static func isCookie(_ name: String) -> Bool { ["cookie", "set-cookie"].contains(name.lowercased()) }

    /// Every value of a `Cookie`: which of them is a session, only its server knows. Attributes of a `Set-Cookie` count, too.
    static func ofCookie(_ text: String) -> [SecretDetector.Finding] {
        text.split(separator: ";").map { pair in
            let end = pair.firstIndex(of: "=")
            let name = end.map { String(pair[..<$0]).trimmed } ?? "cookie"
            let value = trimmedRange(of: end.map { pair[pair.index(after: $0)...] } ?? pair)
            return .init(kind: "a cookie", name: name, range: value)
        }
    }

    /// The password in front of the host of a URL, the tokens in its path, and the parameters that are named like
    /// credentials.
    /// - Parameter isPath: true for a text that is a path without a host, too.
    static func ofURL(_ text: String, isPath: Bool) -> [SecretDetector.Finding] {
        guard text.utf8.contains(UInt8(ascii: ":")), let scheme = text.firstRange(of: "://") else {
            return isPath ? ofPath(text[...]) + ofQuery(text) : []
        }
        guard !text[..<scheme.lowerBound].contains(where: \.isWhitespace) else { return [] }
        return ofUserInfo(text, after: scheme.upperBound) + ofPath(text[scheme.upperBound...]) + ofQuery(text)
    }

    /// The token of a Slack or Discord webhook, or of a Telegram bot.
    private static func ofPath(_ text: Substring) -> [SecretDetector.Finding] {
        // Most paths have none of them, and characters take long.
        guard text.utf8.count > SecretForm.minimumLength,
            ["services", "webhooks", "bot"].contains(where: { text.contains($0) })
        else { return [] }
        let segments = text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        for (index, segment) in segments.enumerated() {
            let rest = segments[(index + 1)...]
            var token: Substring?
            if segment == "services", rest.count > 2, rest[index + 1].first == "T", rest[index + 2].first == "B" {
                token = rest[index + 3]
            } else if segment == "webhooks", rest.count > 1, rest[index + 1].allSatisfy(\.isNumber) {
                token = rest[index + 2]
            } else if segment.hasPrefix("bot"), let colon = segment.firstIndex(of: ":"),
                segment[..<colon].count > 3, segment[..<colon].dropFirst(3).allSatisfy(\.isNumber)
            {
                token = segment[segment.index(after: colon)...]
            }
            if let token, token.utf8.count >= SecretForm.minimumLength, Set(token).count > 1 {
                return [.init(kind: "a token", name: "token", range: token.startIndex..<token.endIndex)]
            }
        }
        return []
    }

    private static func ofUserInfo(_ text: String, after start: String.Index) -> [SecretDetector.Finding] {
        guard text[start...].utf8.contains(UInt8(ascii: "@")) else { return [] }
        // In a body, the URL ends with its string. A password of a text that is a URL may have what ends one.
        let isURL = text[..<start].allSatisfy { $0.isLetter || $0.isNumber || "+-.:/".contains($0) }
        let ends = isURL ? "/?#" : "/?#\"<>\\"
        let authority = text[start...].prefix { !ends.contains($0) && !$0.isWhitespace }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else { return [] }
        return [.init(kind: "a password", name: "password", range: text.index(after: colon)..<at)]
    }

    private static func ofQuery(_ text: String) -> [SecretDetector.Finding] {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let query = text[text.index(after: mark)...].prefix { $0 != "#" }
        let grant = GrantParameters(of: query)
        return query.split(separator: "&").compactMap { pair in
            guard let end = pair.firstIndex(of: "=") else { return nil }
            let value = pair[pair.index(after: end)...]
            let name = grant.name(of: value, named: String(pair[..<end]))
            guard !value.contains("://"), let found = SecretDetector.find(in: String(value), named: name).first
            else { return nil }
            return .init(kind: found.kind, name: name, range: value.startIndex..<value.endIndex)
        }
    }

    private static let schemes: Set<String> = ["bearer", "token", "basic", "apikey", "key", "digest", "jwt", "oauth"]

    /// The text after a scheme such as `Bearer`, which is no secret. A pass phrase of several words has no scheme.
    static func withoutScheme(_ text: String, isAuthorization: Bool) -> Range<String.Index> {
        let whole = trimmedRange(of: text[...])
        guard let space = text[whole].firstIndex(of: " "),
            isAuthorization || schemes.contains(text[whole.lowerBound..<space].lowercased())
        else {
            return isAuthorization && schemes.contains(text[whole].lowercased())
                ? whole.upperBound..<whole.upperBound : whole
        }
        return trimmedRange(of: text[space..<whole.upperBound])
    }

    private static func trimmedRange(of text: Substring) -> Range<String.Index> {
        let rest = text.trimming(while: \.isWhitespace)
        return rest.startIndex..<rest.endIndex
    }
}

/// The disorder of a text, which distinguishes a generated secret from words.
enum Disorder {
    /// True for a text that looks generated: long, with digits, and with 3.2 bits per byte. An identifier is as
    /// disorderly, and no secret.
    static func isSecret(_ text: Substring) -> Bool {
        text.utf8.count >= SecretForm.minimumLength && text.contains(where: \.isNumber) && entropy(of: text) >= 3.2
            && UUID(uuidString: String(text)) == nil
    }

    /// Bits for each byte.
    private static func entropy(of text: Substring) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in text.utf8 { counts[Int(byte)] += 1 }
        let total = Double(text.utf8.count)
        return counts.reduce(0) { $1 == 0 ? $0 : $0 - Double($1) / total * (log(Double($1) / total) / log(2)) }
    }
}

/// Credentials that a collection has in clear, which are masked wherever they come back: in a response, in the history.
struct LiteralSecrets {
    private(set) var values: Set<String> = []

    mutating func add(_ text: String, named name: String) {
        for finding in SecretDetector.find(in: text, named: name) where Self.isTellable(text[finding.range]) {
            values.insert(String(text[finding.range]))
        }
    }

    /// Adds the secrets in a query, both as written and as its server decodes it.
    mutating func add(query text: some StringProtocol) {
        let grant = GrantParameters(of: text)
        for item in text.split(separator: "&") {
            let name = item.prefix { $0 != "=" }
            let value = item[name.endIndex...].dropFirst()
            let decoded = grant.name(of: value, named: PercentEncoding.unescapeForm(name))
            for form in Set([String(value), PercentEncoding.unescapeForm(value)]) { add(form, named: decoded) }
        }
    }

    /// Takes the secrets in the text of a body, unless it is so long that each run would wait for it.
    mutating func add(body text: String) {
        guard text.utf8.count <= Self.maximumBody else { return }
        for finding in SecretBody.find(in: text) where Self.isTellable(text[finding.range]) {
            values.insert(String(text[finding.range]))
        }
    }

    /// False for short values and for words, which occur in unrelated texts, and for what is longer than any credential.
    private static func isTellable(_ value: Substring) -> Bool {
        let isWord = value.allSatisfy { $0.isLowercase || $0 == "-" || $0 == "_" }
        return (minimumLength...maximumLength).contains(value.utf8.count) && !isWord
            && !value.contains(where: \.isWhitespace)
            && !SecretDetector.isPlaceholder(value)
    }

    /// In bytes.
    private static let minimumLength = 5
    private static let maximumLength = 1 << 15
    private static let maximumBody = 1 << 20
}
