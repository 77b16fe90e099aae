import OmbiCore
import OmbiViewer
import OmbiWorkspace

/// Something that `AppState` wants done. `EffectRunner` runs it, and reports back with an `Event`.
enum Effect: Equatable, Sendable {
    case send(RunOrder)
    /// Finds out whether a request could be sent, and sends nothing.
    case check(RunOrder)
    case cancel(RunID)
    case retryNow(RunID)
    case addAttempts(RunID, Int)
    case view(ViewerID, ViewerOrder)
    case output(ViewerID, BodyOutput)
    case save(path: String, Collection, Fingerprint, overwriting: Bool)
    /// Keeps unsaved edits; done when `run` returns.
    case keepDraft(path: String, Collection, Fingerprint)
    case discardDraft(path: String)
    case reload(path: String)
    case edit(EditorTarget, text: String, line: Int)
    case editFile(path: String, line: Int)
    case copy(String)
    case tick(after: Duration)
    case redraw
    case suspend
    case quit
}

/// The input of a run: the request as it is in the editor, and its destination.
struct RunOrder: Equatable, Sendable {
    var id: RunID
    var request: SavedRequest
    var collection: Collection
    var environment: String?
    /// The folder of the collection file, the base of relative paths in it.
    var directory: String
}

/// The owner of a text in the external editor.
enum EditorTarget: Equatable, Sendable {
    case body(ItemID)
    case headers(ItemID)
}
