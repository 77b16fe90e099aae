/// A stretch of a line with one meaning.
struct Span: Equatable, Sendable {
    var text: String
    var role: Role
}

/// Tells the parts of one line of formatted JSON apart. A formatted line holds at most one name and one value.
enum JSONHighlighter {
    static func spans(of line: String) -> [Span] {
        var spans: [Span] = []
        var rest = line[...]
        while let first = rest.first {
            let end: String.Index
            let role: Role
            switch first {
            case "\"":
                end = endOfString(rest)
                role = isName(rest[end...]) ? .key : .string
            case "-", "0"..."9":
                end = rest.firstIndex { !"+-.eE0123456789".contains($0) } ?? rest.endIndex
                role = .number
            case "a"..."z":
                end = rest.firstIndex { !$0.isLetter } ?? rest.endIndex
                role = .literal
            default:
                end = rest.firstIndex { "\"-0123456789".contains($0) || $0.isLetter } ?? rest.endIndex
                role = .punctuation
            }
            let stop = max(end, rest.index(after: rest.startIndex))
            spans.append(Span(text: String(rest[..<stop]), role: role))
            rest = rest[stop...]
        }
        return spans
    }

    private static func endOfString(_ text: Substring) -> String.Index {
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            if text[index] == "\\" {
                index = text.index(after: index)
            } else if text[index] == "\"" {
                return text.index(after: index)
            }
            if index < text.endIndex { index = text.index(after: index) }
        }
        return text.endIndex
    }

    private static func isName(_ rest: Substring) -> Bool {
        rest.first { $0 != " " } == ":"
    }
}
