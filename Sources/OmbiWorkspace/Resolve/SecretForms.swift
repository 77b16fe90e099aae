/// The texts that reveal a secret: itself, and what requests, messages and servers make of it. `SecretPattern` finds their
/// escaped forms.
enum SecretForms {
    static func all(of secret: String) -> Set<String> {
        var forms = Set([secret, trimmed(secret)] + parts(of: secret))
        // Hosts are compared and shown in lower case. Patterns find long texts in any case, but for letters beyond ASCII.
        forms.formUnion(forms.map { $0.lowercased() })
        if secret.utf8.contains(where: { $0 >= 0x80 }) { forms.formUnion(forms.map { $0.uppercased() }) }
        forms.insert(Data(secret.utf8).base64EncodedString())
        forms.formUnion(base64(of: secret) + wide(secret))
        if secret.utf8.count >= SecretPattern.minimumInAnyCase { forms.insert(hexadecimal(of: secret)) }
        for part in decoded(credentials: secret) { forms.formUnion(all(of: part)) }
        forms.remove("")
        return forms
    }

    /// Returns the secret in UTF-16, in both byte orders: next to each ASCII character is an empty byte. The byte after
    /// the last one is included, so that the rest of the text stays aligned.
    private static func wide(_ secret: String) -> [String] {
        guard secret.utf8.count >= SecretPattern.minimumInAnyCase, secret.utf8.allSatisfy({ $0 < 0x80 }) else {
            return []
        }
        let text = secret.unicodeScalars.map { String($0) }.joined(separator: "\u{0}")
        return [text, text + "\u{0}"]
    }

    private static func hexadecimal(of secret: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(secret.utf8.count * 2)
        for byte in secret.utf8 { text += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the user name with the password, and the password, of credentials of Basic authentication: a server knows
    /// them decoded.
    private static func decoded(credentials: String) -> [String] {
        let isNamed = credentials.lowercased().hasPrefix("basic ")
        guard let data = Data(base64Encoded: isNamed ? String(credentials.dropFirst(6)) : credentials),
            let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":"),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else { return [] }
        return [text, String(text[text.index(after: colon)...])].filter {
            $0.utf8.count >= SecretPattern.minimumInAnyCase
        }
    }

    /// A shorter secret would occur in unrelated URLs.
    private static let minimumInURL = 6

    /// True if a URL from a server contains one of the secrets.
    static func isAny(of secrets: [String], in url: String) -> Bool {
        let long = secrets.filter { $0.utf8.count >= minimumInURL }
        return !long.isEmpty && Redactor(long).redact(url) != url
    }

    /// Shorter parts would be found where no secret is.
    private static let minimumBase64 = 8

    /// Returns the Base64 of the secret amid other bytes, as in Basic credentials and tokens: the characters that it alone
    /// decides, at each of the three places in a group, in both alphabets (RFC 4648 §4 and §5).
    private static func base64(of secret: String) -> [String] {
        let bytes = Data(secret.utf8)
        return (0..<3).flatMap { offset -> [String] in
            let (start, end) = ((offset * 8 + 5) / 6, (offset + bytes.count) * 8 / 6)
            guard end - start >= minimumBase64 else { return [] }
            let text = (Data(repeating: 0, count: offset) + bytes).base64EncodedString()
            let part = text.utf8.prefix(end).dropFirst(start)
            return [String(decoding: part, as: UTF8.self), String(decoding: part.map(urlSafe), as: UTF8.self)]
        }
    }

    private static func urlSafe(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }

    /// Returns the text without spaces at its ends, like the value of a header field.
    private static func trimmed(_ text: String) -> String {
        String(Substring(text.utf8.trimming { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }))
    }

    /// Returns the parts of a URL: host with port, path, and the values of the query.
    private static func parts(of secret: String) -> [String] {
        guard Origin.isAbsolute(secret) else { return [] }
        let pathStart = Origin.pathStart(of: secret)
        let server = secret[..<pathStart].split(separator: "/").last ?? ""
        let path = secret[pathStart...].prefix { $0 != "?" && $0 != "#" }
        let query = secret[pathStart...].dropFirst(path.count).split { "?&#".contains($0) }
        let values = query.map { $0.drop { $0 != "=" }.dropFirst() }
        let isRoot = path.isEmpty || path == "/"
        return [String(server)] + (isRoot ? [] : [String(path)]) + values.map(PercentEncoding.unescapeForm)
    }

    /// Shorter parts of a secret occur in unrelated hosts.
    private static let minimumPart = 4

    /// Returns the parts of a secret that are the host of a URL or in it, where a delimiter in the secret has ended the
    /// host. The number of a port is none.
    static func parts(of secret: String, inHostOf url: String) -> [String] {
        let server = url.utf8[..<Origin.pathStart(of: url)]
        let afterUser = server.lastIndex(of: UInt8(ascii: "@")).map(server.index(after:))
        // The first word is the scheme, and not a host.
        let isAbsolute = Origin.isAbsolute(url)
        let names = server[(afterUser ?? server.startIndex)...].split(whereSeparator: isDelimiter)
            .dropFirst(isAbsolute && afterUser == nil ? 1 : 0)
        return secret.utf8.split(whereSeparator: isDelimiter).filter { part in
            let isIn = names.contains { name in
                part.count < minimumPart ? part.elementsEqual(name) : name.contains(bytes: part)
            }
            return isIn && UInt16(Substring(part)) == nil
        }.map { String(Substring($0)) }
    }

    /// RFC 3986 §2.2
    private static func isDelimiter(_ byte: UInt8) -> Bool { ":/?#[]@".utf8.contains(byte) }
}

extension Substring.UTF8View {
    /// Returns true for a text that has these bytes in a row. Quick for short texts.
    func contains(bytes part: Substring.UTF8View) -> Bool {
        var rest = self
        for _ in 0...Swift.max(0, count - part.count) {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
