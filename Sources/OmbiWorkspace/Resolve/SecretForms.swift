import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The ways a secret may be written in a request or a response.
enum SecretForms {
    static func all(of secret: String) -> [[UInt8]] {
        let quoted = String(JSONWriter.quoted(secret).dropFirst().dropLast())
        let slashed = quoted.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
        let forms = [
            secret, PercentEncoding.escape(secret), lowercasingEscapes(PercentEncoding.escape(secret)),
            PercentEncoding.escapePath(secret), PercentEncoding.escapeForm(secret),
            lowercasingEscapes(PercentEncoding.escapeForm(secret)), quoted, slashed, ascii(quoted), ascii(slashed),
            Data(secret.utf8).base64EncodedString(),
        ]
        return forms.map { Array($0.utf8) }
    }

    /// `%2F` as `%2f`.
    private static func lowercasingEscapes(_ text: String) -> String {
        var result: [UInt8] = []
        var digits = 0
        for byte in text.utf8 {
            result.append(digits > 0 ? (Character(Unicode.Scalar(byte)).lowercased().utf8.first ?? byte) : byte)
            digits = byte == UInt8(ascii: "%") ? 2 : max(0, digits - 1)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// With everything beyond ASCII as `\uXXXX`, as many servers write JSON.
    private static func ascii(_ text: String) -> String {
        text.utf16.reduce(into: "") { result, unit in
            if unit < 0x80 {
                result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                result += "\\u" + JSONScanner.hex(UInt32(unit))
            }
        }
    }
}
