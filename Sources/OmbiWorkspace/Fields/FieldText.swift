import OmbiCore

/// Numbers, durations and lists as lines of text.
enum FieldText {
    static func count(_ text: String) throws(FieldError) -> Int? {
        if text.isEmpty { return nil }
        guard let count = Int(text), (0...1000).contains(count) else {
            throw FieldError("expected a whole number from 0 to 1000, for example 3")
        }
        return count
    }

    /// Fields as `name=value` words; those with spaces are in quotes.
    static func pairs(_ fields: [Field]) -> String { CommandWords.text(fields.map { "\($0.name)=\($0.value)" }) }

    static func pairs(_ text: String) throws(FieldError) -> [Field] {
        guard let words = CommandWords.words(of: text) else { throw FieldError("a quote is not closed") }
        var fields: [Field] = []
        for word in words {
            guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
                throw FieldError("\"\(word)\": write name=value, with quotes around a value with spaces")
            }
            fields.append(Field(String(word[..<sign]), String(word[word.index(after: sign)...])))
        }
        return fields
    }

    static func duration(_ text: String, allowsZero: Bool = false) throws(FieldError) -> Duration? {
        if text.isEmpty { return nil }
        guard let duration = DurationText.parse(text), duration > .zero || allowsZero else {
            throw FieldError("\"\(text)\" is not a duration; " + DurationText.form)
        }
        return duration
    }

    static func age(_ text: String, allowsZero: Bool = false) throws(FieldError) -> Duration? {
        if text.isEmpty { return nil }
        guard let age = AgeText.parse(text, allowsZero: allowsZero) else {
            throw FieldError("\"\(text)\" is not an age; " + AgeText.form)
        }
        return age
    }

    /// Reads a list with commas or spaces between its elements.
    static func list<Element>(
        _ text: String, _ expected: String, _ element: (String) -> Element?
    ) throws(FieldError) -> [Element] {
        var list: [Element] = []
        for word in text.split(whereSeparator: { ", ".contains($0) }) {
            guard let element = element(String(word)) else { throw FieldError("\"\(word)\": expected \(expected)") }
            list.append(element)
        }
        return list
    }
}
