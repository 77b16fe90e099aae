import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The search for many patterns at once, beside one that compares each pattern with each place.
@Suite struct SecretPatternsTests {
    /// Each index with each pattern, as if nothing told where one may begin.
    private static func masked(_ text: [UInt8], _ patterns: [SecretPattern], by mask: String) -> [UInt8] {
        var (result, masked, tokenEnd): ([UInt8], Int, Int) = ([], 0, 0)
        text.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                var longest: Int?
                for pattern in patterns {
                    var known = 0..<0
                    guard let end = pattern.end(in: bytes, from: index, tokenEnd: tokenEnd, known: &known) else {
                        continue
                    }
                    if pattern.isBeginning { tokenEnd = max(tokenEnd, end) }
                    longest = max(longest ?? end, end)
                }
                guard let longest else { continue }
                if index >= masked { result += Array(bytes[masked..<index]) + Array(mask.utf8) }
                masked = max(masked, longest)
            }
        }
        return result + text[masked...]
    }

    private static func text(of pieces: [String], maximum: Int, _ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 0...maximum, using: &random))
            .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    @Test(arguments: [1, 3, 21, 22, 50])
    func `all patterns together find the same as one after the other`(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let characters = ["a", "b", "B", "z", "%", "\\", "&", " ", "+", "é", "/"]
        // Escapes of these, whole, escaped again and cut off.
        let pieces =
            characters + [
                "%61", "%4", "%2561", "\\u0061", "\\x62", "\\\\", "&#97;", "&amp;", "&#x62", "%5Cu0061", "…", "ab",
                "abz",
            ]
        var found = 0
        for _ in 0..<400 {
            var (patterns, together): ([SecretPattern], SecretPatterns) = ([], SecretPatterns())
            while patterns.count < count {
                let secret = Self.text(of: characters, maximum: 7, &random)
                if secret.isEmpty { continue }
                let isToken = Int.random(in: 0..<8, using: &random) == 0
                patterns.append(isToken ? SecretPattern(tokenBeginning: secret) : SecretPattern(secret))
            }
            patterns.forEach { together.add($0) }
            let text = Array(Self.text(of: pieces, maximum: 24, &random).utf8)
            let masked = text.withUnsafeBufferPointer { together.masked($0, by: "*") } ?? text
            let expected = Self.masked(text, patterns, by: "*")
            #expect(masked == expected, "\(String(decoding: text, as: UTF8.self)), \(patterns)")
            if masked != text { found += 1 }
        }
        #expect(found > 20)
    }

    @Test func `a pattern is found at the beginning, in the middle and at the end of a text of any length`() {
        for secret in ["x", "xy", "xyz", "xyzxyzxyz"] {
            var patterns = SecretPatterns()
            patterns.add(SecretPattern(secret))
            for before in 0..<5 {
                for after in 0..<5 {
                    let (start, end) = (String(repeating: "-", count: before), String(repeating: "-", count: after))
                    let masked = Array((start + secret + end).utf8).withUnsafeBufferPointer {
                        patterns.masked($0, by: "*")
                    }
                    #expect(masked == Array((start + "*" + end).utf8))
                }
            }
        }
    }
}
