import OmbiCore
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace

/// The state of the explorer. Only `update` and `receive` change it; both are free of side effects and return the
/// effects to run.
struct AppState: Equatable, Sendable {
    var size: Size
    /// The clock of the program at the last action or event.
    var now = Duration.zero
    var workbench = Workbench()
    var tree = TreePane()
    var requestPane = RequestPane()
    var responsePane = ResponsePane()
    var focus = Focus.tree
    var isZoomed = false
    var overlays: [Overlay] = []
    var notice: Notice?
    /// The last run of each request.
    var runs: [ItemID: RunState] = [:]
    /// The request of each run.
    var items: [RunID: ItemID] = [:]
    var lastRun: RunID = 0
    /// The request that the panes show; it stays while the cursor is on a folder.
    var selected: ItemID?
    var undo: [Workbench] = []
    var isTicking = false
    /// Settings that the last viewer hands on to the next.
    var viewerSettings = ViewerSettings()
    /// Pending saves: the content being written to each path.
    var saving: [String: Collection] = [:]
    /// Files to be saved again: only one save of a file is pending at a time, because the next must know what the last
    /// one wrote.
    var savesAgain: Set<String> = []
    /// Files whose drafts were restored: only a save of such a file discards its draft.
    var draftsTakenBack: Set<String> = []
    /// True when the program quits after the pending saves.
    var quitsAfterSaving = false
    let keymap: Keymap

    /// The interval at which the screen follows a run.
    static let tickInterval = Duration.milliseconds(100)
    private static let maximumUndoSteps = 200

    init(size: Size, keymap: Keymap = .standard) {
        self.size = size
        self.keymap = keymap
    }

    // MARK: What follows from the rest

    var layout: Layout { Layout(size: size, focus: focus, zoomed: isZoomed) }

    var request: SavedRequest? { selected.flatMap(workbench.request) }

    var file: OpenFile? {
        if let selected, let file = workbench.file(of: selected) { return file }
        return currentFile
    }

    /// The file under the cursor of the tree.
    var currentFile: OpenFile? {
        switch tree.current?.node {
        case .file(let path): workbench.file(at: path)
        case .folder(let id), .request(let id): workbench.file(of: id)
        case nil: nil
        }
    }

    var run: RunState? { selected.flatMap { runs[$0] } }

    var activeRuns: [RunState] { runs.values.filter(\.isRunning).sorted { $0.id < $1.id } }

    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] {
        if let overlay = overlays.last { return [overlay.scope] }
        switch (focus, requestPane.editing) {
        case (.request, .field): return [.field]
        case (.request, .body): return [.area]
        case (.tree, _): return [.tree, .lists, .everywhere]
        case (.request, nil): return [.request, .lists, .everywhere]
        case (.response, _):
            guard let viewer = shownViewer else { return [.response, .lists, .everywhere] }
            return viewer.hasPrompt ? viewer.keyScopes : viewer.keyScopes + [.response, .lists, .everywhere]
        }
    }

    var formRows: [FormRow] {
        guard let request else { return [] }
        return RequestForm.rows(
            of: requestPane.tab, in: request, environment: file?.chosenEnvironment, defaults: defaults)
    }

    /// The policy that applies where the request sets nothing.
    var defaults: RequestPolicy {
        (file?.chosenEnvironment?.policy ?? RequestPolicy())
            .merging(over: file?.collection?.policy).merging(over: .standard)
    }

    var responseView: ResponseView {
        ResponseView(
            run: run, now: now, columns: layout.inside(.response)?.columns ?? 0, description: request?.description)
    }

    // MARK: Pages

    var treePage: Int { rows(of: .tree) }
    var requestPage: Int { max(1, rows(of: .request) - RequestPane.headRows) }
    var responsePage: Int { max(1, rows(of: .response) - ResponsePane.headRows) }

    /// The rows of a pane; for a hidden pane, the rows it will have when shown.
    private func rows(of pane: Focus) -> Int {
        (layout.inside(pane) ?? Layout(size: size, focus: pane, zoomed: isZoomed).inside(pane))?.rows ?? 1
    }

    // MARK: Shared steps

    /// Remembers the workbench for undo, changes it, and refreshes the tree.
    mutating func edit(_ change: (inout Workbench) -> Void) {
        let before = workbench
        change(&workbench)
        guard workbench != before else { return }
        undo.append(before)
        if undo.count > Self.maximumUndoSteps { undo.removeFirst() }
        tree.refresh(workbench, page: treePage)
    }

    mutating func editRequest(_ change: (inout SavedRequest) -> Void) {
        guard let selected else { return }
        edit { workbench in
            workbench.edit(selected) { _ = $0.update(selected, change) }
        }
    }

    /// Makes the panes follow the cursor of the tree.
    mutating func followTree() {
        // While the screen shows the problems of this file, no request of another one may be sent.
        if currentFile?.collection == nil { selected = nil }
        guard case .request(let id) = tree.current?.node, id != selected else { return }
        selected = id
        responsePane.reset()
        requestPane.place(at: 0, count: 0, page: 1)
    }

    /// Starts the clock of the screen when something runs and it is not ticking yet.
    mutating func ticks() -> [Effect] {
        guard !isTicking, !activeRuns.isEmpty else { return [] }
        isTicking = true
        return [.tick(after: Self.tickInterval)]
    }
}

extension RequestPolicy {
    /// The policy of a request when nothing sets one, for display.
    static let standard = RequestPolicy(
        retries: 0, sla: .seconds(60), timeout: .seconds(30),
        retryOn: [.connection, .timeout] + RetryPolicy.transientStatusCodes.sorted().map { .status(.code($0)) })
}
