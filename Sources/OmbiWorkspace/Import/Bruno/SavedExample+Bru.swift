import OmbiCore

extension SavedExample {
    /// The saved response in an `example` block of a `.bru` file; nil for one without a status, and for one that is too
    /// long.
    init?(bru text: String) {
        let lines = BruLine.all(in: Array(text.utf8))[...]
        let response = BruSection.lines(of: "response", in: lines) ?? []
        let statusLines = BruSection.lines(of: "status", in: response) ?? []
        let written = BruSection.value(of: "code", in: statusLines) ?? BruSection.value(of: "status", in: response)
        let headers = (BruSection.lines(of: "headers", in: response) ?? []).compactMap { line -> Field? in
            let parts = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return Field(BruLine.trimmed(parts[0]), BruLine.trimmed(parts[1]))
        }
        let body = BruSection.lines(of: "body", in: response) ?? []
        self.init(
            foreign: BruSection.value(of: "name", in: lines) ?? "", status: written.flatMap { Int($0) },
            headers: headers, body: BruSection.value(of: "content", in: body) ?? "")
    }
}

/// Finds parts of a text of blocks in each other.
private enum BruSection {
    private static let quotes = "'''"

    /// The lines in `name: { … }`, which ends with a brace as deep as its head; nil for none.
    static func lines(of name: String, in lines: ArraySlice<BruLine>) -> ArraySlice<BruLine>? {
        guard let level = depth(of: lines) else { return nil }
        guard
            let head = lines.firstIndex(where: {
                $0.indentation == level && [name + ": {", name + " {"].contains(BruLine.trimmed($0.text))
            })
        else { return nil }
        let rest = lines[(head + 1)...]
        guard let end = rest.firstIndex(where: { $0.indentation <= level && BruLine.trimmed($0.text) == "}" }) else {
            return nil
        }
        return rest[..<end]
    }

    /// The text behind `name: `, or in `'''` below it; nil for none.
    static func value(of name: String, in lines: ArraySlice<BruLine>) -> String? {
        guard let level = depth(of: lines) else { return nil }
        let mark = name + ":"
        guard let start = lines.firstIndex(where: { $0.indentation == level && isValue($0, of: mark) }) else {
            return nil
        }
        let first = BruLine.trimmed(BruLine.trimmed(lines[start].text).dropFirst(mark.count))
        guard first.hasPrefix(quotes) else { return first }
        let rest = lines[(start + 1)...]
        guard first == quotes, let end = rest.firstIndex(where: { BruLine.trimmed($0.text) == quotes }) else {
            let inner = first.dropFirst(quotes.count)
            return String(inner.hasSuffix(quotes) ? inner.dropLast(quotes.count) : inner)
        }
        let text = rest[..<end]
        let margin = depth(of: text) ?? 0
        return text.map { $0.outdented(by: margin) }.joined(separator: "\n")
    }

    private static func isValue(_ line: BruLine, of mark: String) -> Bool {
        let text = BruLine.trimmed(line.text)
        return text.hasPrefix(mark) && text != mark + " {"
    }

    /// The least indentation of the lines with content.
    private static func depth(of lines: ArraySlice<BruLine>) -> Int? {
        lines.filter { !$0.isBlank }.map(\.indentation).min()
    }
}
