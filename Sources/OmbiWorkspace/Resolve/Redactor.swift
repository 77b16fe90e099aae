#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Masks secrets in anything that is shown, logged, copied or kept: as they are, and in the forms in which they travel
/// (percent-encoded, form-encoded, escaped in JSON, Base64).
public struct Redactor: Sendable, Equatable {
    public static let mask = "••••••"

    /// By their first byte, so that a text is gone through once.
    private var forms: [UInt8: [[UInt8]]] = [:]

    /// Masks these values; empty ones are passed over.
    public init(_ secrets: some Sequence<String> = []) {
        for secret in secrets where !secret.isEmpty {
            for form in SecretForms.all(of: secret) { forms[form[0], default: []].append(form) }
        }
        for (first, list) in forms {
            forms[first] = Set(list).sorted { $0.lexicographicallyPrecedes($1) }
        }
    }

    public func redact(_ text: String) -> String {
        if forms.isEmpty { return text }
        return String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    public func redact(_ data: Data) -> Data {
        forms.isEmpty ? data : Data(redact(Array(data)))
    }

    /// Matches that overlap are masked together, so that no end of one is left.
    private func redact(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var masked = 0
        for index in bytes.indices {
            for form in forms[bytes[index]] ?? [] where bytes[index...].starts(with: form) {
                if index >= masked { result += Array(Self.mask.utf8) }
                masked = max(masked, index + form.count)
            }
            if index >= masked { result.append(bytes[index]) }
        }
        return result
    }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
    /// Tells nothing of the secrets.
    public var description: String { "Redactor" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
