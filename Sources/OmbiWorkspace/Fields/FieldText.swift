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

    static func duration(_ text: String, allowsZero: Bool = false) throws(FieldError) -> Duration? {
        if text.isEmpty { return nil }
        guard let duration = DurationText.parse(text), duration > .zero || allowsZero else {
            throw FieldError("\"\(text)\" is not a duration; " + DurationText.form)
        }
        return duration
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
