import Foundation

/// The forms in which a server may repeat a secret that it got. `forms(of:)` is independent of the code that masks them.
public enum SecretEchoes {
    /// By the name of the form.
    public static func forms(of secret: String) -> [String: String] {
        let bytes = Array(secret.utf8)
        var forms: [String: String] = [
            "plain": secret, "upper case": secret.uppercased(), "lower case": secret.lowercased(),
            "hexadecimal": joined(bytes, "%02x"), "upper hexadecimal": joined(bytes, "%02X"),
            "every byte in percent": joined(bytes, "%%%02x"), "every byte in upper percent": joined(bytes, "%%%02X"),
            "percent twice": joined(bytes, "%%25%02X"), "decimal entities": entities(of: secret, "&#%d;"),
            "hexadecimal entities": entities(of: secret, "&#x%X;"),
        ]
        forms["HTML"] = escaped(secret) { html[$0] ?? String($0) }
        forms["percent"] = escaped(secret) { percent($0, "%%%02X") }
        forms["lower percent"] = escaped(secret) { percent($0, "%%%02x") }
        forms["form"] = forms["percent"]?.replacing("%20", with: "+")
        let json = escaped(secret) { $0.isASCII ? jsonNames[$0] ?? String($0) : units($0, "\\u%04x") }
        forms["JSON"] = json
        forms["JSON with escaped slashes"] = json.replacing("/", with: "\\/")
        forms["JSON in JSON"] = json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        forms["JSON in a query"] = escaped(json) { percent($0, "%%%02X") }
        forms["HTML in a query"] = forms["HTML"].map { html in escaped(html) { percent($0, "%%%02x") } }
        forms["JSON, every character"] = escaped(secret) { units($0, "\\u%04x") }
        forms["JSON, every character in capitals"] = escaped(secret) { units($0, "\\u%04X") }
        for before in ["", "n", "no"] {
            let standard = Data((before + secret + "more").utf8).base64EncodedString()
            let forURLs = standard.replacing("+", with: "-").replacing("/", with: "_")
            forms["Base64 after \(before.count)"] = standard
            forms["Base64 for URLs after \(before.count)"] = forURLs
            forms["Base64 without padding after \(before.count)"] = standard.replacing("=", with: "")
        }
        return forms
    }

    private static func joined(_ bytes: [UInt8], _ format: String) -> String {
        bytes.map { String(format: format, Int($0)) }.joined()
    }

    private static func entities(of text: String, _ format: String) -> String {
        text.unicodeScalars.map { String(format: format, Int($0.value)) }.joined()
    }

    private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        text.unicodeScalars.map(escape).joined()
    }

    private static func units(_ scalar: Unicode.Scalar, _ format: String) -> String {
        String(scalar).utf16.map { String(format: format, Int($0)) }.joined()
    }

    private static let jsonNames: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t",
    ]
    private static let html: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]

    private static func percent(_ scalar: Unicode.Scalar, _ format: String) -> String {
        let isUnreserved =
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
        return isUnreserved ? String(scalar) : joined(Array(String(scalar).utf8), format)
    }
}
