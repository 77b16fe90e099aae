import OmbiCore
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace

/// A user action. Keys, the mouse and the palette all become one of these before any pane handles it.
enum Action: Equatable, Sendable {
    // Moving about
    case move(Movement)
    case focusNext
    case focusPrevious
    case focus(Focus)
    case nextTab
    case previousTab
    case zoom
    case activate
    case leave

    // Running requests
    case send
    case cancelRun
    case retryNow
    case addAttempt
    case chooseEnvironment

    // Editing requests and collections
    case toggle
    case chooseMethod
    case add
    case addFolder
    case delete
    case duplicate
    case rename
    case moveItem(Int)
    case undo
    case save
    case editExternally
    case text(TextEdit)
    case nextCell
    case accept

    // Asking and answering
    case help
    case palette
    case confirm(Bool)

    // Bodies
    case view(ViewerAction)

    // The terminal
    case click(Point)
    /// The mouse, moved with its button held.
    case drag(Point)
    case wheel(Point, Int)
    case copy
    case redraw
    case suspend
    case quit
}

/// The pane that receives keys.
enum Focus: CaseIterable, Equatable, Sendable {
    case tree, request, response

    var next: Focus {
        switch self {
        case .tree: .request
        case .request: .response
        case .response: .tree
        }
    }

    var previous: Focus { next.next }
}
