import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// Editing the request in its pane.
extension AppState {
    /// Handles keys while a field or the body is edited. Nil when the action is not the editor's.
    mutating func updateEditing(_ action: Action) -> [Effect]? {
        switch action {
        case .text(let edit):
            requestPane.perform(edit, page: requestPage)
            return []
        case .accept: return commitEditing(thenNext: false)
        case .nextCell: return commitEditing(thenNext: true)
        case .leave: return leaveEditing()
        case .click: return leaveEditing(by: action)
        case .redraw, .suspend: return nil
        default: return []
        }
    }

    /// Submits the edit when the user clicks elsewhere. A rejected text keeps its field open, and the click has no
    /// effect.
    private mutating func leaveEditing(by click: Action) -> [Effect] {
        let before = requestPane.editing
        let effects = commitEditing(thenNext: false)
        guard requestPane.editing != before else { return effects }
        let told = notice
        defer { notice = notice ?? told }
        return effects + update(click, at: now)
    }

    mutating func startEditing() -> [Effect] {
        guard request != nil else { return [] }
        guard let index = requestPane.row else { return edit(.url) }
        guard let row = formRows[safe: index] else { return [] }
        switch row.kind {
        case .pair, .single: return row.field.map { edit($0) } ?? []
        case .choice(let field): return chooseValue(of: field)
        case .bodyLine(let line):
            requestPane.editing = .body(TextArea(request?.bodyText ?? "", row: line))
            return []
        case .inherited:
            return tell(.info, row.note + "; e in the collections opens the file, E chooses another environment")
        }
    }

    private mutating func edit(_ field: RequestField) -> [Effect] {
        requestPane.editing = .field(field, TextField(request.map(field.read) ?? ""))
        return []
    }

    /// Submits the text being typed.
    mutating func finishEditing() { _ = commitEditing(thenNext: false) }

    private mutating func commitEditing(thenNext: Bool) -> [Effect] {
        switch requestPane.editing {
        case .field(let field, let text): return commit(field, text.text, thenNext: thenNext)
        case .body: return leaveEditing()
        case nil: return []
        }
    }

    private mutating func commit(_ field: RequestField, _ text: String, thenNext: Bool) -> [Effect] {
        guard var changed = request else { return [] }
        do throws(FieldError) {
            try field.write(&changed, text)
        } catch {
            // The field stays open, so that nothing typed is lost.
            return tell(.failure, error.message)
        }
        requestPane.editing = nil
        let moved = changed.query.dropFirst(request?.query.count ?? 0)
        editRequest { $0 = changed }
        if field == .url { notice = notes(on: text, moved: moved.map(\.name), to: changed.query) ?? notice }
        // A new row edits its value right after its name.
        if let partner = field.partner?(), thenNext || partner.read(changed).isEmpty, !text.isEmpty {
            return edit(partner)
        }
        dropEmptyRow(field)
        return []
    }

    /// Returns the message about the parts of a typed or pasted URL that are not its path.
    private func notes(on url: String, moved: [String], to query: [Field]) -> Notice? {
        let repeated = moved.filter { name in query.count { $0.enabled && $0.name == name } > 1 }
        let notes = [
            moved.isEmpty ? nil : "moved \(Count.of(moved.count, "query parameter")) to Params",
            repeated.first.map { "\($0) is there more than once now, and each is sent" },
            url.contains("#") ? "the #fragment is not sent" : nil,
        ].compactMap { $0 }
        guard !notes.isEmpty else { return nil }
        return Notice(notes.count > 1 || moved.isEmpty ? .warning : .info, notes.joined(separator: "; "))
    }

    /// Handles Esc: a field reverts to its old text; a body keeps the edited one.
    private mutating func leaveEditing() -> [Effect] {
        defer { requestPane.editing = nil }
        switch requestPane.editing {
        case .field(let field, _): dropEmptyRow(field)
        case .body(let area):
            var complaint: String?
            guard area.text != request?.bodyText else { return [] }
            editRequest { complaint = $0.setBodyText(area.text) }
            if let complaint { return tell(.warning, complaint) }
        case nil: break
        }
        return []
    }

    /// Removes a row that has neither name nor value.
    private mutating func dropEmptyRow(_ field: RequestField) {
        guard let index = requestPane.row, let row = formRows[safe: index], row.name.isEmpty, row.value.isEmpty,
            case .pair(let list, let item) = row.kind
        else { return }
        remove(item, from: list)
        // Adding and removing a row leaves nothing to undo.
        if undo.count >= 2, undo[undo.count - 2] == workbench { undo.removeLast(2) }
        requestPane.place(at: index, count: formRows.count, page: requestPage)
    }

    // MARK: Rows

    mutating func addRow() -> [Effect] {
        guard focus == .request, let request else { return [] }
        guard let list = listOfTab(request) else {
            return tell(.info, "rows are added in Params and Headers, and in a body of the kind form")
        }
        editRequest { $0[keyPath: list.fields].append(Field("", "")) }
        let rows = formRows
        let added = rows.lastIndex { row in
            if case .pair(list, _) = row.kind { true } else { false }
        }
        requestPane.place(at: (added ?? rows.count - 1) + 1, count: rows.count, page: requestPage)
        return startEditing()
    }

    /// Returns false for an action that the footer should not offer here.
    func isPossible(_ action: Action) -> Bool {
        guard focus == .request, action == .add else { return true }
        return request.map { listOfTab($0) != nil } ?? false
    }

    private func listOfTab(_ request: SavedRequest) -> FieldList? {
        switch requestPane.tab {
        case .params: .query
        case .headers: .headers
        case .body: request.body?.rows == nil ? nil : .bodyRows
        case .auth, .policy, .about: nil
        }
    }

    mutating func deleteRow() -> [Effect] {
        guard focus == .request, let index = requestPane.row, let row = formRows[safe: index] else { return [] }
        let before = workbench
        switch row.kind {
        case .pair(let list, let item): remove(item, from: list)
        case .single(let field): editRequest { field.clear(&$0) }
        case .choice, .inherited, .bodyLine: break
        }
        guard workbench != before else { return tell(.info, "there is nothing to delete in this row") }
        requestPane.place(at: index + 1, count: formRows.count, page: requestPage)
        return tell(.info, "deleted; u brings it back")
    }

    mutating func toggleRow() -> [Effect] {
        guard focus == .request, let index = requestPane.row, let row = formRows[safe: index],
            case .pair(let list, let item) = row.kind
        else { return [] }
        editRequest { $0[keyPath: list.fields].change(item) { $0.enabled.toggle() } }
        return []
    }

    private mutating func remove(_ item: Int, from list: FieldList) {
        editRequest { request in
            guard request[keyPath: list.fields].indices.contains(item) else { return }
            request[keyPath: list.fields].remove(at: item)
        }
    }

    // MARK: Choices

    mutating func chooseMethod() -> [Effect] {
        guard let request else { return [] }
        let items = RequestMethod.allCases.map { PickerOverlay.Item(name: $0.rawValue) }
        overlays.append(
            .picker(PickerOverlay(.method, title: "Method", items: items, current: request.method.rawValue)))
        return []
    }

    private mutating func chooseValue(of field: RequestField) -> [Effect] {
        let items = field.choices.map { PickerOverlay.Item(name: $0.name, note: $0.note) }
        overlays.append(
            .picker(PickerOverlay(.field(field), title: field.label, items: items, current: request.map(field.read))))
        return []
    }

    // MARK: The external editor

    mutating func editExternally() -> [Effect] {
        guard focus != .tree, let request else {
            guard let file = currentFile else { return [] }
            if file.isDirty { return tell(.warning, "\(file.name) has edits that are not saved; w saves them first") }
            let mistake = file.problems.first { $0.severity == .error } ?? file.problems.first
            return [.editFile(path: file.path, line: mistake?.position?.line ?? 1)]
        }
        if requestPane.tab == .headers { return [.edit(.headers(request.id), text: request.headersText, line: 1)] }
        if request.body?.rows != nil {
            return tell(.info, "the fields of a form are edited in the Body tab")
        }
        return [.edit(.body(request.id), text: request.bodyText, line: 1)]
    }
}
