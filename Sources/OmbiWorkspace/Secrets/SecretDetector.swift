import OmbiCore

/// Recognises credentials in the texts of a collection: by the forms of their makers, by the name of the field that they stand
/// in, and in the parts of a URL and of a cookie that carry them. What it finds is masked on the screen, named by `ombi check`,
/// and moved to the local file when a request is saved.
public enum SecretDetector {
    /// A credential in a text.
    public struct Finding: Equatable, Sendable {
        /// "a GitHub token", for messages.
        public var kind: String
        /// The name of its field, its cookie or its parameter.
        public var name: String
        public var range: Range<String.Index>
    }

    /// The kind of text that a value stands in; it decides how much its name says.
    enum Place {
        /// A row, or a member of the settings.
        case field
        /// A member of a body, whose names mean anything: there the value has to look like a secret, too.
        case body
    }

    /// Returns the secrets in a text, from left to right. Templates are none: they only name one.
    /// - Parameter name: that of the field with the text.
    public static func find(in text: String, named name: String) -> [Finding] { find(in: text, named: name, .field) }

    static func find(in text: String, named name: String, _ place: Place) -> [Finding] {
        guard !text.isEmpty else { return [] }
        var found = named(text, name, place)
        if found.isEmpty { found = SecretParts.ofURL(text, isPath: name == "path") }
        if found.isEmpty { found = SecretForm.find(in: text, named: name) }
        return found.filter { !text[$0.range].contains("{{") && !$0.range.isEmpty }
    }

    /// Returns a text of the screen with the secrets in it masked.
    public static func masked(_ text: String, named name: String) -> String {
        find(in: text, named: name).reversed().reduce(into: text) {
            $0.replaceSubrange($1.range, with: LogMask.mask)
        }
    }

    /// A value under the name of a credential.
    private static func named(_ text: String, _ name: String, _ place: Place) -> [Finding] {
        // `tokenURL` names an address.
        guard isSensitive(name), !name.lowercased().hasSuffix("url"), !name.lowercased().hasSuffix("uri") else {
            return []
        }
        if SecretParts.isCookie(name) { return SecretParts.ofCookie(text) }
        if text.contains("://") { return [] }
        let range = SecretParts.withoutScheme(text, isAuthorization: name.lowercased().hasSuffix("authorization"))
        let value = text[range]
        let looksLikeSecret = Disorder.isSecret(value)
        if isReference(text), !looksLikeSecret { return [] }
        let isAmbiguous = name.lowercased() == "key" && !(value.utf8.count >= 8 && value.contains(where: \.isNumber))
        guard looksLikeSecret || place == .field && !isAmbiguous else { return [] }
        let kind = SecretForm.find(in: String(value), named: name).first?.kind ?? "a secret"
        return [Finding(kind: kind, name: name, range: range)]
    }

    /// True for the path of a file or of an endpoint, and for a variable of a shell or a JSONPath.
    private static func isReference(_ text: String) -> Bool {
        text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") || text.hasPrefix("$")
    }

    static func isSensitive(_ name: String) -> Bool { RequestHeaders.Key(name).isSensitive }

    /// True for a value that says itself that it is nobody's: those of demos and examples.
    static func isPlaceholder(_ value: Substring) -> Bool {
        value.lowercased().split { !$0.isLetter }.contains { placeholders.contains(String($0)) }
    }

    private static let placeholders: Set<String> = ["demo", "example", "placeholder", "not"]
}
