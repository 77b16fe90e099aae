import OmbiTerminal

/// Highlights the templates in a text.
enum TemplateText {
    static func spans(of text: String, plain: Role) -> [Span] {
        var spans: [Span] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else { break }
            if start.lowerBound > rest.startIndex {
                spans.append(Span(text: String(rest[..<start.lowerBound]), role: plain))
            }
            spans.append(Span(text: String(rest[start.lowerBound..<end.upperBound]), role: .variable))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { spans.append(Span(text: String(rest), role: plain)) }
        return spans
    }
}

extension Substring {
    /// Returns the range of the first occurrence of `text`.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
