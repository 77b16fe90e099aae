import OmbiDocument

extension TemplateExpression.Kind {
    /// Returns true for a value that can stand in JSON as one of this kind.
    func accepts(_ text: String) -> Bool { json(text) != nil }

    /// Returns the value of this kind; nil for a text that is none.
    func json(_ text: String) -> JSONValue? {
        switch self {
        case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case .number:
            if let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
                case .number(let digits)? = try? JSONValue.parse(text), digits == text
            {
                .number(digits)
            } else {
                nil
            }
        case .json: try? JSONValue.parse(text)
        }
    }

    /// A value to stand in for one that is not known yet.
    var sample: String {
        switch self {
        case .number: "0"
        case .boolean: "false"
        case .json: "null"
        }
    }
}
