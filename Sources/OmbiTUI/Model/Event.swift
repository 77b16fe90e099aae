import OmbiCore
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace

/// Something that happened in the world. The only way in which anything outside reaches `AppState`.
enum Event: Equatable, Sendable {
    case resized(Size)
    /// Collections are being read.
    case opening
    /// The collections that were found, and the environment that was asked for.
    case opened([LoadedCollection], environment: String?)
    case reloaded(LoadedCollection)
    /// The result of the check before a request is sent; ready if nothing that it needs is missing.
    case checked(ItemID, isReady: Bool)
    case run(RunID, SessionEvent)
    case viewer(ViewerID, ViewerEvent)
    /// The outcome of an effect, for the status line.
    case notice(Notice)
    case saved(path: String, Collection, Fingerprint)
    case saveFailed(path: String, message: String, changedOnDisk: Bool)
    case edited(EditorTarget, text: String)
    case editorFailed(String)
    case copied(String)
    case folder(FolderListing)
    case secretsChecked([SecretCheck])
    case tick
    case terminating
}
