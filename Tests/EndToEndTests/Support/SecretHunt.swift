import Foundation
import TestSupport

/// The secrets of a story, and the search for them in everything that a program leaves behind.
struct SecretHunt {
    /// By the place that each comes from.
    private let forms: [(name: String, form: Data)]

    init(_ secrets: [String: String]) {
        forms = secrets.sorted { $0.key < $1.key }.flatMap { name, secret in
            Self.forms(of: secret).map { (name, Data($0.utf8)) }
        }
    }

    /// The names of the secrets that a text or a file has, with the form.
    func findings(in data: Data, except allowed: Set<String> = []) -> [String] {
        forms.filter { !allowed.contains($0.name) && data.range(of: $0.form) != nil }
            .map { "\($0.name) as \(String(decoding: $0.form, as: UTF8.self))" }
    }

    func findings(in text: String) -> [String] { findings(in: Data(text.utf8)) }

    /// A secret plain, percent-encoded in both manners, escaped for JSON in three manners, as servers repeat it, and in the
    /// Base64 of a longer text.
    static func forms(of secret: String) -> Set<String> {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let percent = secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        let quoted = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let escaped = quoted.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isASCII { return text.unicodeScalars.append(scalar) }
            for unit in String(scalar).utf16 { text += "\\u" + String(format: "%04x", unit) }
        }
        var forms: Set<String> = [
            secret, percent, percent.lowercased(), percent.replacing("%20", with: "+"), quoted,
            quoted.replacing("/", with: "\\/"), escaped, escaped.replacing("/", with: "\\/"),
        ]
        forms.formUnion(SecretEchoes.forms(of: secret).filter { !$0.key.hasPrefix("Base64") }.values)
        for offset in 0..<3 {
            let text = (Data(repeating: 0, count: offset) + Data(secret.utf8)).base64EncodedString()
            let (start, end) = ((offset * 8 + 5) / 6, (offset + secret.utf8.count) * 8 / 6)
            let part = String(text.prefix(end).dropFirst(start))
            forms.formUnion([part, part.replacing("+", with: "-").replacing("/", with: "_")])
        }
        return forms
    }
}
