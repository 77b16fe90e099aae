/// The fields of the table, edited in place.
extension EnvironmentPane {
    /// Handles an action; nil for one of the whole program.
    mutating func handle(_ action: Action, on workbench: inout Workbench, in rect: Rect) -> [Outcome]? {
        guard let outcomes = perform(action, on: &workbench, in: rect) else { return nil }
        return outcomes + check(workbench)
    }

    private mutating func perform(_ action: Action, on workbench: inout Workbench, in rect: Rect) -> [Outcome]? {
        if editing != nil {
            return placeCaret(by: action, in: rect) ? [] : edit(action, on: &workbench)
        }
        switch action {
        case .environments(let action): return perform(action, on: &workbench)
        case .files(let action): return perform(action, on: &workbench)
        case .move(let movement): move(movement)
        case .mouse(let action): return perform(action, on: &workbench, in: rect)
        case .leave: return [.perform(.environments(.close))]
        case .app, .run: return nil
        default: break
        }
        return []
    }

    /// Takes the cursor to the cell that an undo or a redo changed.
    private mutating func perform(_ action: FileAction, on workbench: inout Workbench) -> [Outcome] {
        let before = table
        let outcomes = workbench.perform(action)
        guard action == .undo || action == .redo else { return outcomes }
        follow(workbench, size: size)
        if let (column, row) = table.change(since: before, near: column) {
            place(column: column)
            row.map { place(row: $0) }
        }
        return outcomes
    }

    // MARK: Editing in place

    mutating func begin(_ editing: Editing, _ kind: CompletionKind, _ workbench: Workbench) {
        self.editing = editing
        completion.begin(CompletionSource(kind, in: workbench, environment: environment))
    }

    /// Edits the cell under the cursor; one with choices takes the next of them.
    mutating func startEditing(on workbench: inout Workbench) -> [Outcome] {
        guard let environment else { return nothing }
        switch row {
        case .heading(_, let list?): return [.perform(.environments(.addRow(list)))]
        case .heading(_, nil): return .notify(.info, "A heading; what is below it is edited")
        case nil: return []
        case .part(let part):
            let text = environment.text(of: part) ?? ""
            if case .field(let index) = part, !Environment.fields[index].choices.isEmpty {
                let choices = Environment.fields[index].choices
                let next = ((choices.firstIndex { $0.name == text } ?? 0) + 1) % choices.count
                return submit(part, choices[next].name, to: &workbench)
            }
            begin(.cell(part, TextField(text)), kind(of: part), workbench)
            return []
        }
    }

    private func kind(of part: EnvironmentPart) -> CompletionKind {
        switch part {
        case .row(.headers, let name, _): .headerValue(of: name)
        case .row(.secrets, _, _): .secretSource
        case .field(let index): Environment.fields[index].isPath ? .file(after: "") : .none
        case .row(.variables, _, _): .none
        }
    }

    private mutating func edit(_ action: Action, on workbench: inout Workbench) -> [Outcome]? {
        guard var text = editing?.text else { return nil }
        switch completion.handle(action, text.edited) {
        case .ignored: break
        case .handled: return []
        case .insert(let new, let range):
            text.insert(new, at: range)
            editing?.text = text
            return completion.follow(inserted: new, text.edited, in: workbench.folder)
        }
        switch action {
        case .text(let edit):
            text.perform(edit)
            editing?.text = text
            return completion.follow(edit, text.edited, in: workbench.folder)
        case .accept: return commit(to: &workbench, thenNext: false)
        case .nextField: return commit(to: &workbench, thenNext: true)
        case .leave: stopEditing()
        // The answer to a question about the file, which may come at any time.
        case .files(let action): return workbench.perform(action)
        // The answer to the question about its uses.
        case .environments(.renamePart(let part, let name, let withUses)):
            return withUses ? renameEverywhere(part, to: name, in: &workbench) : rename(part, to: name, in: &workbench)
        case .app(.redraw), .app(.suspend), .app(.quitWithoutSaving): return nil
        case .mouse(.click): return commit(to: &workbench, thenNext: false)
        default: break
        }
        return []
    }

    mutating func stopEditing() {
        editing = nil
        draft = nil
        completion.close()
    }

    /// Submits the text being typed.
    mutating func finish(_ workbench: inout Workbench) {
        if case .cell = editing { _ = commit(to: &workbench, thenNext: false) }
    }

    /// - Parameter thenNext: goes on with the same row of the next environment; after the last one of the first.
    private mutating func commit(to workbench: inout Workbench, thenNext: Bool) -> [Outcome] {
        switch editing {
        case .cell(let part, let text):
            let outcomes = submit(part, text.text, to: &workbench)
            guard thenNext, editing == nil, table.environments.count > 1 else { return outcomes }
            follow(workbench, size: size)
            place(column: (column + 1) % table.environments.count)
            return outcomes + startEditing(on: &workbench)
        case .newRow(let list, let text): return submitName(text.text, of: list, workbench)
        case .rowName(let part, let text): return askToRename(part, to: text.text, in: &workbench)
        case nil: return []
        }
    }

    /// Sets a part of the environment under the cursor. A refused text keeps its field open.
    private mutating func submit(_ part: EnvironmentPart, _ text: String, to workbench: inout Workbench) -> [Outcome] {
        guard var changed = environment else { return [] }
        // A row that the environment lacks is not added by looking at it.
        if changed.text(of: part) == nil, text.isEmpty, draft == nil || part.list == .secrets {
            if draft == part, !table.environments.contains(where: { $0.text(of: part) != nil }) {
                return .notify(.warning, "\(part.label) needs a source: \(Secret.Source.forms); Esc leaves it out")
            }
            stopEditing()
            return []
        }
        let name = changed.name
        do throws(FieldError) {
            try changed.set(part, text)
            try check(changed, in: workbench)
        } catch { return .notify(.failure, error.message.asSentence) }
        stopEditing()
        workbench.edit(path: path, "edit \(part.label) of \(name)") { collection in
            guard let index = collection.environments.firstIndex(where: { $0.name == name }) else { return }
            collection.environments[index] = changed
        }
        return []
    }

    /// Throws for an edit after which an environment has no host, or inherits from none that there is.
    private func check(_ changed: Environment, in workbench: Workbench) throws(FieldError) {
        guard var collection = workbench.file(at: path)?.collection,
            let index = collection.environments.firstIndex(where: { $0.name == changed.name })
        else { return }
        collection.environments[index] = changed
        for environment in collection.environments { try collection.checkInheritance(of: environment.name) }
    }

    /// Goes on with the value of a row whose name was typed.
    private mutating func submitName(_ name: String, of list: EnvironmentPart.List, _ workbench: Workbench) -> [Outcome]
    {
        guard let collection = workbench.file(at: path)?.collection else { return [] }
        if name.isEmpty {
            stopEditing()
            return []
        }
        do throws(FieldError) { try collection.checkRowName(name, in: list) } catch {
            return .notify(.failure, error.message.asSentence)
        }
        let part = EnvironmentPart.row(list, name: name)
        draft = part
        follow(workbench, size: size)
        place(at: part)
        let text = environment?.text(of: part) ?? ""
        begin(.cell(part, TextField(text)), kind(of: part), workbench)
        return []
    }

    // MARK: The mouse

    private mutating func perform(_ action: MouseAction, on workbench: inout Workbench, in rect: Rect) -> [Outcome] {
        switch action {
        case .wheel(_, let lines): position.scroll(by: lines, count: table.rows.count, page: page)
        case .click(let point): return click(point, on: &workbench, in: rect)
        case .drag, .release: break
        }
        return []
    }

    /// Places the caret of the field under edit, or selects in it; false for anything else.
    private mutating func placeCaret(by action: Action, in rect: Rect) -> Bool {
        guard var text = editing?.text, let field = field(in: Self.inside(rect)) else { return false }
        switch action {
        case .mouse(.click(let point)) where field.contains(point):
            text.click(column: point.column - field.column, in: field.columns)
        case .mouse(.drag(let point)):
            text.click(column: point.column - field.column, in: field.columns, selecting: true)
        default: return false
        }
        editing?.text = text
        return true
    }

    private mutating func click(_ point: Point, on workbench: inout Workbench, in rect: Rect) -> [Outcome] {
        let inside = Self.inside(rect)
        guard inside.contains(point) else { return [] }
        let place = point.relative(to: inside)
        let columns = columns
        let line = place.row - 1
        let clicked = place.column < columns.name ? column : firstColumn + (place.column - columns.name) / columns.width
        guard clicked < table.environments.count, line < page else { return [] }
        let before = (position.cursor, column)
        self.place(column: clicked)
        if line >= 0 { self.place(row: position.offset + line) }
        let isAgain = line >= 0 && before == (position.cursor, column)
        return isAgain ? startEditing(on: &workbench) : []
    }
}
