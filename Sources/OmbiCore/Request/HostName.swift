internal import OmbiBase

#if canImport(FoundationEssentials)
import FoundationEssentials
@_spi(_Unicode) import Swift
#else
import Foundation
#endif

/// Host names beyond ASCII in the form that is sent, by UTS 46: composed, in lower case and in Punycode (RFC 3492).
///
/// libcurl converts them by the locale of the process, which only programs with a screen set. The standard library has
/// no compatibility mappings (`ﬁ`, `①`): such a name is refused, because its Punycode would name another host.
package enum HostName {
    /// Returns the ASCII form of a host; the host itself if it is ASCII, an address, or no UTF-8, and where a character that it
    /// encodes would end it: `é%2Fx`.
    package static func ascii(_ host: String) -> String {
        guard host.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }), host.utf8.first != UInt8(ascii: "[")
        else { return host }
        guard let name = mapped(host), !name.utf8.contains(where: isEnd) else { return host }
        let labels = name.unicodeScalars.split(omittingEmptySubsequences: false) { isDot($0) }
        return labels.map { label -> String in
            if label.allSatisfy(\.isASCII) { return String(label) }
            return punycode(Array(label)).map { "xn--" + $0 } ?? String(label)
        }.joined(separator: ".")
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F || "/?#@:\\%".utf8.contains(byte) }

    /// Returns an absolute URL with the ASCII form of its host.
    package static func ascii(in url: String) -> String {
        let authority = Origin.authority(of: url)
        let text = url[authority]
        guard text.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return url }
        let start = text.lastIndex(of: "@").map(text.index(after:)) ?? text.startIndex
        let server = text[start...]
        let end = server.hasPrefix("[") ? server.endIndex : server.lastIndex(of: ":") ?? server.endIndex
        return "\(url[..<start])\(ascii(String(server[..<end])))\(url[end...])"
    }

    /// Returns the first character of a host that UTS 46 replaces with others; nil if there is none.
    package static func replaced(in host: some StringProtocol) -> Unicode.Scalar? {
        guard host.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }), let name = mapped(String(host))
        else { return nil }
        return name.unicodeScalars.first {
            !isDot($0) && !isKept($0) && $0.properties.changesWhenNFKCCaseFolded
        }
    }

    /// The reason why a host with the character is refused.
    package static func reason(_ scalar: Unicode.Scalar) -> String {
        "\"\(scalar)\", which stands for other characters in the name of a host; write those"
    }

    /// Returns a host as it is encoded; nil for one in ASCII, and for no UTF-8.
    private static func mapped(_ host: String) -> String? {
        let name = PercentEncoding.unescape(host)
        guard name.utf8.contains(where: { $0 >= 0x80 }), !name.unicodeScalars.contains("\u{FFFD}") else { return nil }
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in name.lowercased().unicodeScalars where !isIgnored(scalar, after: last) {
            result.append(contentsOf: decomposed[scalar]?.unicodeScalars ?? String(narrow(scalar)).unicodeScalars)
            last = scalar
        }
        return composed(String(result))
    }

    /// Returns true for what shows in no name: soft hyphens, variation selectors, spaces without a width.
    ///
    /// The two that join and separate letters stay where a language writes them: after a letter of it, and after a virama
    /// (RFC 5892, appendix A).
    private static func isIgnored(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
        guard scalar.properties.isDefaultIgnorableCodePoint else { return false }
        let isAfterVirama = last?.properties.canonicalCombiningClass == .virama
        switch scalar {
        case "\u{200C}": return !isAfterVirama && !(last.map { (0x600...0x8FF).contains($0.value) } ?? false)
        case "\u{200D}": return !isAfterVirama
        default: return true
        }
    }

    /// Letters that names may have, though case folding replaces them.
    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        "ßς\u{200C}\u{200D}".unicodeScalars.contains(scalar)
    }

    /// Letters of living languages that UTS 46 replaces with two.
    private static let decomposed: [Unicode.Scalar: String] = [
        "\u{133}": "ij", "\u{587}": "\u{565}\u{582}", "\u{E33}": "\u{E4D}\u{E32}", "\u{EB3}": "\u{ECD}\u{EB2}",
        "\u{EDC}": "\u{EAB}\u{E99}", "\u{EDD}": "\u{EAB}\u{EA1}",
    ]

    /// Returns the ASCII form of a letter, a digit or a hyphen of full width, and any other scalar as it is.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF0D...0xFF5A).contains(scalar.value), let ascii = Unicode.Scalar(scalar.value - 0xFEE0),
            ascii == "-" || ascii.properties.isAlphabetic || ascii.properties.numericType != nil
        else { return scalar }
        return ascii
    }

    private static func composed(_ text: String) -> String {
        #if canImport(FoundationEssentials)
        String(String.UnicodeScalarView(text._nfc))
        #else
        text.precomposedStringWithCanonicalMapping
        #endif
    }

    /// The full stops that separate labels (RFC 3490 §3.1).
    private static func isDot(_ scalar: Unicode.Scalar) -> Bool {
        ".\u{3002}\u{FF0E}\u{FF61}".unicodeScalars.contains(scalar)
    }

    // The parameters of RFC 3492 §5.
    private static let base: UInt32 = 36
    private static let minimum: UInt32 = 1
    private static let maximum: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damping: UInt32 = 700

    /// Encodes a label (RFC 3492 §6.3); nil for one that is too long for any host name.
    private static func punycode(_ label: [Unicode.Scalar]) -> String? {
        guard label.count <= maximumLength else { return nil }
        var result = label.filter(\.isASCII).map { UInt8($0.value) }
        let basic = UInt32(result.count)
        if basic > 0 { result.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled): (UInt32, UInt32, UInt32, UInt32) = (0x80, 0, 72, basic)
        while handled < label.count {
            let lowest = label.lazy.map(\.value).filter { $0 >= next }.min() ?? next
            delta += (lowest - next) * (handled + 1)
            next = lowest
            for scalar in label {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                append(delta, bias, to: &result)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The characters of a label: a longer one fits into no 63 bytes of DNS, and might overflow.
    private static let maximumLength = 63

    /// Appends a number in digits of variable weight.
    private static func append(_ number: UInt32, _ bias: UInt32, to result: inout [UInt8]) {
        var rest = number
        var weight = base
        while true {
            let threshold = weight <= bias ? minimum : min(maximum, weight - bias)
            guard rest >= threshold else { break }
            result.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            weight += base
        }
        result.append(digit(rest))
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var bias: UInt32 = 0
        while delta > (base - minimum) * maximum / 2 {
            delta /= base - minimum
            bias += base
        }
        return bias + (base - minimum + 1) * delta / (delta + skew)
    }
}
