/// The user's actions on the request: its rows, its choices, and the texts that are edited in place.
extension RequestPane {
    mutating func perform(_ action: RequestAction, on workbench: inout Workbench) -> [Outcome] {
        guard let request = workbench.subject else { return performOnFile(action, workbench) }
        let isSettings = workbench.shared != nil
        switch action {
        case .chooseMethod, .editExternally, .takeCurl, .copyAs:
            if isSettings { return .notify(.info, "A request has this, not what it inherits from") }
        default: break
        }
        switch action {
        case .edit: return startEditing(&workbench)
        case .editNew:
            show(.params, of: workbench)
            place(at: 0, workbench)
            return startEditing(&workbench)
        case .nextTab: show(tab.stepped(by: 1, ofSettings: isSettings), of: workbench)
        case .previousTab: show(tab.stepped(by: -1, ofSettings: isSettings), of: workbench)
        case .showTab(let number): return showTab(number, of: workbench)
        case .toggleRow: return toggleRow(of: &workbench)
        case .addRow: return addRow(to: &workbench, request)
        case .deleteRow: return deleteRow(of: &workbench)
        case .describeRow: return describeRow(of: workbench)
        case .toggleRaw: return toggleRaw(of: &workbench)
        case .addCookie: return addCookie(to: &workbench)
        case .showExamples: return Self.examples(of: request)
        case .showDocumented: return Self.documentation(of: request)
        case .introspect, .chooseOperation, .addOperation: return performOnSchema(action, in: &workbench)
        case .chooseMethod: return [.open(.picker(Self.methods(of: request)))]
        case .replace(let changed): return replace(request, by: changed, in: &workbench)
        case .askForName: return askForName(request, &workbench)
        case .editExternally: return editExternally(request)
        case .takeCurl(let command): return replace(by: command, in: &workbench)
        case .copyAs(let form): return copy(workbench, as: form)
        case .capture(let name, let path):
            workbench.editRequest { $0.capture(name, at: path) }
            show(.capture, of: workbench)
            place(at: rows(workbench).count - request.variables.count - 1, workbench)
            return .notify(.success, "\(request.name) captures \(name) from \(path); s sends it")
        case .expect(let condition, let path):
            workbench.editRequest { $0.expect(condition, at: path) }
            show(.expect, of: workbench)
            place(at: Int.max, workbench)
            return .notify(.success, "\(request.name) expects \(condition.words(of: path)); s sends it")
        case .setPolicy(let policy, let item): return set(policy, of: item, in: &workbench)
        case .goTo(let id): return goTo(id, request, workbench)
        }
        return []
    }

    private mutating func askForName(_ request: SavedRequest, _ workbench: inout Workbench) -> [Outcome] {
        guard case .file? = workbench.shared?.node else { return workbench.askForName(of: request.id) }
        show(.about, of: workbench)
        return []
    }

    private mutating func showTab(_ number: Int, of workbench: Workbench) -> [Outcome] {
        guard let tab = RequestTab.tabs(ofSettings: isSettings)[safe: number - 1] else {
            return .notify(.info, "There is no tab \(number) here")
        }
        show(tab, of: workbench)
        return [.focus(.request)]
    }

    private mutating func goTo(_ id: String, _ request: SavedRequest, _ workbench: Workbench) -> [Outcome] {
        let fields = RequestForm.fields(of: request, ofSettings: isSettings, workbench.inheritance)
        guard let found = fields.first(where: { $0.field.id == id }) else { return [] }
        show(found.tab, of: workbench)
        place(at: found.field, workbench)
        return [.focus(.request)]
    }

    /// Sets the parts of a policy that are not nil, as one edit.
    private mutating func set(_ policy: RequestPolicy, of item: ItemID, in workbench: inout Workbench) -> [Outcome] {
        guard let request = workbench.request(item) else { return [] }
        workbench.edit(item, "the policy of \(request.name)") { collection in
            collection.update(item) { $0.policy = policy.merging(over: $0.policy).keeping($0.policy) }
        }
        show(.policy, of: workbench)
        return .notify(.success, "\(request.name) has the policy that was tried; u takes it back, w saves it")
    }

    /// Opens the file that shows in place of a request.
    private func performOnFile(_ action: RequestAction, _ workbench: Workbench) -> [Outcome] {
        guard let file = workbench.currentFile else { return [] }
        let isBroken = file.collection == nil
        if isBroken, [.edit, .editExternally].contains(action) { return workbench.editFile() }
        return isBroken ? [] : .notify(.info, "Select a request first")
    }

    /// Takes over what was picked. With another kind of body or authentication the cursor goes to the first row to fill in; a new text
    /// is there to be typed, and the path of a new file.
    private mutating func replace(
        _ request: SavedRequest, by changed: SavedRequest, in workbench: inout Workbench
    ) -> [Outcome] {
        workbench.editSubject { $0 = changed }
        let isNew =
            switch tab {
            case .body: changed.body != nil && changed.body?.kind != request.body?.kind
            case .auth: changed.authentication?.kind != request.authentication?.kind
            default: false
            }
        guard isNew else { return [] }
        placeAtFirstField(workbench)
        guard tab == .body, let body = changed.body else { return [] }
        if body.text != nil { return request.body == nil ? openBody(workbench, line: 0) : [] }
        guard body.rows == nil, let field = row.flatMap({ rows(workbench)[safe: $0]?.valueField }),
            field.read(changed).isEmpty
        else { return [] }
        return edit(field, of: workbench)
    }

    /// Goes to the first row below the kind that is to be filled in or picked; stays where there is none.
    private mutating func placeAtFirstField(_ workbench: Workbench) {
        let (request, isBody) = (workbench.subject, tab == .body)
        let isToFill: (FormRow) -> Bool = { row in
            switch row.kind {
            case .choice, .pair, .adder, .bodyLine: true
            // Most fields of bodies may stay empty.
            case .single(let field):
                row.value.isEmpty && !(isBody && request.map(field.need) == .optional)
            case .inherited, .hint: false
            }
        }
        let rows = rows(workbench)
        guard let first = rows.indices.dropFirst().first(where: { isToFill(rows[$0]) }) else { return }
        place(at: first + 1, workbench)
    }

    // MARK: Editing in place

    /// Handles an action while a field or the body is edited; nil when it is not the editor's.
    /// - Parameter rect: the inside of the pane on the screen; nil while it is hidden.
    mutating func edit(_ action: Action, on workbench: inout Workbench, in rect: Rect?) -> [Outcome]? {
        if editing != nil, let outcomes = complete(action, in: workbench) { return outcomes }
        defer { if editing == nil { completion.close() } }
        switch editing {
        case .field: return editField(action, on: &workbench, in: rect)
        case .body: return editBody(action, on: &workbench, in: rect)
        case nil: return nil
        }
    }

    private mutating func editField(
        _ action: Action, on workbench: inout Workbench, in rect: Rect?
    ) -> [Outcome]? {
        switch action {
        case .request(.takeCurl(let command)): return replace(by: command, in: &workbench)
        case .text(let edit): return perform(edit) + followCompletion(edit, in: workbench)
        case .accept: return commit(to: &workbench, thenNext: false)
        case .nextField: return commit(to: &workbench, thenNext: true)
        case .leave: return leave(&workbench)
        case .editor(.send): return commitAndSend(&workbench)
        case .mouse(.click(let point)):
            if let rect, placeCursor(at: point.relative(to: rect), workbench) { return [] }
            return leave(&workbench, by: action)
        case .mouse(.drag(let point)):
            if let rect { select(to: point.relative(to: rect), workbench) }
            return []
        case .mouse(.wheel): return nil
        default: return action.isForEditor ? [] : nil
        }
    }

    private mutating func perform(_ edit: TextEdit) -> [Outcome] {
        guard case .field(let field, var text) = editing else { return [] }
        text.change { $0.clipboard = clipboard }
        text.perform(edit)
        editing = .field(field, text)
        return copied(text.edited.clipboard, by: edit)
    }

    /// Keeps a text that was cut or copied, and copies it to the clipboard of the terminal.
    mutating func copied(_ text: String, by edit: TextEdit) -> [Outcome] {
        guard edit == .copy || edit == .cut, !text.isEmpty else { return [] }
        clipboard = text
        return [.effect(.copy(text, named: "the text"))]
    }

    /// Submits the field and sends the request; a refused text keeps its field open.
    private mutating func commitAndSend(_ workbench: inout Workbench) -> [Outcome] {
        guard case .field(let field, let text) = editing, let request = workbench.subject else { return [] }
        let refused = field.problem(with: text.text, in: request) != nil
        let outcomes = commit(to: &workbench, thenNext: false)
        return refused || workbench.shared != nil ? outcomes : outcomes + [.perform(.run(.send))]
    }

    /// Submits the text being typed.
    mutating func finish(_ workbench: inout Workbench) { _ = commit(to: &workbench, thenNext: false) }

    /// Submits the edit when the user clicks elsewhere. A rejected text keeps its field open, and the click has no
    /// effect.
    mutating func leave(_ workbench: inout Workbench, by click: Action) -> [Outcome] {
        let before = editing
        let outcomes = commit(to: &workbench, thenNext: false)
        return editing == before ? outcomes : outcomes + [.perform(click)]
    }

    private mutating func startEditing(_ workbench: inout Workbench) -> [Outcome] {
        guard let index = row else {
            guard workbench.shared != nil else { return edit(.url, of: workbench) }
            show(.about, of: workbench)
            return []
        }
        guard let request = workbench.subject, let row = rows(workbench)[safe: index] else { return [] }
        switch row.kind {
        case .pair, .single: return row.field.map { edit($0, of: workbench) } ?? []
        case .choice(let field): return [.open(.picker(Self.choices(of: field, in: request)))]
        case .bodyLine(let line): return openBody(workbench, line: line)
        case .hint: return addRow(to: &workbench, request)
        case .adder(let list): return addRow(to: list, of: &workbench)
        case .inherited(let source): return workbench.outcomes(showing: source)
        }
    }

    private mutating func edit(_ field: RequestField, of workbench: Workbench) -> [Outcome] {
        editing = .field(field, TextField(workbench.subject.map(field.read) ?? ""))
        addsRow = false
        beginCompletion(workbench.subject.map(field.completes) ?? .none, of: workbench)
        proposeExample(of: field, workbench)
        return []
    }

    /// Begins an empty field that has to be filled in with the variable of its example, where there is one: Enter takes it,
    /// and what is typed takes its place.
    private mutating func proposeExample(of field: RequestField, _ workbench: Workbench) {
        guard let request = workbench.subject, field.need(request) == .required, field.read(request).isEmpty,
            completion.hasVariable(of: field.example)
        else { return }
        var text = TextField(field.example)
        text.perform(.selectAll)
        editing = .field(field, text)
    }

    private mutating func commit(to workbench: inout Workbench, thenNext: Bool) -> [Outcome] {
        switch editing {
        case .field(_, let text) where takesCurl(text.text): return replace(by: text.text, in: &workbench)
        case .field(let field, let text): return commit(field, text.text, to: &workbench, thenNext: thenNext)
        case .body:
            defer { editing = nil }
            return keepBody(&workbench)
        case nil: return []
        }
    }

    private mutating func commit(
        _ field: RequestField, _ text: String, to workbench: inout Workbench, thenNext: Bool
    ) -> [Outcome] {
        guard let request = workbench.subject else { return [] }
        var (changed, text) = (request, text)
        // The URL of a new request is "/" before anything is typed behind it.
        let typed = request.path == "/" && text.hasPrefix("/") ? String(text.dropFirst()) : text
        if field == .url, let typed = RequestField.methodAndURL(typed) { (changed.method, text) = typed }
        do throws(FieldError) {
            try field.write(&changed, text)
        } catch {
            // The field stays open, so that nothing typed is lost.
            return .notify(.failure, error.message)
        }
        editing = nil
        if field == .url, workbench.environment?.host.isEmpty == false { changed.completePath() }
        workbench.editSubject { $0 = changed }
        let isNewRow = addsRow
        if isNewRow, changed != request { workbench.joinLastEdits() }
        let moved = changed.query.dropFirst(request.query.count)
        let notes =
            field == .url ? Self.notes(on: RequestTarget(text).text, moved: moved.map(\.name), to: changed.query) : []
        // A new row edits its value right after its name.
        if !text.isEmpty, let next = field.next(in: changed, toFill: !thenNext) {
            place(at: next, workbench)
            defer { addsRow = isNewRow }
            return notes + edit(next, of: workbench)
        }
        if thenNext, let outcomes = editNextRow(after: field, of: &workbench) { return notes + outcomes }
        dropEmptyRow(of: &workbench)
        return notes
    }

    /// Goes on from a row of a list to the next one, and from the last one to a new one, which stays only if it is filled in. In
    /// any other field Tab stays: what is typed after it must not run as commands. Nil for a row that is empty.
    private mutating func editNextRow(after field: RequestField, of workbench: inout Workbench) -> [Outcome]? {
        let rows = rows(workbench)
        guard let index = row, let row = rows[safe: index], case .pair(let list, _) = row.kind else {
            return edit(field, of: workbench)
        }
        guard !row.name.isEmpty || !row.value.isEmpty else { return nil }
        guard let next = rows[safe: index + 1], case .pair(list, _) = next.kind,
            let first = next.nameField ?? next.valueField
        else { return addRow(to: list, of: &workbench) }
        place(at: first, workbench)
        return edit(first, of: workbench)
    }

    /// False in a field that Tab does not leave.
    func hasNextField(_ workbench: Workbench) -> Bool {
        guard case .field(let field, _) = editing, let request = workbench.subject else { return true }
        if field.next(in: request, toFill: false) != nil { return true }
        if case .pair? = row.flatMap({ rows(workbench)[safe: $0]?.kind }) { return true }
        return false
    }

    /// Moves the cursor to the row of a field, where that is another one.
    private mutating func place(at field: RequestField, _ workbench: Workbench) {
        let index = rows(workbench).firstIndex { $0.has(field) }
        if let index { place(at: index + 1, workbench) }
    }

    /// Returns the message about the parts of a typed or pasted URL that are not its path.
    private static func notes(on url: String, moved: [String], to query: [Field]) -> [Outcome] {
        let repeated = moved.filter { name in query.count { $0.enabled && $0.name == name } > 1 }
        let notes = [
            moved.isEmpty ? nil : "moved \(Count.of(moved.count, "query parameter")) to Params",
            repeated.first.map { "\($0) is there more than once now, and each is sent" },
            url.contains("#") ? "the #fragment is not sent" : nil,
            url.contains(" ") && !url.contains("{{") ? "a space is sent as %20" : nil,
        ].compactMap { $0 }
        guard !notes.isEmpty else { return [] }
        // A name stays as it is.
        let text =
            moved.isEmpty && !repeated.isEmpty
            ? notes.joined(separator: "; ") : notes.joined(separator: "; ").asSentence
        return .notify(notes.count > 1 || moved.isEmpty ? .warning : .info, text)
    }

    /// Handles Esc: the field reverts to its old text.
    private mutating func leave(_ workbench: inout Workbench) -> [Outcome] {
        editing = nil
        dropEmptyRow(of: &workbench)
        return []
    }

    /// Removes a row that has neither name nor value.
    private mutating func dropEmptyRow(of workbench: inout Workbench) {
        guard let index = row, let row = rows(workbench)[safe: index], row.name.isEmpty, row.value.isEmpty,
            case .pair(let list, let item) = row.kind
        else { return }
        Self.remove(item, from: list, of: &workbench)
        // Adding and removing a row leaves nothing to undo.
        workbench.forgetRevertedEdit()
        place(at: index, workbench)
    }

    // MARK: Rows

    private mutating func addRow(to workbench: inout Workbench, _ request: SavedRequest) -> [Outcome] {
        guard let list = list(of: request) else {
            let places =
                workbench.shared == nil
                ? "Params, Headers, Capture and Expect, in a body of the kind form or multipart, and in Messages"
                : "Variables and Headers"
            return .notify(.info, "Rows are added in " + places)
        }
        return addRow(to: list, of: &workbench)
    }

    mutating func addRow(to list: FieldList, of workbench: inout Workbench) -> [Outcome] {
        workbench.editSubject { $0[keyPath: list.fields].append(Field("", "")) }
        let rows = rows(workbench)
        let added = rows.lastIndex { row in
            if case .pair(list, _) = row.kind { true } else { false }
        }
        place(at: (added ?? rows.count - 1) + 1, workbench)
        defer { addsRow = true }
        return startEditing(&workbench)
    }

    func list(of request: SavedRequest) -> FieldList? {
        switch tab {
        case .params where isSettings: .variables
        case .params: .query
        case .headers: .headers
        case .body where request.hasMessages: .messages
        case .body: request.body.flatMap { $0.rows == nil ? nil : .rows(of: $0) }
        case .expect: row.flatMap { RequestForm.expectationList(at: $0, of: request) }
        case .capture: row.map { RequestForm.captureList(at: $0, of: request) } ?? .captures
        default: nil
        }
    }

    private mutating func deleteRow(of workbench: inout Workbench) -> [Outcome] {
        let before = workbench.subject
        switch row.flatMap({ rows(workbench)[safe: $0]?.kind }) {
        case .pair(let list, let item): Self.remove(item, from: list, of: &workbench)
        case .single(let field): workbench.editSubject { field.clear(&$0) }
        case .choice, .inherited, .bodyLine, .hint, .adder, nil: break
        }
        guard let row, workbench.subject != before else {
            return .notify(.info, "There is nothing to delete in this row")
        }
        place(at: row + 1, workbench)
        return .notify(.info, "Deleted; u brings it back")
    }

    private mutating func describeRow(of workbench: Workbench) -> [Outcome] {
        guard let field = row.flatMap({ rows(workbench)[safe: $0]?.descriptionField }) else {
            return .notify(.info, "Rows of Params, Headers, forms and variables have descriptions")
        }
        return edit(field, of: workbench)
    }

    /// Toggles the row under the cursor. The URL has nothing to toggle, but a method in front of it to choose.
    private func toggleRow(of workbench: inout Workbench) -> [Outcome] {
        if row == nil, !isSettings, let request = workbench.subject {
            return [.open(.picker(Self.methods(of: request)))]
        }
        guard case .pair(let list, let item)? = row.flatMap({ rows(workbench)[safe: $0]?.kind }), list.toggles else {
            return .notify(.info, "There is nothing to toggle in this row")
        }
        workbench.editSubject { $0[keyPath: list.fields].change(item) { $0.enabled.toggle() } }
        return []
    }

    private static func remove(_ item: Int, from list: FieldList, of workbench: inout Workbench) {
        workbench.editSubject { request in
            guard request[keyPath: list.fields].indices.contains(item) else { return }
            request[keyPath: list.fields].remove(at: item)
        }
    }

    // MARK: The external editor

    private func editExternally(_ request: SavedRequest) -> [Outcome] {
        if tab == .headers {
            return [.effect(.edit(.headers(request.id), text: request.headersText, line: 1))]
        }
        if request.hasMessages { return editMessage(request) }
        if request.body?.rows != nil {
            return .notify(.info, "The fields of a form are edited in the Body tab")
        }
        if case .file(let content) = request.body {
            return .notify(.info, "The body is the file \(content.path); Enter in the Body tab changes its path")
        }
        let target = EditorTarget.body(request.id, suffix: request.body?.fileSuffix ?? ".json")
        return [.effect(.edit(target, text: request.bodyText, line: 1))]
    }

    private func editMessage(_ request: SavedRequest) -> [Outcome] {
        // The row of the subprotocols is above.
        guard tab == .body, let index = row.map({ $0 - 1 }), let message = request.webSocket?.messages[safe: index]
        else {
            return .notify(.info, "The messages are edited in the tab Messages: select one")
        }
        return [.effect(.edit(.message(request.id, index: index), text: message.text, line: 1))]
    }
}

extension Workbench {
    mutating func takeEdited(_ target: EditorTarget, _ text: String) -> [Outcome] {
        var complaint: String?
        switch target {
        case .body(let id, _):
            guard text != request(id)?.bodyText else { return [] }
            edit(id) { $0.update(id) { complaint = $0.setBodyText(text) } }
        case .message(let id, let index):
            // Editors end a text with a line break.
            let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
            edit(id) { $0.update(id) { $0.webSocket?.messages.change(index) { $0.text = text } } }
        case .headers(let id):
            edit(id) { collection in
                collection.update(id) { request in
                    do throws(FieldError) { try request.setHeadersText(text) } catch { complaint = error.message }
                }
            }
        }
        return complaint.map { .notify(.warning, $0) } ?? []
    }
}
