import OmbiCore

/// A pattern that finds a secret in bytes: each character plain, percent-encoded (RFC 3986, a form), or escaped as in JSON,
/// in any mixture.
struct SecretPattern: Hashable, Sendable {
    private let scalars: [Unicode.Scalar]
    /// True for the beginning of a token, which goes on in Base64.
    let isBeginning: Bool

    init(_ secret: String) { (scalars, isBeginning) = (Array(secret.unicodeScalars), false) }

    /// Finds tokens that nobody but the transport knows, by their beginning.
    init(tokenBeginning start: String) { (scalars, isBeginning) = (Array(start.unicodeScalars), true) }

    /// The minimum number of characters of a secret that is cut off.
    private static let minimumStart = 4

    /// The possible first bytes.
    var firstBytes: [UInt8] {
        guard let first = scalars.first else { return [] }
        return Array(String(first).utf8.prefix(1)) + Array((first == " " ? "%\\+" : "%\\").utf8)
    }

    /// Returns the end of the longest occurrence that begins at an index; nil if none does. The start of the secret counts
    /// if "…" follows it.
    /// - Parameter tokenEnd: the end of the last token that was found before, which is not looked for again: a body of
    ///   nothing but beginnings would take the square of its size.
    func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, tokenEnd: Int = 0) -> Int? {
        var ends = [start]
        for (index, scalar) in scalars.enumerated() {
            var next: [Int] = []
            for end in ends { Self.read(scalar, in: bytes, from: end, into: &next) }
            if next.isEmpty {
                return index < Self.minimumStart ? nil : ends.last { bytes[$0...].starts(with: "…".utf8) }
            }
            ends = next.count == 1 ? next : Set(next).sorted()
        }
        guard isBeginning, let last = ends.last else { return ends.last }
        if last < tokenEnd { return tokenEnd }
        let end = bytes[last...].firstIndex { !Self.isTokenByte($0) } ?? bytes.count
        return end - last >= Self.minimumToken ? end : nil
    }

    private static let minimumToken = 16

    /// True for Base64, also where it is escaped.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "+/=-_%\\".utf8.contains(byte)
        }
    }

    private static func read(
        _ scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, into ends: inout [Int]
    ) {
        guard start < bytes.count else { return }
        let text = UTF8.encode(scalar).map(Array.init) ?? []
        if bytes[start...].starts(with: text) { ends.append(start + text.count) }
        switch bytes[start] {
        case UInt8(ascii: "+") where scalar == " ": ends.append(start + 1)
        case UInt8(ascii: "%"):
            let isEscaped = text.enumerated().allSatisfy { index, byte in
                let place = start + 3 * index
                return peek(bytes, place) == UInt8(ascii: "%") && hexadecimal(bytes, place + 1, digits: 2) == Int(byte)
            }
            if isEscaped { ends.append(start + 3 * text.count) }
        case UInt8(ascii: "\\"):
            if let end = jsonEscape(of: scalar, in: bytes, from: start) { ends.append(end) }
        default: break
        }
    }

    /// RFC 8259 §7.
    private static func jsonEscape(
        of scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        guard peek(bytes, start + 1) == UInt8(ascii: "u") else {
            return shortEscapes[scalar].flatMap { $0 == peek(bytes, start + 1) ? start + 2 : nil }
        }
        var end = start
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
            guard bytes[end...].starts(with: "\\u".utf8), hexadecimal(bytes, end + 2, digits: 4) == Int(unit) else {
                return nil
            }
            end += 6
        }
        return end
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\"": UInt8(ascii: "\""), "\\": UInt8(ascii: "\\"), "/": UInt8(ascii: "/"), "\u{8}": UInt8(ascii: "b"),
        "\u{C}": UInt8(ascii: "f"), "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"),
    ]

    /// Nil at the end and behind it.
    private static func peek(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private static func hexadecimal(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, digits: Int) -> Int? {
        guard start + digits <= bytes.count else { return nil }
        return bytes[start..<start + digits].reduce(into: Int?(0)) { value, byte in
            value = Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { digit in value.map { $0 << 4 | digit } }
        }
    }
}

/// The texts that reveal a secret: itself, and what requests and messages contain of it. `SecretPattern` finds their escaped
/// forms.
enum SecretForms {
    static func all(of secret: String) -> Set<String> {
        var forms = Set([secret, trimmed(secret)] + parts(of: secret))
        // Hosts are compared and shown in lower case.
        forms.formUnion(forms.map { $0.lowercased() })
        forms.insert(Data(secret.utf8).base64EncodedString())
        forms.formUnion(base64(of: secret))
        forms.remove("")
        return forms
    }

    /// A shorter secret would be found in URLs that have nothing to do with it.
    private static let minimumInURL = 6

    /// True where a URL that a server names has one of the secrets.
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
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = text.utf8.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(start[...last]))
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

    /// Shorter parts of a secret are found in hosts that have nothing of it.
    private static let minimumPart = 4

    /// Returns the parts of a secret that are the host of a URL or in it, where a delimiter in the secret has ended the
    /// host. The number of a port is none.
    static func parts(of secret: String, inHostOf url: String) -> [String] {
        let server = url.utf8[..<Origin.pathStart(of: url)]
        let afterUser = server.lastIndex(of: UInt8(ascii: "@")).map(server.index(after:))
        // The name of the scheme stands before the first delimiter, and is none of a host.
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
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
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
