import OmbiTerminal
import OmbiWorkspace

/// The completion of the text under edit.
extension RequestPane {
    mutating func beginCompletion(_ kind: CompletionKind, of workbench: Workbench) {
        completion.begin(CompletionSource(kind, in: workbench, environment: workbench.environment))
    }

    /// Handles an action for the list; nil when the action means what it means without one.
    mutating func complete(_ action: Action, in workbench: Workbench) -> [Outcome]? {
        guard let text = editedText else { return nil }
        switch completion.handle(action, text) {
        case .ignored: return nil
        case .handled: return []
        case .insert(let new, let range):
            replaceEdited(range, with: new)
            return editedText.map { completion.follow(inserted: new, $0, in: workbench.folder) } ?? []
        }
    }

    /// Opens, narrows or closes the list after an edit.
    mutating func followCompletion(_ edit: TextEdit, in workbench: Workbench) -> [Outcome] {
        editedText.map { completion.follow(edit, $0, in: workbench.folder) } ?? []
    }

    /// Takes in a folder that was read.
    mutating func receive(_ listing: FolderListing) {
        editedText.map { completion.receive(listing, $0) }
    }

    /// Draws the open list at the cursor.
    func drawCompletion(on surface: inout Surface, at cursor: Point, in area: Rect) {
        guard completion.list != nil, let text = editedText else { return }
        completion.draw(text, on: &surface, at: cursor, in: area)
    }

    /// Marks the row of the open list at a point; false where there is none.
    mutating func markCompletion(at point: Point, cursor: Point, in area: Rect) -> Bool {
        editedText.map { completion.mark(at: point, $0, cursor: cursor, in: area) } ?? false
    }

    /// The text of the field or the body; nil while a search has the keys.
    private var editedText: EditedText? {
        switch editing {
        case .field(_, let text): text.edited
        case .body(let body): body.find == nil ? body.editor.text : nil
        case nil: nil
        }
    }

    private mutating func replaceEdited(_ range: Range<Int>, with new: String) {
        if case .field(let field, var text) = editing {
            text.insert(new, at: range)
            editing = .field(field, text)
        }
        withBody { $0.replace(range, with: new) }
    }
}
