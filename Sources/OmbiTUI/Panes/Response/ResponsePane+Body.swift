import OmbiTerminal
import OmbiViewer
import OmbiWorkspace

/// The body in the pane: its actions, and the completion of the path that it is saved to.
extension ResponsePane {
    /// Passes an action to the body on the screen. Nil when it means nothing there.
    mutating func performOnBody(_ action: Action, _ view: ResponseView, in runs: inout Runs) -> [Outcome]? {
        guard showsBody(view), let id = view.run?.viewer?.id, let item = view.run?.item else { return nil }
        if let outcomes = complete(action, view, in: &runs) { return outcomes }
        guard let effects = runs.withViewer(of: item, { $0.perform(action) }) ?? nil else { return nil }
        guard let text = runs.withViewer(of: item, { $0.typedPath }) ?? nil else { return effects.outcomes(of: id) }
        return effects.outcomes(of: id) + follow(action, text)
    }

    // MARK: Completion

    /// Relative paths start where Ombi was started.
    private static let folder = "."

    /// The path that is typed in the prompt of the body.
    func typedPath(_ view: ResponseView) -> EditedText? { showsBody(view) ? view.run?.viewer?.typedPath : nil }

    /// True while a list of names is open.
    var isCompleting: Bool { completion.list != nil }

    /// Handles an action for the list; nil when the action means what it means without one.
    private mutating func complete(_ action: Action, _ view: ResponseView, in runs: inout Runs) -> [Outcome]? {
        guard let text = typedPath(view) else { return nil }
        switch completion.handle(action, text) {
        case .ignored: return nil
        case .handled: return []
        case .insert(let new, let range):
            let completed = runs.withViewer(of: view.run?.item) { viewer -> EditedText? in
                viewer.completePath(range, with: new)
                return viewer.typedPath
            }
            guard let text = completed ?? nil else { return [] }
            return completion.follow(inserted: new, text, in: Self.folder)
        }
    }

    /// Opens, narrows or closes the list after an edit; a prompt that was just opened looks at the folders anew.
    private mutating func follow(_ action: Action, _ text: EditedText) -> [Outcome] {
        switch action {
        case .text(let edit): return completion.follow(edit, text, in: Self.folder)
        case .view(.save): completion.begin(CompletionSource(kind: .file(after: "")))
        default: completion.close()
        }
        return []
    }

    /// Takes in a folder that was read.
    mutating func receive(_ listing: FolderListing, _ view: ResponseView) {
        if let text = typedPath(view) { completion.receive(listing, text) }
    }

    /// Draws the open list at the cursor.
    func drawCompletion(_ view: ResponseView, on surface: inout Surface, at cursor: Point, in area: Rect) {
        if let text = typedPath(view) { completion.draw(text, on: &surface, at: cursor, in: area) }
    }

    /// Marks the row of the open list at a point; false where there is none.
    mutating func markCompletion(at point: Point, _ view: ResponseView, cursor: Point, in area: Rect) -> Bool {
        typedPath(view).map { completion.mark(at: point, $0, cursor: cursor, in: area) } ?? false
    }
}
