/// Highlights the templates in a text.
enum TemplateSpans {
    /// - Parameter known: the names that have a value; nil where that is not known.
    static func spans(of text: String, plain: Role, known: [String]? = nil) -> [Span] {
        let bytes = Array(text.utf8)
        var spans: [Span] = []
        var next = 0
        func add(_ range: Range<Int>, _ role: Role) {
            guard !range.isEmpty else { return }
            spans.append(Span(text: String(decoding: bytes[range], as: UTF8.self), role: role))
        }
        for template in TemplateScanner.templates(in: bytes[...]) {
            add(next..<template.range.lowerBound, plain)
            add(template.range, role(of: template.names, known))
            next = template.range.upperBound
        }
        add(next..<bytes.count, plain)
        return spans
    }

    /// The role of a template: one with an error, or with a name that has no value, is an error when it is sent.
    static func role(of names: [String]?, _ known: [String]?) -> Role {
        guard let known else { return .variable }
        return names?.allSatisfy(known.contains) ?? false ? .variable : .unknownVariable
    }
}
