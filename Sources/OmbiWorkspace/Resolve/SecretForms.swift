import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The texts that reveal a secret: itself, and what requests and messages contain of it. `SecretPattern` finds their escaped
/// forms.
enum SecretForms {
    static func all(of secret: String) -> Set<String> {
        let forms = [secret, trimmed(secret)] + parts(of: secret)
        // Hosts are compared and shown in lower case.
        let all = forms + forms.map { $0.lowercased() } + [Data(secret.utf8).base64EncodedString()] + base64(of: secret)
        return Set(all.filter { !$0.isEmpty })
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
            let part = String(text.prefix(end).dropFirst(start))
            return [part, part.replacing("+", with: "-").replacing("/", with: "_")]
        }
    }

    /// Returns the text without spaces at its ends, like the value of a header field.
    private static func trimmed(_ text: String) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let start = text.drop(while: isSpace)
        return String(start.reversed().drop(while: isSpace).reversed())
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
        let server = url[..<Origin.pathStart(of: url)]
        let start = server.lastIndex(of: "@").map(server.index(after:)) ?? server.firstRange(of: "://")?.upperBound
        let names = server[(start ?? server.startIndex)...].split(whereSeparator: isDelimiter)
        return secret.split(whereSeparator: isDelimiter).filter { part in
            UInt16(part) == nil && names.contains { $0 == part || part.count >= minimumPart && $0.contains(part) }
        }.map(String.init)
    }

    /// RFC 3986 §2.2
    private static func isDelimiter(_ character: Character) -> Bool { ":/?#[]@".contains(character) }
}
