import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// The body while it is edited.
extension RequestPane {
    mutating func openBody(_ workbench: Workbench, line: Int) -> [Outcome] {
        guard let body = context.body(in: workbench, tab) else { return [] }
        var editor = BodyEditor(body, line: line, settings: editorSettings, clipboard: clipboard, size: bodySize)
        let known = knownSchema(of: workbench)
        editor.use(known)
        editing = .body(editor)
        beginCompletion(known.map(CompletionKind.graphQL) ?? .none, of: workbench)
        return Self.schemaPlace(workbench).map { [.effect(.readSchema($0, for: .editor))] } ?? []
    }

    /// Handles an action; nil when it is not the editor's.
    mutating func editBody(_ action: Action, on workbench: inout Workbench, in rect: Rect?) -> [Outcome]? {
        switch action {
        case .text(let edit): return performOnBody(edit) + followCompletion(edit, in: workbench)
        case .editor(.send): return keepBody(&workbench) + [.perform(.run(.send))]
        case .editor(let action): return performOnBody(action)
        case .accept where completion.list != nil: return editBody(.text(.newline), on: &workbench, in: rect)
        case .nextField where completion.list != nil: return editBody(.text(.indent), on: &workbench, in: rect)
        case .accept: withBody { $0.find?.replacement == nil ? $0.closeFind(returning: false) : $0.replaceMatch() }
        case .nextField: withBody { $0.switchFindField() }
        case .leave: return leaveBody(&workbench)
        case .mouse(let action): return perform(action, on: &workbench, in: rect)
        default: return action.isForEditor ? [] : nil
        }
        return []
    }

    private mutating func performOnBody(_ edit: TextEdit) -> [Outcome] {
        withBody { $0.perform(edit) }
        guard case .body(let body) = editing else { return [] }
        return copied(body.clipboard, by: edit)
    }

    private mutating func performOnBody(_ action: EditorAction) -> [Outcome] {
        switch action {
        case .find: withBody { $0.openFind(replacing: false) }
        case .replace: withBody { $0.openFind(replacing: true) }
        case .findNext, .findPrevious:
            let found = withBody { $0.step(forward: action == .findNext) } ?? false
            return found ? [] : .notify(.info, "No match")
        case .replaceAll:
            let count = withBody { $0.replaceAll() } ?? 0
            return .notify(count > 0 ? .success : .info, "Replaced " + (count == 1 ? "1 match" : "\(count) matches"))
        case .format: return layOut(.formatted, "formatted")
        case .minify: return layOut(.compact, "minified")
        case .toggleWrap:
            editorSettings.wraps.toggle()
            withBody { [editorSettings] in $0.apply(editorSettings) }
        case .toggleNumbers:
            editorSettings.showsNumbers.toggle()
            withBody { [editorSettings] in $0.apply(editorSettings) }
        case .send: break
        }
        return []
    }

    private mutating func layOut(_ form: JSONWriter.Form, _ done: String) -> [Outcome] {
        guard case .body(let body) = editing, body.isJSON else {
            return .notify(.info, "Only a JSON body is \(done)")
        }
        editing = nil
        var copy = body
        defer { editing = .body(copy) }
        return copy.layOut(form).map { .notify(.warning, "Not \(done): \($0)") } ?? []
    }

    /// Takes the edited text over. Text that is not JSON yet stays text.
    mutating func keepBody(_ workbench: inout Workbench) -> [Outcome] {
        guard case .body(let body) = editing, !body.editor.text.isUntouched,
            body.text != workbench.request?.bodyText
        else { return [] }
        var warning: String?
        workbench.editRequest { warning = $0.setBodyText(body.text) }
        return warning.map { .notify(.warning, $0.asSentence) } ?? []
    }

    /// Handles Esc: closes the search, clears the mark, or keeps the edit.
    private mutating func leaveBody(_ workbench: inout Workbench) -> [Outcome] {
        guard case .body(let body) = editing else { return [] }
        if body.find != nil {
            withBody { $0.closeFind(returning: $0.find?.replacement == nil) }
            return []
        }
        if body.editor.text.isMarking {
            withBody { $0.perform(.mark) }
            return []
        }
        defer {
            editing = nil
            // The rows show the line that was edited.
            let head = rows(workbench).head.count
            place(at: head + body.editor.position.line, workbench)
        }
        return keepBody(&workbench)
    }

    private mutating func perform(
        _ action: MouseAction, on workbench: inout Workbench, in rect: Rect?
    ) -> [Outcome]? {
        guard let rect else { return nil }
        let text = rect.dropTop(headRows)
        switch action {
        case .click(let point):
            guard text.contains(point) else { return leave(&workbench, by: .mouse(action)) }
            withBody { $0.click(point.relative(to: text), selecting: false) }
        case .drag(let point): withBody { $0.click(point.relative(to: text), selecting: true) }
        case .wheel(let point, let lines):
            guard rect.contains(point) else { return nil }
            withBody { $0.scroll(by: lines) }
        case .release: break
        }
        return []
    }
}

extension Action {
    /// True for an action that has no effect elsewhere while a text is edited.
    var isForEditor: Bool {
        switch self {
        case .app(.redraw), .app(.suspend), .app(.quitWithoutSaving), .run, .files: false
        default: true
        }
    }
}
