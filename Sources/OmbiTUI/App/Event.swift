import OmbiCore
import OmbiWorkspace

/// Something that happened in the world. The only way in which anything outside reaches `AppState`.
enum Event: Equatable, Sendable {
    case resized(Size)
    /// The collections that were found, and the environment that was asked for.
    case opened([LoadedCollection], environment: String?)
    case reloaded(LoadedCollection)
    case run(RunID, RequestEvent)
    case runPrepared(RunID, SentRequest)
    /// The request as it went out, known once the run has ended.
    case runSent(RunID, SentRequest)
    case runEnded(RunID, RunResult)
    case viewer(ViewerID, ViewerEvent)
    /// What was done, or why not.
    case told(Notice)
    case saved(path: String, Collection, Fingerprint)
    case saveFailed(path: String, message: String, changedOnDisk: Bool)
    case edited(EditorTarget, text: String)
    case editorFailed(String)
    case copied(String)
    case tick
    case terminating
}

/// How a run ended, for the response pane.
enum RunResult: Equatable, Sendable {
    case response(TransportResponse)
    /// No response: a sentence for people.
    case failure(String)
    case cancelled
}

/// The request as it goes out, with every secret masked.
struct SentRequest: Equatable, Sendable {
    var url: String
    var method: RequestMethod
    var headers: [Line]
    var body: String?
    var sla: Duration
    var attempts: Int
    /// What its expectations ask for, checked when the run has ended.
    var expectation: Expectation?

    struct Line: Equatable, Sendable {
        var name: String
        var value: String
        /// Where the header comes from, when not from the request itself.
        var origin: String?
    }
}
