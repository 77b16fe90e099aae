/// The form in which a text has a value that may be written in several: a number with or without quotes.
enum JSONPatchForm {
    /// `200` for the value `"200"`.
    case number
    /// `"5"` for the value `5`.
    case string

    /// Returns the form of a value, or of the elements of an array; nil where the text has the value as it is.
    static func of(_ node: JSONNode, in document: JSONDocument, for old: JSONValue) -> JSONPatchForm? {
        guard case .array(let elements) = old, document.kind(of: node) == .array else {
            return form(document.kind(of: node), for: old)
        }
        for (child, element) in zip(document.children(of: node), elements) {
            if let form = form(document.kind(of: child), for: element) { return form }
        }
        return nil
    }

    private static func form(_ kind: JSONKind, for old: JSONValue) -> JSONPatchForm? {
        switch (kind, old) {
        case (.number, .string): .number
        case (.string, .number): .string
        default: nil
        }
    }

    /// Returns a value, or the elements of an array, in this form where they can have it.
    func applied(to value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.number, .string(let text)):
            if case .number(let digits)? = try? JSONValue.parse(text), digits == text { .number(digits) } else { value }
        case (.string, .number(let digits)): .string(digits)
        case (_, .array(let elements)): .array(elements.map(applied))
        default: value
        }
    }
}
