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
        let all = forms + forms.map { $0.lowercased() } + [Data(secret.utf8).base64EncodedString()]
        return Set(all.filter { !$0.isEmpty })
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
}
