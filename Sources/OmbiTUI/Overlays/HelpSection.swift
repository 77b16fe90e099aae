/// A part of the help: a heading, and keys or symbols with their meanings.
struct HelpSection: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var sign: String
        var label: String
        /// The column of the label; nil for that of all keys.
        var column: Int?

        static let blank = Entry(sign: "", label: "", column: 0)
    }

    let title: String
    private(set) var entries: [Entry]

    init(_ title: String, _ bindings: [Binding]) {
        self.title = title
        entries = KeymapRow.rows(of: bindings.filter { !$0.sequences.isEmpty }).map {
            Entry(sign: $0.keyNames, label: $0.label)
        }
    }

    /// The keys of some scopes, one section each, and of all of them those that edit a line: these are in most fields the
    /// same, and stand once.
    static func sections(of scopes: [KeyScope], in keymap: Keymap) -> [HelpSection] {
        let shared = Self.shared(in: keymap)
        return scopes.map { scope in
            HelpSection(scope.rawValue, keymap.bindings.filter { $0.scope == scope && shared[line(of: $0)] == nil })
        }.filter { !$0.entries.isEmpty }
    }

    /// The keys that edit a line wherever text is typed.
    static func typing(in keymap: Keymap) -> HelpSection {
        var shared = Self.shared(in: keymap)
        return HelpSection(
            "Wherever text is typed", keymap.bindings.filter { shared.removeValue(forKey: line(of: $0)) != nil })
    }

    /// The actions without a key, where there is a palette that has them.
    static func withoutKey(in keymap: Keymap) -> HelpSection {
        let palette = keymap.bindings.first { $0.action == .app(.palette) && !$0.sequences.isEmpty }
        guard let keys = palette?.sequences.first else { return HelpSection("", [Entry]()) }
        var known: Set<String> = []
        let labels = keymap.bindings.filter { $0.sequences.isEmpty }.map(\.label).filter { known.insert($0).inserted }
        return HelpSection(
            "In the palette (\(Key.names(of: keys)))", labels.map { Entry(sign: "", label: $0, column: 0) })
    }

    private static func line(of binding: Binding) -> String { "\(binding.keyNames)\t\(binding.label)" }

    /// The lines of the keys for text that several scopes have alike, with their numbers.
    private static func shared(in keymap: Keymap) -> [String: Int] {
        let edits = keymap.bindings.filter { if case .text = $0.action { true } else { false } }
        return edits.reduce(into: [String: Int]()) { $0[line(of: $1), default: 0] += 1 }.filter { $0.value > 1 }
    }

    init(_ title: String, _ entries: [Entry]) {
        self.title = title
        self.entries = entries
    }

    static let symbols = HelpSection(
        "Symbols",
        [
            Entry(sign: "●", label: "Has unsaved edits"),
            Entry(sign: "◆", label: "Selected, to act on together; marked, to compare with"),
            Entry(sign: "✓", label: "Succeeded; valid; sent"),
            Entry(sign: "✗", label: "Failed; invalid; unreadable"),
            Entry(sign: "!", label: "A problem in the file, which the page of the collection shows"),
            Entry(sign: "·", label: "Switched off: not sent"),
            Entry(sign: "↻", label: "Running; in the header: how many run"),
            Entry(sign: "↑", label: "Inherited; in a frame: more above"),
            Entry(sign: "↓", label: "More below"),
            Entry(sign: "▾ ▸", label: "Open, closed; in the header: a choice"),
            Entry(sign: "→", label: "Redirected to"),
            Entry(sign: "2×", label: "The retries of the policy"),
            Entry(sign: "…", label: "Cut off, or not read to its end yet"),
            Entry(sign: "⏎", label: "A line break in a cell of a table"),
            Entry(sign: "░ ▒ ▚ ▓ █", label: "Resolve; connect; TLS; wait; receive"),
            Entry(sign: "─ · ▏", label: "Queued; between attempts; very short"),
            Entry(sign: "▓▓▓░░", label: "The part of the SLA that is left"),
        ])

    /// The part of the section in which all the words occur; all of it when its title has them.
    func matching(_ words: [String]) -> HelpSection {
        guard !Self.contains(words, in: title) else { return self }
        return HelpSection(
            title, entries.filter { Self.contains(words, in: "\(title) \($0.sign) \($0.label)") })
    }

    fileprivate static func contains(_ words: [String], in text: String) -> Bool {
        let text = text.lowercased()
        return words.allSatisfy { text.contains($0) }
    }

    /// The heading and the entries, with labels broken into lines.
    func lines(columns: Int) -> [HelpLine] {
        let margin = columns < 60 ? 17 : 20
        return [HelpLine(heading: title)]
            + entries.flatMap { entry in
                let width = TextWidth.of(entry.sign)
                let start = max(entry.column ?? margin, width == 0 ? 0 : width + 1)
                // Beside a long sign there is no room: the label goes below it.
                if entry.label.isEmpty || start > columns / 2 {
                    let texts = WrappedText.lines(of: entry.label, columns: columns - 4)
                    return [HelpLine(sign: entry.sign)] + texts.map { HelpLine(start: 4, text: $0) }
                }
                let texts = WrappedText.lines(of: entry.label, columns: columns - start)
                return texts.enumerated().map { index, text in
                    HelpLine(sign: index == 0 ? entry.sign : "", start: start, text: text)
                }
            }
    }
}

/// A line of the help.
struct HelpLine: Equatable, Sendable {
    var heading = ""
    var sign = ""
    /// The column of the text.
    var start = 0
    var text = ""

    /// True for a line in which all the words occur, in lowercase.
    func contains(_ words: [String]) -> Bool { HelpSection.contains(words, in: "\(heading) \(sign) \(text)") }

    func draw(on surface: inout Surface, in line: Rect) {
        var pen = Pen(line)
        pen.write(heading, Style(.title, .bold), on: &surface)
        pen.write(sign, Style(.footerKey), on: &surface)
        pen.skip(to: start)
        pen.write(text, on: &surface)
    }
}
