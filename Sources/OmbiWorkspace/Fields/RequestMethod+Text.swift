import OmbiCore
import OmbiDocument

extension RequestMethod {
    /// Reads a method as a collection has it: a token (RFC 9110 §9.1) without lower-case letters, as all methods are that
    /// servers know. Throws for any other text.
    public init(text: String) throws(FieldError) {
        let reason = "\(JSONValue.quoted(text.excerpt(40))) is not a method"
        guard let method = RequestMethod(rawValue: text) else {
            throw FieldError(reason + "; it is made of capital letters, digits and !#$%&'*+-.^_`|~")
        }
        guard text == text.uppercased() else { throw FieldError(reason + "; write \(text.uppercased())") }
        self = method
    }

    /// `; did you mean "POST"?` for a method that looks like a typo of a known one; otherwise empty.
    var typoHint: String {
        let known = Self.allCases.map(\.rawValue)
        return isIdempotent || known.contains(rawValue) ? "" : Spelling.hint(for: rawValue, in: known)
    }
}
