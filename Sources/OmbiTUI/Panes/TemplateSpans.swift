import OmbiTerminal

/// Finds and highlights the templates in a text.
enum TemplateSpans {
    /// The byte ranges of the templates in a text, each with its name. Escaped braces (`\{{`) are none.
    /// - Parameter inJSON: true for JSON, in which each backslash of a string is written as two.
    static func templates(in bytes: ArraySlice<UInt8>, inJSON: Bool = false) -> [(range: Range<Int>, name: String)] {
        var found: [(Range<Int>, String)] = []
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            if bytes[index] == backslash {
                let count = bytes[index...].prefix { $0 == backslash }.count
                // An odd one escapes the braces behind it.
                index += count + ((inJSON ? count / 2 : count) % 2 == 1 && isOpening(index + count, in: bytes) ? 2 : 0)
                continue
            }
            guard isOpening(index, in: bytes), let end = end(from: index + 2, in: bytes) else {
                index += 1
                continue
            }
            let name = bytes[index + 2..<end].split(separator: 0x20).first ?? []
            found.append((index..<end + 2, String(decoding: name, as: UTF8.self)))
            index = end + 2
        }
        return found
    }

    private static let brace = UInt8(ascii: "{")
    private static let backslash = UInt8(ascii: "\\")

    private static func isOpening(_ index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        index + 1 < bytes.endIndex && bytes[index] == brace && bytes[index + 1] == brace
    }

    /// The offset of the closing braces.
    private static func end(from start: Int, in bytes: ArraySlice<UInt8>) -> Int? {
        var index = start
        while index + 1 < bytes.endIndex, bytes[index] != 0x0A, !isOpening(index, in: bytes) {
            if bytes[index] == UInt8(ascii: "}"), bytes[index + 1] == UInt8(ascii: "}") { return index }
            index += 1
        }
        return nil
    }

    /// - Parameter known: the names that have a value; nil where that is not known.
    static func spans(of text: String, plain: Role, known: [String]? = nil) -> [Span] {
        let bytes = Array(text.utf8)
        var spans: [Span] = []
        var next = 0
        func add(_ range: Range<Int>, _ role: Role) {
            guard !range.isEmpty else { return }
            spans.append(Span(text: String(decoding: bytes[range], as: UTF8.self), role: role))
        }
        for template in templates(in: bytes[...]) {
            add(next..<template.range.lowerBound, plain)
            add(template.range, role(of: template.name, known))
            next = template.range.upperBound
        }
        add(next..<bytes.count, plain)
        return spans
    }

    /// The role of a template: one without a value is an error when it is sent.
    static func role(of name: String, _ known: [String]?) -> Role {
        known?.contains(name) ?? true ? .variable : .unknownVariable
    }
}
