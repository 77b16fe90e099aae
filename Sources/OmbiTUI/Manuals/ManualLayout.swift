import OmbiTerminal

/// A manual page as text, laid out as `man` does.
struct ManualLayout {
    /// Words that stay on one line.
    private struct Unit {
        var text = ""
        var width = 0
    }

    /// The columns before a text.
    private static let margin = 5
    /// The columns before the text of a term.
    private static let itemMargin = 11

    private let columns: Int
    private let isBold: Bool
    private var lines: [String] = []

    private init(columns: Int, isBold: Bool) {
        self.columns = columns
        self.isBold = isBold
    }

    /// - Parameters:
    ///   - columns: the width of the terminal; narrower than 40, lines are as for 40.
    ///   - isBold: true to emphasize headings and what is typed.
    static func text(_ page: ManualPage, columns: Int, isBold: Bool) -> String {
        var layout = ManualLayout(columns: max(40, columns), isBold: isBold)
        layout.add(.section("NAME"))
        layout.add(.text("\(page.name.title) - \(page.abstract)"))
        for block in page.blocks { layout.add(block) }
        layout.add(.section("SEE ALSO"))
        layout.add(.text(page.others.map { ManualWord.page($0).text }.joined(separator: ", ")))
        return layout.lines.joined(separator: "\n")
    }

    private mutating func add(_ block: ManualBlock) {
        switch block {
        case .section(let title):
            addGap()
            lines.append(emphasized(title))
        case .subsection(let title, let name):
            addGap()
            lines.append("   " + emphasized(Self.joined(title, name)))
        case .usage(let command, let arguments):
            let units = [unit([.name(command)])] + arguments.map { unit($0.words, isOptional: $0.isOptional) }
            add(units, indent: Self.margin, hanging: min(Self.margin + command.utf8.count + 1, columns / 2))
        case .text(let text): add(text, indent: Self.margin)
        case .paragraph(let text):
            addGap()
            add(text, indent: Self.margin)
        case .list(let items): for item in items { add(item) }
        }
    }

    private mutating func addGap() { if !lines.isEmpty { lines.append("") } }

    private mutating func add(_ item: ManualBlock.Item) {
        addGap()
        add(units(of: item.term), indent: Self.margin, hanging: Self.itemMargin)
        add(Self.joined(item.text, item.name), indent: Self.itemMargin)
    }

    /// A comma stays with the word before it.
    private func units(of term: [ManualWord]) -> [Unit] {
        term.reduce(into: [Unit]()) { units, word in
            if word == .comma, let last = units.indices.last {
                units[last].text += word.text
                units[last].width += 1
            } else {
                units.append(unit([word]))
            }
        }
    }

    private static func joined(_ text: String, _ name: String?) -> String {
        name.map { "\(text) (\($0))" } ?? text
    }

    private mutating func add(_ text: String, indent: Int) {
        lines += WrappedText.lines(of: text, columns: columns - indent).map { Self.spaces(indent) + $0 }
    }

    /// Adds words, with further lines at another column.
    private mutating func add(_ units: [Unit], indent: Int, hanging: Int) {
        var (line, width) = (Self.spaces(indent), indent)
        var isEmpty = true
        for unit in units {
            if !isEmpty, width + 1 + unit.width > columns {
                lines.append(line)
                (line, width, isEmpty) = (Self.spaces(hanging), hanging, true)
            }
            line += (isEmpty ? "" : " ") + unit.text
            width += (isEmpty ? 0 : 1) + unit.width
            isEmpty = false
        }
        lines.append(line)
    }

    private func unit(_ words: [ManualWord], isOptional: Bool = false) -> Unit {
        let plain = words.map(\.text).joined(separator: " ")
        let text = words.map { $0.isLiteral ? emphasized($0.text) : $0.text }.joined(separator: " ")
        return Unit(text: isOptional ? "[\(text)]" : text, width: TextWidth.of(plain) + (isOptional ? 2 : 0))
    }

    private func emphasized(_ text: String) -> String { isBold ? Paint.bold.text(text) : text }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
