/// The forms of credentials that their makers gave them: prefixes, JSON Web Tokens, keys in PEM.
enum SecretForm {
    private struct Maker {
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
        Maker(prefix: "ghp_", kind: "a GitHub token", count: 30),
        Maker(prefix: "gho_", kind: "a GitHub token", count: 30),
        Maker(prefix: "ghu_", kind: "a GitHub token", count: 30),
        Maker(prefix: "ghs_", kind: "a GitHub token", count: 30),
        Maker(prefix: "ghr_", kind: "a GitHub token", count: 30),
        Maker(prefix: "github_pat_", kind: "a GitHub token", count: 20),
        Maker(prefix: "glpat-", kind: "a GitLab token", count: 16),
        Maker(prefix: "sk_live_", kind: "a Stripe key", count: 16),
        Maker(prefix: "rk_live_", kind: "a Stripe key", count: 16),
        Maker(prefix: "sk-ant-", kind: "an API key", count: 20),
        Maker(prefix: "sk-proj-", kind: "an API key", count: 20),
        Maker(prefix: "xoxb-", kind: "a Slack token", count: 16),
        Maker(prefix: "xoxp-", kind: "a Slack token", count: 16),
        Maker(prefix: "xoxa-", kind: "a Slack token", count: 16),
        Maker(prefix: "xoxs-", kind: "a Slack token", count: 16),
        Maker(prefix: "AKIA", kind: "an AWS access key", count: 16),
        Maker(prefix: "ASIA", kind: "an AWS access key", count: 16),
        Maker(prefix: "AIza", kind: "a Google API key", count: 35),
        Maker(prefix: "npm_", kind: "an npm token", count: 30),
        Maker(prefix: "pypi-", kind: "a PyPI token", count: 30),
        Maker(prefix: "dop_v1_", kind: "a DigitalOcean token", count: 40),
        Maker(prefix: "SG.", kind: "a SendGrid key", count: 40),
    ]

    /// Returns the first secret in a text.
    static func find(in text: String, named name: String) -> [SecretDetector.Finding] {
        // Bytes, as a collection has thousands of texts, and characters take a hundred times as long.
        let bytes = Array(text.utf8)
        guard bytes.count >= minimumLength else { return [] }
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
}
