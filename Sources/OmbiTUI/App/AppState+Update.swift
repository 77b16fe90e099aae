import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension AppState {
    /// Performs an action.
    mutating func update(_ action: Action, at time: Duration) -> [Effect] {
        now = time
        notice = nil
        defer { settleViewer() }
        if let overlay = overlays.last { return answer(action, to: overlay) }
        if requestPane.editing != nil, focus == .request, let effects = updateEditing(action) { return effects }
        if focus == .response, let effects = updateViewer(action) { return effects }
        return perform(action)
    }

    /// Each case is one call: the code stands with the part of the state it changes.
    private mutating func perform(_ action: Action) -> [Effect] {
        switch action {
        case .move(let movement): return move(movement)
        case .focusNext: return show(focus.next)
        case .focusPrevious: return show(focus.previous)
        case .focus(let target): return show(target)
        case .nextTab: return switchTab(forward: true)
        case .previousTab: return switchTab(forward: false)
        case .zoom: return zoom()
        case .activate: return activate()
        case .leave: return leave()
        case .send: return send()
        case .cancelRun: return forRun { .cancel($0) }
        case .retryNow: return forRun { .retryNow($0) }
        case .addAttempt: return forRun { .addAttempts($0, 1) }
        case .chooseEnvironment: return chooseEnvironment()
        case .toggle: return toggleRow()
        case .chooseMethod: return chooseMethod()
        case .add: return focus == .tree ? askNewRequest() : addRow()
        case .addFolder: return askNewFolder()
        case .delete: return focus == .tree ? deleteItem() : deleteRow()
        case .duplicate: return duplicateItem()
        case .rename: return askRename()
        case .moveItem(let distance): return moveItem(by: distance)
        case .undo: return undoEdit()
        case .save: return save()
        case .editExternally: return editExternally()
        case .help: return openHelp()
        case .palette: return openPalette()
        case .click(let point): return click(point)
        case .drag(let point): return drag(point)
        case .wheel(let point, let lines): return wheel(point, lines)
        case .copy: return copy()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return quit()
        case .text, .nextCell, .accept, .confirm, .view: return []
        }
    }

    // MARK: Moving about

    private mutating func move(_ movement: Movement) -> [Effect] {
        switch focus {
        case .tree:
            if movement == .right, tree.current?.method != nil { return show(.request) }
            tree.move(movement, workbench: workbench, page: treePage)
            followTree()
        case .request: requestPane.move(movement, count: formRows.count, page: requestPage)
        case .response:
            responsePane.move(movement, count: responsePane.rowCount(responseView), page: responsePage)
        }
        return []
    }

    mutating func show(_ target: Focus) -> [Effect] {
        focus = target
        tree.refresh(workbench, page: treePage)
        return []
    }

    private mutating func switchTab(forward: Bool) -> [Effect] {
        if focus == .request {
            requestPane.show(forward ? requestPane.tab.next : requestPane.tab.previous)
        } else {
            responsePane.show(forward ? responsePane.tab.next : responsePane.tab.previous)
        }
        return []
    }

    private mutating func zoom() -> [Effect] {
        isZoomed.toggle()
        return show(focus)
    }

    private mutating func activate() -> [Effect] {
        switch focus {
        case .tree:
            if tree.current?.method != nil { return show(.request) }
            if let file = currentFile, file.collection == nil { return editExternally() }
            tree.toggle(workbench, page: treePage)
            return []
        case .request: return startEditing()
        case .response: return switchTab(forward: true)
        }
    }

    private mutating func leave() -> [Effect] {
        if isZoomed { return zoom() }
        return show(.tree)
    }

    // MARK: The mouse

    private mutating func click(_ point: Point) -> [Effect] {
        guard let target = layout.focus(at: point), let inside = layout.inside(target) else { return [] }
        let wasFocused = focus == target
        _ = show(target)
        let line = point.row - inside.row
        guard inside.contains(point) else { return [] }
        switch target {
        case .tree: return clickTree(line: line, again: wasFocused)
        case .request: return clickRequest(line: line, column: point.column - inside.column)
        case .response: return clickResponse(line: line, column: point.column - inside.column)
        }
    }

    private mutating func clickTree(line: Int, again: Bool) -> [Effect] {
        guard tree.position.offset + line < tree.rows.count else { return [] }
        tree.place(atLine: line, page: treePage)
        followTree()
        if tree.current?.method == nil { tree.toggle(workbench, page: treePage) }
        return []
    }

    private mutating func clickRequest(line: Int, column: Int) -> [Effect] {
        guard let request else { return [] }
        if line == 1 {
            let titles = RequestTab.allCases.map { $0.title(for: request, environment: file?.chosenEnvironment) }
            if let index = TabBar.index(at: column, of: titles) { requestPane.show(RequestTab.allCases[index]) }
            return []
        }
        if line == 0, column < request.method.rawValue.count { return chooseMethod() }
        guard let row = requestPane.row(atLine: line), row <= formRows.count else { return [] }
        let isAgain = requestPane.position.cursor == row
        requestPane.place(at: row, count: formRows.count, page: requestPage)
        if column < 2, row > 0 { return toggleRow() }
        return isAgain ? startEditing() : []
    }

    private mutating func clickResponse(line: Int, column: Int) -> [Effect] {
        guard line == 0 else {
            shownViewer?.click(row: line - ResponsePane.headRows)
            return []
        }
        let titles = ResponseTab.allCases.map { $0.title(for: run) }
        if let index = TabBar.index(at: column, of: titles) { responsePane.show(ResponseTab.allCases[index]) }
        return []
    }

    /// Selects rows of a body.
    private mutating func drag(_ point: Point) -> [Effect] {
        guard focus == .response, let inside = layout.inside(.response) else { return [] }
        shownViewer?.drag(row: point.row - inside.row - ResponsePane.headRows)
        return []
    }

    /// Scrolls the pane under the pointer, whichever has the focus.
    private mutating func wheel(_ point: Point, _ lines: Int) -> [Effect] {
        switch layout.focus(at: point) {
        case .tree:
            tree.scroll(by: lines, page: treePage)
            followTree()
        case .request: requestPane.scroll(by: lines, count: formRows.count, page: requestPage)
        case .response:
            if shownViewer != nil { return scrollViewer(by: lines) }
            responsePane.scroll(by: lines, count: responsePane.rowCount(responseView), page: responsePage)
        case nil: break
        }
        return []
    }

    private mutating func copy() -> [Effect] {
        if focus == .response, let run { return [.copy(responsePane.text(of: run, responseView))] }
        guard let request else { return tell(.info, "nothing to copy here") }
        let host = request.isAbsolute ? "" : file?.chosenEnvironment?.host ?? ""
        return [.copy(host + request.path)]
    }
}
