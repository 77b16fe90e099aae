import OmbiCore
import OmbiDocument

extension RequestMethod {
    /// Reads a method as a collection has it: a token (RFC 9110 §9.1) without lower-case letters, as all methods are that
    /// servers know. Throws for any other text.
    public init(text: String) throws(FieldError) {
        // A collection has one for each request, and of other methods few.
        if let known = Self.known(text) {
            self = known
            return
        }
        let reason = "\(JSONValue.quoted(text.excerpt(40))) is not a method"
        guard let method = RequestMethod(rawValue: text) else {
            throw FieldError(reason + "; it is made of capital letters, digits and !#$%&'*+-.^_`|~")
        }
        guard text == text.uppercased() else { throw FieldError(reason + "; write \(text.uppercased())") }
        self = method
    }

    /// `; did you mean "POST"?` for a method that looks like a typo of a known one; otherwise empty.
    var typoHint: String {
        if Self.known(rawValue) != nil || isIdempotent { return "" }
        return Spelling.hint(for: rawValue, in: Self.allCases.map(\.rawValue))
    }

    private static func known(_ text: String) -> RequestMethod? { allCases.first { $0.rawValue == text } }
}
