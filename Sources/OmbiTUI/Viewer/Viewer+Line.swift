import OmbiDocument

/// The line that asks, and what its answers do.
extension Viewer {
    mutating func open(_ subject: ViewerLine.Subject) {
        let isRaw = page?.mode == .hex
        let syntax = settings.syntax == .hex && !isRaw ? .text : settings.syntax
        line = ViewerLine(subject, syntax: subject == .find ? syntax : .text)
    }

    mutating func handleLine(_ action: Action) -> [Effect] {
        switch action {
        case .text(let edit):
            let before = line?.field.text
            line?.field.perform(edit)
            return line?.field.text == before ? [] : lineChanged()
        case .view(.switchOption):
            let isRaw = page?.mode == .hex
            line?.switchOption(isRaw: isRaw)
            return lineChanged()
        case .view(.historyBack): return recall(1)
        case .view(.historyForward): return recall(-1)
        case .accept: return acceptLine()
        case .leave: return leaveLine()
        default: return []
        }
    }

    private mutating func recall(_ step: Int) -> [Effect] {
        guard let subject = line?.subject else { return [] }
        line?.recall(settings.entries(subject), by: step)
        return lineChanged()
    }

    /// What is done as it is typed.
    private mutating func lineChanged() -> [Effect] {
        guard let line else { return [] }
        self.line?.mistake = nil
        switch line.subject {
        case .find: return [look(for: line.field.text, line.syntax)].compactMap { $0 }
        case .filter:
            guard !line.field.text.isEmpty else { return dropResult() }
            return [filter(line.field.text)]
        case .shell, .goTo, .save: return []
        }
    }

    private mutating func dropResult() -> [Effect] {
        result = nil
        isAsking = false
        askedNumber = nextNumber()
        return [order(.stopFiltering)]
    }

    private mutating func leaveLine() -> [Effect] {
        guard let line else { return [] }
        self.line = nil
        switch line.subject {
        case .find:
            let rows = pageRows
            if let origin = find?.origin { page?.go(toByte: origin, page: rows) }
            find = nil
            return [order(.stopFinding)]
        case .filter: return dropResult()
        case .shell, .goTo, .save: return []
        }
    }

    private mutating func acceptLine() -> [Effect] {
        guard let line else { return [] }
        let text = line.field.text
        if line.mistake != nil { return [] }
        self.line = nil
        settings.remember(text, for: line.subject)
        guard !text.isEmpty, let page else { return [] }
        switch line.subject {
        case .find:
            settings.syntax = line.syntax
            return []
        case .filter: return []
        case .shell: return [run(text)]
        case .goTo: return go(to: text)
        case .save:
            let form = line.form
            return [order(.save(path: text, page.document, form))]
        }
    }

    // MARK: Go to

    private mutating func go(to text: String) -> [Effect] {
        guard let page else { return [] }
        let rows = pageRows
        let digits = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        if let number = digits {
            if case .hex = page.content {
                self.page?.go(toByte: number, page: rows)
            } else {
                self.page?.go(to: page.rows.position(ofNumber: number), page: rows)
            }
            return []
        }
        return [order(.locate(text, page.document))]
    }

    mutating func located(_ offset: Int?, _ mistake: String?, notice: inout Notice?) {
        guard let offset else {
            notice = Notice(.warning, mistake ?? "there is no such value")
            return
        }
        let rows = pageRows
        page?.go(toByte: offset, page: rows)
        find?.current = nil
    }
}
