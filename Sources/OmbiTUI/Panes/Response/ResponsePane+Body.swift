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

    mutating func receive(_ listing: FolderListing, _ view: ResponseView) {
        if let text = typedPath(view) { completion.receive(listing, text) }
    }

    func drawCompletion(_ view: ResponseView, on surface: inout Surface, at cursor: Point, in area: Rect) {
        if let text = typedPath(view) { completion.draw(text, on: &surface, at: cursor, in: area) }
    }

    /// Marks the row of the open list at a point; false where there is none.
    mutating func markCompletion(at point: Point, _ view: ResponseView, cursor: Point, in area: Rect) -> Bool {
        typedPath(view).map { completion.mark(at: point, $0, cursor: cursor, in: area) } ?? false
    }
}

/// The viewer in the program: its keys, and the effects of its orders.
extension Viewer {
    /// The scopes for key lookup, nearest first.
    var keyScopes: [KeyScope] {
        scopes.map {
            switch $0 {
            case .line: .line
            case .selecting: .selecting
            case .folding: .folding
            case .body: .viewer
            }
        }
    }

    /// Performs an action. Nil when it means nothing here; a prompt takes everything.
    mutating func perform(_ action: Action) -> [ViewerEffect]? {
        guard let input = action.onBody else {
            if case .mouse = action { return nil }
            return hasPrompt ? [] : nil
        }
        return handle(input)
    }

    /// The bindings with an effect on the visible content, each with the word for its present effect.
    func hints(_ known: [Binding]) -> [Binding] {
        if let words = promptWords {
            return known.compactMap { binding in
                switch binding.action {
                case .accept: binding.saying(words.accept)
                case .view(.switchOption): words.option.map(binding.saying)
                default: binding
                }
            }
        }
        guard let page else { return known }
        return known.compactMap { binding -> Binding? in
            switch binding.action {
            case .response(.askForCapture), .response(.expect):
                return page.path?.hasPrefix("$") ?? false ? binding : nil
            case .run(.askForMessage), .run(.chooseMessage):
                return isConversation && !page.document.isComplete ? binding : nil
            case .run(.nextPage), .run(.allPages): return hasMorePages ? binding : nil
            case .run(.cancel): return page.document.isComplete ? nil : binding
            case .view(let action):
                switch hint(for: action) {
                case .hidden: return nil
                case .shown: return binding
                case .named(let word): return binding.saying(word)
                }
            default: return binding
            }
        }
    }
}

extension Viewer {
    var copies: [PickerOverlay.Item] {
        guard let page, page.holdsText else { return [] }
        let value = page.name(of: page.selectionText == nil ? .value : .selection)
        let path = page.path.map { PickerOverlay.Item(name: "the path", note: $0, action: .view(.copyPath)) }
        return [PickerOverlay.Item(name: value, note: "as it shows", action: .view(.copyValue))]
            + (page.folds ? [path, .init(name: page.name(of: .row), action: .view(.copyRow))] : [path]).compactMap {
                $0
            }
            + [PickerOverlay.Item(name: page.name(of: .all), note: "all of it", action: .view(.copyAll))]
            + (page.isFiltered ? [asText(page)] : [])
    }

    private func asText(_ page: ViewerPage) -> PickerOverlay.Item {
        .init(
            name: page.name(of: .valuesAsText), note: "one per line, without quotes", action: .view(.copyText))
    }
}

extension Action {
    /// The same for a body; nil for an action that means nothing there.
    fileprivate var onBody: ViewerInput? {
        switch self {
        case .move(let movement): .move(movement)
        case .view(let action): .action(action)
        case .text(let edit): .text(edit)
        case .accept: .accept
        case .leave: .leave
        default: nil
        }
    }
}

extension [ViewerEffect] {
    /// The same for the rest of the program.
    func outcomes(of id: ViewerID) -> [Outcome] {
        map {
            switch $0 {
            case .order(let order): .effect(.view(id, order))
            case .output(.copyText(let text, let name)): .effect(.copy(text, named: name))
            case .output(let output): .effect(.output(id, output))
            case .notify(let notice): .notice(notice)
            }
        }
    }
}
