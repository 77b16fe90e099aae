import OmbiDocument
import OmbiTerminal

/// The prompt, and the effects of what is entered.
extension Viewer {
    mutating func open(_ subject: ViewerLine.Subject) {
        let isRaw = page?.mode == .hex
        let syntax = settings.syntax == .hex && !isRaw ? .text : settings.syntax
        line = ViewerLine(
            subject, syntax: subject == .find ? syntax : .text, depth: results.count,
            isFiltered: page?.document.isFiltered ?? false)
    }

    mutating func handleLine(_ input: ViewerInput) -> [ViewerEffect] {
        switch input {
        case .text(let edit):
            let before = line?.field.text
            line?.field.perform(edit)
            return line?.field.text == before ? [] : lineChanged()
        case .action(.switchOption):
            let isRaw = page?.mode == .hex
            line?.switchOption(isRaw: isRaw)
            return lineChanged()
        case .action(.historyBack): return recall(1)
        case .action(.historyForward): return recall(-1)
        case .accept: return acceptLine()
        case .leave: return leaveLine()
        case .move, .action: return []
        }
    }

    private mutating func recall(_ step: Int) -> [ViewerEffect] {
        guard let subject = line?.subject else { return [] }
        let before = line?.field.text
        line?.recall(settings.entries(subject), by: step)
        return line?.field.text == before ? [] : lineChanged()
    }

    /// Updates the search or the filter while it is typed.
    private mutating func lineChanged() -> [ViewerEffect] {
        guard let line else { return [] }
        self.line?.problem = nil
        self.line?.overwrites = false
        switch line.subject {
        case .find: return [search(for: line.field.text, line.syntax)].compactMap { $0 }
        case .filter, .join:
            guard !line.field.text.isEmpty else { return dropResult(of: line) }
            return [filter(line.field.text, over: line.depth, joins: line.subject == .join)]
        case .shell, .goTo, .save: return []
        }
    }

    private mutating func dropResult(of line: ViewerLine) -> [ViewerEffect] {
        stopQuery() + (results.count > line.depth ? leaveResult() : []) + repeatFilters()
    }

    private mutating func leaveLine() -> [ViewerEffect] {
        guard let line else { return [] }
        self.line = nil
        switch line.subject {
        case .find:
            let rows = pageRows
            if let origin = find?.origin { page?.go(toByte: origin, page: rows) }
            dropFind()
            return [order(.stopFinding)]
        case .filter, .join: return dropResult(of: line)
        case .shell, .goTo, .save: return []
        }
    }

    private mutating func acceptLine() -> [ViewerEffect] {
        guard let line else { return [] }
        let text = line.field.text
        if line.problem != nil, line.subject != .save { return [] }
        self.line = nil
        settings.remember(text, for: line.subject)
        guard !text.isEmpty, page != nil else { return [] }
        switch line.subject {
        case .find:
            settings.syntax = line.syntax
            return []
        case .filter, .join: return []
        case .shell: return [run(text)]
        case .goTo: return go(to: text)
        case .save:
            return write { .save(path: text, $0, line.form, overwriting: line.overwrites) }
        }
    }

    /// Opens the prompt again, with the path that was typed. Enter overwrites a file that exists.
    mutating func askAgain(_ path: String, _ form: BodyForm, _ reason: String, _ exists: Bool) -> [ViewerEffect] {
        guard line == nil else { return [.notify(exists ? .warning : .failure, reason)] }
        open(.save)
        line?.field = TextField(path)
        line?.form = form
        line?.overwrites = exists
        line?.problem = (nil, exists ? "that file exists: Enter overwrites it, Esc leaves it" : reason)
        return []
    }

    // MARK: The path of a file

    /// The path that is typed in the prompt; nil while none is asked for.
    package var typedPath: EditedText? { line.flatMap { $0.subject == .save ? $0.field.edited : nil } }

    /// Replaces a part of that path.
    package mutating func completePath(_ range: Range<Int>, with text: String) {
        guard typedPath != nil else { return }
        line?.field.change { $0.replace(range, with: text) }
        _ = lineChanged()
    }

    // MARK: Go to

    private mutating func go(to text: String) -> [ViewerEffect] {
        guard let page else { return [] }
        let rows = pageRows
        let digits = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        if let number = digits, number >= 0 {
            if case .hex = page.content {
                self.page?.go(toByte: number, page: rows)
            } else {
                self.page?.go(to: page.rows.position(ofNumber: number), page: rows)
            }
            return []
        }
        let number = nextNumber()
        move = .path(number: number)
        return [order(.locate(text, page.document, number: number))]
    }

    mutating func located(_ offset: Int?, _ problem: String?, _ number: Int) -> [ViewerEffect] {
        guard move == .path(number: number) else { return [] }
        move = nil
        guard let offset else {
            return [.notify(.warning, problem ?? "There is no such value")]
        }
        guard page?.shows(byte: offset) ?? false else {
            return [.notify(.warning, "It is not in what the filter selected")]
        }
        let rows = pageRows
        page?.go(toByte: offset, page: rows)
        find?.current = nil
        return []
    }
}
