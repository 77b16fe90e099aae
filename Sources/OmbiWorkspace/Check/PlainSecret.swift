import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#endif

/// A credential that stands in a file as it is, where a template could stand.
public struct PlainSecret: Equatable, Sendable {
    /// "a GitHub token", for messages.
    public var kind: String
    /// The name of a variable for it.
    public var name: String
    public var position: TextPosition
    /// The name of the text's member, or of its row: `Authorization`.
    public var place: String
    /// The string of the file with its quotes.
    var range: Range<Int>
    /// The text of the string around the secret.
    var before: String
    var after: String
    /// Never shown.
    var value: String

    /// The secret of the local file that takes its place.
    public var moved: Secret { Secret(name, .value(value)) }
}

extension PlainSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { kind }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Recognises credentials by the prefixes of their makers, and by their disorder under a name that says so.
enum SecretDetector {
    private struct Form {
        let prefix: [UInt8]
        let kind: String
        /// Bytes with the prefix, at least.
        let length: Int

        /// - Parameter count: of characters behind the prefix, at least.
        init(prefix: String, kind: String, count: Int) {
            self.prefix = Array(prefix.utf8)
            self.kind = kind
            length = self.prefix.count + count
        }
    }

    /// In bytes. A shorter text is no secret that can be told from other texts.
    static let minimumLength = 16

    private static let forms = [
        Form(prefix: "ghp_", kind: "a GitHub token", count: 30),
        Form(prefix: "gho_", kind: "a GitHub token", count: 30),
        Form(prefix: "ghu_", kind: "a GitHub token", count: 30),
        Form(prefix: "ghs_", kind: "a GitHub token", count: 30),
        Form(prefix: "ghr_", kind: "a GitHub token", count: 30),
        Form(prefix: "github_pat_", kind: "a GitHub token", count: 20),
        Form(prefix: "glpat-", kind: "a GitLab token", count: 16),
        Form(prefix: "sk_live_", kind: "a Stripe key", count: 16),
        Form(prefix: "rk_live_", kind: "a Stripe key", count: 16),
        Form(prefix: "sk-ant-", kind: "an API key", count: 20), Form(prefix: "sk-proj-", kind: "an API key", count: 20),
        Form(prefix: "xoxb-", kind: "a Slack token", count: 16),
        Form(prefix: "xoxp-", kind: "a Slack token", count: 16),
        Form(prefix: "xoxa-", kind: "a Slack token", count: 16),
        Form(prefix: "xoxs-", kind: "a Slack token", count: 16),
        Form(prefix: "AKIA", kind: "an AWS access key", count: 16),
        Form(prefix: "ASIA", kind: "an AWS access key", count: 16),
        Form(prefix: "AIza", kind: "a Google API key", count: 35),
        Form(prefix: "npm_", kind: "an npm token", count: 30),
        Form(prefix: "pypi-", kind: "a PyPI token", count: 30),
        Form(prefix: "dop_v1_", kind: "a DigitalOcean token", count: 40),
        Form(prefix: "SG.", kind: "a SendGrid key", count: 40),
    ]

    /// Returns the secret in a text, and its kind.
    /// - Parameter name: that of the field with the text.
    static func find(in text: String, named name: String) -> (kind: String, range: Range<String.Index>)? {
        // Bytes, as a collection has thousands of texts, and characters take a hundred times as long.
        let bytes = Array(text.utf8)
        guard bytes.count >= minimumLength, !contains("{{", bytes) else { return nil }
        if contains("-----BEGIN ", bytes), contains("PRIVATE KEY-----", bytes) {
            return ("a private key", text.startIndex..<text.endIndex)
        }
        if let (kind, range) = token(in: bytes) {
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            return (kind, start..<text.utf8.index(start, offsetBy: range.count))
        }
        guard isSensitive(name), !text.contains("://"), !text.hasPrefix("/"), !text.hasPrefix("$")
        else { return nil }
        // A scheme such as `Bearer` is no secret.
        let last = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
        let range = last..<text.endIndex
        let value = text[range]
        guard value.utf8.count >= minimumLength, entropy(of: value) >= 3.2, value.contains(where: \.isNumber),
            !isIdentifier(value)
        else { return nil }
        return ("a secret", range)
    }

    static func isSensitive(_ name: String) -> Bool { RequestHeaders.Key(name).isSensitive }

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
        if let form = forms.first(where: { word.count >= $0.length && word.starts(with: $0.prefix) }) {
            return form.kind
        }
        guard word.starts(with: "eyJ".utf8) else { return nil }
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { $0.count >= 8 } ? "a JSON Web Token" : nil
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// An identifier, which is as disorderly as a secret.
    private static func isIdentifier(_ text: Substring) -> Bool { UUID(uuidString: String(text)) != nil }

    /// Bits for each character.
    static func entropy(of text: Substring) -> Double {
        var counts: [Character: Int] = [:]
        for character in text { counts[character, default: 0] += 1 }
        let total = Double(text.count)
        return counts.values.reduce(0) { $0 - Double($1) / total * (log(Double($1) / total) / log(2)) }
    }
}
