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
        var prefix: String
        var kind: String
        /// Characters behind the prefix, at least.
        var count: Int
    }

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
        guard !text.contains("{{") else { return nil }
        if text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----") {
            return ("a private key", text.startIndex..<text.endIndex)
        }
        for range in words(of: text) {
            let word = text[range]
            let form = forms.first { word.hasPrefix($0.prefix) && word.utf8.count >= $0.prefix.utf8.count + $0.count }
            if let form { return (form.kind, range) }
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            if word.hasPrefix("eyJ"), parts.count == 3, parts.allSatisfy({ $0.count >= 8 }) {
                return ("a JSON Web Token", range)
            }
        }
        guard RequestHeaders.Key(name).isSensitive, !text.contains("://"), !text.hasPrefix("/"), !text.hasPrefix("$")
        else { return nil }
        // A scheme such as `Bearer` is no secret.
        let last = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
        let range = last..<text.endIndex
        let value = text[range]
        guard value.utf8.count >= 16, entropy(of: value) >= 3.2, value.contains(where: \.isNumber), !isIdentifier(value)
        else { return nil }
        return ("a secret", range)
    }

    private static func words(of text: String) -> [Range<String.Index>] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) && !"_-.".contains($0) }.map {
            $0.startIndex..<$0.endIndex
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
