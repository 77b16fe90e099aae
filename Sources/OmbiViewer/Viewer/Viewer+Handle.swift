/// The handling of user actions.
extension Viewer {
    /// - Returns: the effects to run; nil when the action means nothing here.
    package mutating func handle(_ input: ViewerInput) -> [ViewerEffect]? {
        if line != nil { return handleLine(input) }
        switch input {
        case .move(let movement):
            guard page != nil else { return nil }
            moved { $0.move(movement, page: $1) }
            return []
        case .action(let action): return page == nil ? nil : perform(action)
        case .leave: return leave()
        case .text, .accept: return nil
        }
    }

    package mutating func scroll(by rows: Int) {
        let page = pageRows
        self.page?.wheel(by: rows, page: page)
        followCursor()
    }

    /// Moves the cursor to a row of the screen, counted from the top of the viewer; on its own row, folds. In the prompt it
    /// places the caret.
    package mutating func click(_ point: Point) {
        if placeCaret(at: point, selecting: false) { return }
        let row = point.row - noteRows - headRows
        guard let page, row >= 0, row < pageRows else { return }
        let position = page.rows.position(page.top, movedBy: row)
        self.page?.anchor = nil
        if position == page.cursor {
            moved { _ = $0.toggleFold(page: $1) }
        } else {
            moved { $0.place(at: position, page: $1) }
        }
    }

    /// Selects from the clicked row to another; beyond the edges the page follows.
    package mutating func drag(_ point: Point) {
        if line != nil, placeCaret(at: point, selecting: true) { return }
        let row = min(max(point.row - noteRows - headRows, -1), pageRows)
        guard let page, !page.rows.isEmpty else { return }
        if case .picture = page.content { return }
        let position = page.rows.position(page.top, movedBy: row)
        guard page.anchor != nil || position != page.cursor else { return }
        if page.anchor == nil { self.page?.anchor = page.cursor }
        moved { $0.place(at: position, page: $1) }
    }

    /// Returns false for a point outside of the prompt.
    private mutating func placeCaret(at point: Point, selecting: Bool) -> Bool {
        guard let line, let page else { return false }
        let foot = Rect(size).bottom(footRows).top(1)
        guard foot.contains(point) else { return false }
        let field = line.field(state: lineState(line, page), in: foot)
        self.line?.field.click(column: point.column - field.column, in: field.columns, selecting: selecting)
        return true
    }

    /// Goes to the row of a byte of the text, in the body itself.
    package mutating func show(byte offset: Int) -> [ViewerEffect] {
        var effects = query == nil ? [] : stopQuery()
        while !results.isEmpty { effects += leaveResult() }
        moved { $0.go(toByte: offset, page: $1) }
        return effects
    }

    /// Moves the cursor: the next search starts here.
    private mutating func moved(_ change: (inout ViewerPage, Int) -> Void) {
        let rows = pageRows
        guard var page else { return }
        change(&page, rows)
        self.page = page
        find?.current = nil
        followCursor()
    }

    /// Cancels a pending query, or else removes the last result.
    private mutating func leave() -> [ViewerEffect]? {
        if saving != nil { return [.output(.stopSaving)] }
        if let query {
            // A cancelled query takes its partial result along, unless others were made from that.
            let stop = stopQuery()
            return stop + (query.depth == results.count - 1 ? leaveResult() : [])
        }
        if page?.anchor != nil {
            page?.anchor = nil
            return []
        }
        if find != nil { return move?.isSlowMatch ?? false ? stopStepping() : stopFinding() }
        return results.isEmpty ? nil : leaveResult()
    }

    private mutating func perform(_ action: ViewerAction) -> [ViewerEffect] {
        if case .picture? = page?.content, Self.needingText.contains(action) {
            return [.notify(.info, "A picture has no text; t shows its bytes, S saves it")]
        }
        switch action {
        case .find: open(.find)
        case .join: return join()
        case .toggleFollowing: return toggleFollowing()
        case .filter where !(page?.document.hasPaths ?? false):
            return [.notify(.info, "Only JSON and events can be filtered; ! runs a command on this")]
        case .filter, .shell:
            guard results.count < Self.maximumResults else {
                return [.notify(.warning, "\(results.count) results are on top of each other; Esc takes one away")]
            }
            open(action == .filter ? .filter : .shell)
        case .goTo: open(.goTo)
        case .save: open(.save)
        case .mark: return mark()
        case .compare: return compare()
        case .findNext: return findNext(forward: true)
        case .findPrevious: return findNext(forward: false)
        case .openInPager: return write { .open(.pager, $0) }
        case .openInEditor: return write { .open(.editor, $0) }
        case .copyValue, .copyPath, .copyRow, .copyAll, .copyText: return copy(action)
        case .switchOption, .historyBack, .historyForward: break
        case .switchMode where page?.document.isFiltered ?? false:
            return [.notify(.info, "What a filter selected is shown in one way; ! cat makes text of it")]
        default: change(action)
        }
        return []
    }

    private static let needingText: [ViewerAction] = [
        .find, .findNext, .findPrevious, .filter, .goTo, .copyValue, .copyPath, .copyRow, .copyAll, .copyText, .select,
    ]

    private mutating func change(_ action: ViewerAction) {
        switch action {
        case .toggleFold:
            moved { if !$0.toggleFold(page: $1), !$0.rows.folds { $0.move(.pageDown, page: $1) } }
        case .closeFold: moved { $0.rows.folds ? $0.foldOrGoToParent(page: $1) : $0.move(.left, page: $1) }
        case .openFold: moved { $0.rows.folds ? $0.unfoldOrGoDown(page: $1) : $0.move(.right, page: $1) }
        case .foldMore: moved { $0.fold(-1, page: $1) }
        case .foldLess: moved { $0.fold(1, page: $1) }
        case .unfoldAll: moved { $0.fold(nil, page: $1) }
        case .select: page?.toggleSelection()
        case .firstColumn: page?.left = 0
        case .parent: moved { $0.goToParent(page: $1) }
        case .nextSibling: moved { $0.goToSibling(forward: true, page: $1) }
        case .previousSibling: moved { $0.goToSibling(forward: false, page: $1) }
        case .switchMode: moved { $0.switchMode(page: $1) }
        case .toggleWrap:
            moved { $0.toggleWrap(page: $1) }
            settings.wraps = page?.wraps ?? settings.wraps
        case .toggleNumbers: settings.showsNumbers.toggle()
        default: break
        }
        resizePages()
    }

    private mutating func copy(_ action: ViewerAction) -> [ViewerEffect] {
        guard let page else { return [] }
        if action == .copyPath {
            guard let path = page.path else { return [.notify(.info, "This row has no path; y copies it")] }
            return [.output(.copyText(path, named: "the path \(path)"))]
        }
        let part: ViewerPage.Part =
            switch action {
            case .copyAll: .all
            case .copyText: .valuesAsText
            case .copyRow: .row
            default: page.anchor == nil ? .value : .selection
            }
        if part == .all, !page.isText, !page.rows.isEmpty {
            return [.notify(.warning, "These bytes are no text: S saves them, y copies their digits")]
        }
        if part == .selection { self.page?.anchor = nil }
        return page.isSmall(part)
            ? [.output(.copyText(page.text(of: part), named: page.name(of: part)))] : write { _ in .copy(page, part) }
    }

    /// Starts writing the body, which takes as long as it is large: one at a time.
    mutating func write(_ makeOutput: (BodyDocument) -> BodyOutput) -> [ViewerEffect] {
        guard let page else { return [] }
        guard saving == nil else {
            return [.notify(.warning, "The last one is still written; Esc ends that")]
        }
        saving = SaveProgress()
        return [.output(makeOutput(page.document))]
    }
}
