import OmbiDocument

extension JSONValue {
    /// The text of a string; nil for other values.
    var stringValue: String? { if case .string(let text) = self { text } else { nil } }
    /// Nil for what is not a whole number.
    var integerValue: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}

extension Duration {
    /// The number of microseconds that have passed entirely.
    var wholeMicroseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
