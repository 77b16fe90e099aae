/// A pattern that finds a secret in bytes: each character plain, percent-encoded (RFC 3986, a form), or escaped as in JSON,
/// a script or HTML, in any mixture. An escape may be escaped again.
struct SecretPattern: Hashable, Sendable {
    private let scalars: [Unicode.Scalar]
    /// The bytes of the characters; with `ignoresCase`, letters are in lower case.
    private let text: [UInt8]
    private let ignoresCase: Bool
    /// True for the start of a token, which continues in Base64.
    let isBeginning: Bool
    /// True if a plain occurrence is the longest one: no character may begin an escape or represent another.
    private let isUnambiguous: Bool
    /// For each byte of a long text, the number of bytes from there on that are the same as at its beginning. Empty for others.
    private let repeats: [Int]
    /// True for a pattern that knows the bytes that it has compared.
    var isLong: Bool { !repeats.isEmpty }

    /// A long secret is found in upper and in lower case, too.
    init(_ secret: String) {
        self.init(secret, ignoresCase: secret.utf8.count >= Self.minimumInAnyCase, isBeginning: false)
    }

    /// Finds tokens that only the transport knows, by their start.
    init(tokenBeginning start: String) { self.init(start, ignoresCase: false, isBeginning: true) }

    private init(_ secret: String, ignoresCase: Bool, isBeginning: Bool) {
        scalars = Array(secret.unicodeScalars)
        text = secret.utf8.map { ignoresCase ? $0.lowercasedASCII : $0 }
        (self.ignoresCase, self.isBeginning) = (ignoresCase, isBeginning)
        isUnambiguous = !secret.utf8.contains { $0 == UInt8(ascii: " ") || Self.isEscape($0) }
        repeats = text.count < Self.minimumRepeating ? [] : Self.repeats(in: text)
    }

    /// In bytes. Comparing a shorter secret at each byte of a text costs little.
    private static let minimumRepeating = 256

    /// The Z-algorithm: linear, as no byte is compared again that was found to be the same.
    private static func repeats(in text: [UInt8]) -> [Int] {
        var repeats = [Int](repeating: 0, count: text.count)
        var known = 0..<0
        for start in text.indices.dropFirst() {
            var count = start < known.upperBound ? min(known.upperBound - start, repeats[start - known.lowerBound]) : 0
            while start + count < text.count, text[count] == text[start + count] { count += 1 }
            repeats[start] = count
            if start + count > known.upperBound { known = start..<start + count }
        }
        return repeats
    }

    /// In bytes. A shorter secret in another case, in hexadecimal or decoded would occur in unrelated texts.
    static let minimumInAnyCase = 6

    /// The minimum number of characters of a secret that is cut off.
    private static let minimumStart = 4

    /// The first bytes of escapes.
    static let escapes = Array("%\\&".utf8)

    /// True for one of `escapes`, without a search, because it is called for most bytes of a text.
    static func isEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
    }

    /// The possible bytes at one of the first three places of an occurrence, where it is not escaped; nil for any byte.
    func bytes(at place: Int) -> [UInt8]? {
        guard place < text.count else { return nil }
        switch text[place] {
        case UInt8(ascii: "a")...UInt8(ascii: "z") where ignoresCase: return [text[place], text[place] & ~0x20]
        case UInt8(ascii: " "): return [text[place], UInt8(ascii: "+")]
        default: return [text[place]]
        }
    }

    /// Returns the end of the longest occurrence that begins at an index; nil if none does. The start of the secret counts
    /// if "…" follows it.
    /// - Parameter tokenEnd: the end of the last token that was found before, which is not looked for again: a body of
    ///   nothing but beginnings would take the square of its size.
    /// - Parameter known: the bytes that were found to be the beginning of a long secret, from an earlier start; they are not
    ///   compared again.
    func end(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, tokenEnd: Int, known: inout Range<Int>
    ) -> Int? {
        let last: Int
        switch plain(in: bytes, from: start, known: &known) {
        case .absent: return nil
        case .ending(at: let end): last = end
        case .escaped(let count):
            guard let end = escapedEnd(in: bytes, from: start, after: count) else { return nil }
            guard end.isWhole else { return end.index }
            last = end.index
        }
        guard isBeginning else { return last }
        if last < tokenEnd { return tokenEnd }
        let end = bytes[last...].firstIndex { !Self.isTokenByte($0) } ?? bytes.count
        return end - last >= Self.minimumToken ? end : nil
    }

    private enum PlainMatch {
        case absent
        case ending(at: Int)
        /// An escape, or the end of a part, decides after this number of literal characters.
        case escaped(after: Int)
    }

    /// Compares bytes as they are: most places are no occurrence by their first bytes.
    private func plain(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, known: inout Range<Int>
    ) -> PlainMatch {
        guard isUnambiguous else { return .escaped(after: 0) }
        var index = 0
        if !repeats.isEmpty, start < known.upperBound {
            index = min(known.upperBound - start, repeats[start - known.lowerBound])
        }
        defer { if start + index > known.upperBound { known = start..<start + index } }
        while index < text.count {
            guard start + index < bytes.count else { return .absent }
            let (byte, other) = (text[index], bytes[start + index])
            guard byte == (ignoresCase ? other.lowercasedASCII : other) else {
                // A character of several bytes may begin as "…" does.
                let isOpen = Self.isEscape(other) || other == Self.ellipsisStart || byte >= 0x80
                return isOpen ? .escaped(after: scalars.count == text.count ? index : 0) : .absent
            }
            index += 1
        }
        return .ending(at: start + text.count)
    }

    private static let ellipsisStart: UInt8 = 0xE2

    /// - Parameter count: the characters of the secret that are there as they are, one byte each.
    private func escapedEnd(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, after count: Int
    ) -> (index: Int, isWhole: Bool)? {
        // The memory for the ends is paid only where the first character is there.
        var ends: [Int] = []
        for index in count..<scalars.count {
            var next: [Int] = []
            if index == count { read(scalars[index], in: bytes, from: start + count, into: &next) }
            for end in ends { read(scalars[index], in: bytes, from: end, into: &next) }
            if next.isEmpty {
                guard index >= Self.minimumStart else { return nil }
                return (index == count ? [start + count] : ends).last { bytes[$0...].starts(with: "…".utf8) }
                    .map { (index: $0, isWhole: false) }
            }
            ends = next.count == 1 ? next : Set(next).sorted()
        }
        return ends.last.map { (index: $0, isWhole: true) }
    }

    private static let minimumToken = 16

    /// True for Base64, also where it is escaped.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "+/=-_%\\".utf8.contains(byte)
    }
}

/// Reading of one character.
extension SecretPattern {
    /// The number of times that an escape is escaped again.
    private static let maximumDepth = 2

    private func read(
        _ scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, into ends: inout [Int]
    ) {
        guard start < bytes.count else { return }
        if isPlain(scalar, in: bytes, at: start) { ends.append(start + scalar.utf8.count) }
        switch bytes[start] {
        case UInt8(ascii: "+") where scalar == " ": ends.append(start + 1)
        case UInt8(ascii: "%"):
            for depth in 0...Self.maximumDepth {
                if let end = percentEscape(of: scalar, in: bytes, from: start, depth: depth) { ends.append(end) }
            }
            readEncoded(scalar, in: bytes, from: start, into: &ends)
        case UInt8(ascii: "\\"):
            // Two for one, in a text within a text four.
            if scalar == "\\" {
                ends += [2, 4].filter { bytes[start...].starts(with: Self.slashes($0)) }.map { start + $0 }
            }
            if let end = slashEscape(of: scalar, in: bytes, from: start) { ends.append(end) }
        case UInt8(ascii: "&"):
            if let end = entity(of: scalar, in: bytes, from: start) { ends.append(end) }
        default: break
        }
    }

    /// Reads an escape of JSON or HTML that is percent-encoded itself: `%5Cu002f`, `%5C%22`, `%26quot%3B`.
    private func readEncoded(
        _ scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, into ends: inout [Int]
    ) {
        guard let first = Self.hexadecimal(bytes, start + 1, digits: 2), first == 0x5C || first == 0x26 else { return }
        var (decoded, places): ([UInt8], [Int]) = ([], [])
        var index = start
        while index < bytes.count, decoded.count < Self.maximumEscape {
            if bytes[index] == UInt8(ascii: "%"), let code = Self.hexadecimal(bytes, index + 1, digits: 2) {
                decoded.append(UInt8(code))
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
            places.append(index)
        }
        var inner: [Int] = []
        decoded.withUnsafeBufferPointer { read(scalar, in: $0, from: 0, into: &inner) }
        ends += inner.map { places[$0 - 1] }
    }

    /// In bytes: two units of UTF-16, with four backslashes each.
    private static let maximumEscape = 18

    private static func slashes(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "\\"), count: count) }

    private func isPlain(_ scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        let code = scalar.utf8
        return start + code.count <= bytes.count
            && zip(bytes[start...], code).allSatisfy { isEqual(Int($0), Int($1)) }
    }

    /// Compares codes of characters.
    private func isEqual(_ one: Int, _ other: Int) -> Bool {
        if one == other { return true }
        guard ignoresCase, let one = UInt8(exactly: one), let other = UInt8(exactly: other) else { return false }
        return one.lowercasedASCII == other.lowercasedASCII
    }

    /// - Parameter depth: 1 for `%252F`, the escape of `%2F`.
    private func percentEscape(
        of scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, depth: Int
    ) -> Int? {
        var end = start
        for byte in scalar.utf8 {
            guard bytes[safe: end] == UInt8(ascii: "%") else { return nil }
            end += 1
            for _ in 0..<depth {
                guard Self.hexadecimal(bytes, end, digits: 2) == 0x25 else { return nil }
                end += 2
            }
            guard let code = Self.hexadecimal(bytes, end, digits: 2), isEqual(code, Int(byte)) else { return nil }
            end += 2
        }
        return end
    }

    /// RFC 8259 §7, and `\x2f`. In a text within a text there are several backslashes.
    private func slashEscape(of scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var end = start
        for unit in scalar.utf16 {
            let slashes = bytes[end...].prefix(1 << Self.maximumDepth).prefix { $0 == UInt8(ascii: "\\") }.count
            guard slashes > 0 else { return nil }
            end += slashes
            let digits: Int
            switch bytes[safe: end] {
            case UInt8(ascii: "u"): digits = 4
            case UInt8(ascii: "x"): digits = 2
            case let byte?: return Self.shortEscapes[scalar] == byte ? end + 1 : nil
            case nil: return nil
            }
            guard let code = Self.hexadecimal(bytes, end + 1, digits: digits), isEqual(code, Int(unit)) else {
                return nil
            }
            end += 1 + digits
        }
        return end
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\"": UInt8(ascii: "\""), "'": UInt8(ascii: "'"), "/": UInt8(ascii: "/"), "\u{8}": UInt8(ascii: "b"),
        "\u{C}": UInt8(ascii: "f"), "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"),
    ]

    /// HTML §13.5: `&amp;`, `&#38;`, `&#x26;`; the semicolon may be missing.
    private func entity(of scalar: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard bytes[safe: start + 1] == UInt8(ascii: "#") else {
            guard let name = Self.entities[scalar], bytes[(start + 1)...].starts(with: name.utf8) else { return nil }
            return start + 1 + name.utf8.count
        }
        let isHexadecimal = bytes[safe: start + 2].map(\.lowercasedASCII) == UInt8(ascii: "x")
        let first = start + (isHexadecimal ? 3 : 2)
        let radix = isHexadecimal ? 16 : 10
        let digits = bytes[first...].prefix(Self.maximumDigits).prefix {
            $0.hexDigitValue.map { $0 < radix } ?? false
        }
        guard let code = Int(String(decoding: digits, as: UTF8.self), radix: radix), isEqual(code, Int(scalar.value))
        else { return nil }
        return bytes[safe: digits.endIndex] == UInt8(ascii: ";") ? digits.endIndex + 1 : digits.endIndex
    }

    private static let maximumDigits = 8

    private static let entities: [Unicode.Scalar: String] = [
        "&": "amp;", "<": "lt;", ">": "gt;", "\"": "quot;", "'": "apos;",
    ]

    /// False if the first byte of an escape begins none: a form of 10 MB has many an ampersand.
    static func mayEscape(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard let next = bytes[safe: index + 1] else { return false }
        switch bytes[index] {
        case UInt8(ascii: "%"): return hexadecimal(bytes, index + 1, digits: 2) != nil
        case UInt8(ascii: "&"):
            switch next {
            // A number, and the first letters of `entities`.
            case UInt8(ascii: "#"), UInt8(ascii: "a"), UInt8(ascii: "g"), UInt8(ascii: "l"), UInt8(ascii: "q"):
                return true
            default: return false
            }
        default: return bytes[(index + 1)...].prefix(1 << maximumDepth).contains { $0 != UInt8(ascii: "\\") }
        }
    }

    /// The ASCII character that an escape stands for, by which most are told from the beginning of a secret at once; nil
    /// where it is another one, or begins an escape itself.
    static func unescaped(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt8? {
        let code: Int?
        if bytes[index] == UInt8(ascii: "%") {
            code = hexadecimal(bytes, index + 1, digits: 2)
        } else if bytes[index] == UInt8(ascii: "\\"), let next = bytes[safe: index + 1] {
            switch next {
            case UInt8(ascii: "u"): code = hexadecimal(bytes, index + 2, digits: 4)
            case UInt8(ascii: "x"): code = hexadecimal(bytes, index + 2, digits: 2)
            case UInt8(ascii: "n"): code = 0x0A
            case UInt8(ascii: "r"): code = 0x0D
            case UInt8(ascii: "t"): code = 0x09
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"): code = Int(next)
            default: code = nil
            }
        } else {
            code = nil
        }
        guard let code, code < 0x80, !isEscape(UInt8(code)) else { return nil }
        return UInt8(code)
    }

    private static func hexadecimal(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, digits: Int) -> Int? {
        guard start + digits <= bytes.count else { return nil }
        var value = 0
        for index in start..<start + digits {
            guard let digit = bytes[index].hexDigitValue else { return nil }
            value = value << 4 | Int(digit)
        }
        return value
    }
}
