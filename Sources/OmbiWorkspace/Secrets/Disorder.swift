#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#endif

/// The disorder of a text, by which a generated secret is told from words.
enum Disorder {
    /// True for a text that nobody would think of: long, with digits, and with 3.2 bits for each character. An identifier is as
    /// disorderly, and no secret.
    static func isSecret(_ text: Substring) -> Bool {
        text.utf8.count >= SecretForm.minimumLength && text.contains(where: \.isNumber) && entropy(of: text) >= 3.2
            && UUID(uuidString: String(text)) == nil
    }

    /// Bits for each character.
    private static func entropy(of text: Substring) -> Double {
        var counts: [Character: Int] = [:]
        for character in text { counts[character, default: 0] += 1 }
        let total = Double(text.count)
        return counts.values.reduce(0) { $0 - Double($1) / total * (log(Double($1) / total) / log(2)) }
    }
}
