import OmbiCore
import OmbiWorkspace

/// Tells the runs of this session apart.
typealias RunID = Int

/// Something that `AppState` wants done in the world. `EffectRunner` does it, and reports back with an `Event`.
enum Effect: Equatable, Sendable {
    case send(RunOrder)
    /// Finds out whether a request could be sent, and sends nothing.
    case check(RunOrder)
    case cancel(RunID)
    case retryNow(RunID)
    case addAttempts(RunID, Int)
    case view(ViewerID, ViewerOrder)
    case save(path: String, Collection, Fingerprint, overwriting: Bool)
    /// Keeps edits that are not saved; done when `run` returns.
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

/// What a run needs to know: the request as it stands in the editor, and where it goes.
struct RunOrder: Equatable, Sendable {
    var id: RunID
    var request: SavedRequest
    var collection: Collection
    var environment: String?
    /// The folder of the collection file: relative paths in it start here.
    var directory: String
}

/// What a text in the external editor belongs to.
enum EditorTarget: Equatable, Sendable {
    case body(ItemID)
    case headers(ItemID)
}
