import OmbiTerminal
import OmbiWorkspace

/// The candidates for one field: of its kind, and the names of templates.
struct CompletionSource: Equatable, Sendable {
    var kind = CompletionKind.none
    /// The names of templates with what they become.
    var variables: [FieldChoice] = []
    var choices: [FieldChoice] = []

    /// The list for a text at its cursor; nil where nothing completes it.
    /// - Parameters:
    ///   - isAsked: true where all candidates show although nothing is typed.
    ///   - listing: the folder that was read last.
    func list(for buffer: TextBuffer, cursor: Int, isAsked: Bool, _ listing: FolderListing?) -> CompletionList? {
        let start = buffer.lineStart(at: cursor)
        // A line may be megabytes long.
        if let name = Self.openTemplate(in: buffer.text(max(start, cursor - Self.maximumName)..<cursor)) {
            let isClosed = buffer.text(cursor..<min(cursor + 2, buffer.count)) == "}}"
            let suffix = isClosed ? "" : "}}"
            return list(String(name), cursor, variables, suffix: suffix, isNeeded: !isClosed)
        }
        guard kind != .none, cursor <= Self.maximumText else { return nil }
        let before = buffer.text(start..<cursor)
        switch kind {
        case .none: return nil
        case .headerName, .headerValue:
            guard cursor == buffer.count, isAsked || !before.isEmpty else { return nil }
            return list(before, cursor, choices)
        case .path:
            guard let name = Self.openParameter(in: before) else { return nil }
            return list(String(name), cursor, choices)
        case .file, .secretSource:
            if let path = openPath(in: before) { return listing.flatMap { list(path, cursor, $0) } }
            return kind == .secretSource ? list(before, cursor, choices) : nil
        }
    }

    private func list(
        _ typed: String, _ cursor: Int, _ candidates: [FieldChoice], suffix: String = "", isNeeded: Bool = false
    ) -> CompletionList? {
        CompletionList(
            typed, at: cursor - typed.utf8.count..<cursor, of: candidates, suffix: suffix, isNeeded: isNeeded)
    }

    /// The folder whose names complete the text; nil where it is no path.
    func folder(for text: String) -> String? {
        openPath(in: text).map(Self.folder)
    }

    /// In bytes.
    private static let maximumName = 200
    private static let maximumText = 2000

    // MARK: What is being typed

    /// The name behind braces that are not closed.
    static func openTemplate(in text: String) -> Substring? {
        guard let braces = text.lastRange(of: "{{") else { return nil }
        let escapes = text[..<braces.lowerBound].reversed().prefix { $0 == "\\" }.count
        // An argument of a function is a name, too.
        let inside = text[braces.upperBound...]
        let start = inside.lastIndex { $0 == "(" || $0 == "," }.map { inside.index(after: $0) }
        let name = inside[(start ?? inside.startIndex)...].drop { $0 == " " }
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_-.$".contains($0) }
        return isName && escapes % 2 == 0 ? name : nil
    }

    /// The name behind the colon that a segment of a path begins with.
    private static func openParameter(in text: String) -> Substring? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let isSegment = text[..<colon].last == "/" && text[..<colon].dropLast().last != "/"
        let name = text[text.index(after: colon)...]
        return isSegment && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } ? name : nil
    }

    /// The path that is being typed.
    private func openPath(in text: String) -> String? {
        switch kind {
        case .secretSource: text.hasPrefix("file ") ? String(text.dropFirst(5).drop { $0 == " " }) : nil
        case .file(let mark): text.hasPrefix(mark) && !text.contains(";") ? String(text.dropFirst(mark.count)) : nil
        case .none, .headerName, .headerValue, .path: nil
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    // MARK: Files

    /// The names in a folder; hidden ones once a dot is typed.
    private func list(_ path: String, _ cursor: Int, _ listing: FolderListing) -> CompletionList? {
        let folder = Self.folder(of: path)
        guard listing.folder == folder else { return nil }
        let typed = String(path.dropFirst(folder.count))
        let entries = listing.entries.filter { typed.hasPrefix(".") == $0.name.hasPrefix(".") }
        let names = entries.map { FieldChoice($0.name + ($0.isFolder ? "/" : "")) }
        return list(typed, cursor, names, isNeeded: !typed.isEmpty && !names.contains { $0.name == typed })
    }
}

extension TextBuffer {
    /// The offset at which the line of an offset starts.
    fileprivate func lineStart(at offset: Int) -> Int { range(ofLine: line(at: offset)).lowerBound }
}

extension String {
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        var index = endIndex
        while index > startIndex {
            index = self.index(before: index)
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
        }
        return nil
    }
}
