/// Something that happened in the world. The only way in which anything outside reaches `AppState`.
enum Event: Equatable, Sendable {
    case resized(Size)
    /// The memory of the workspace, before its collections.
    case remembered(WorkspaceMemory)
    /// Collections are being read.
    case opening
    /// The collections that were found, and the environment that was asked for.
    case opened([LoadedCollection], environment: String?)
    /// The file of a new collection.
    case begun(LoadedCollection)
    /// The new collection that was made of another tool's file at a path; nil where none could be.
    case converted(path: String, to: LoadedCollection?, Notice)
    /// Further collections.
    case added([LoadedCollection], path: String)
    /// Scratch requests of an earlier time.
    case scratch(Collection)
    /// A file that was opened in the editor.
    case reloaded(LoadedCollection)
    /// A file that somebody else may have changed.
    case changed(LoadedCollection)
    /// The result of the check before something is sent; ready if a request is sound, and has all that it needs.
    case checked(CheckedRun, isReady: Bool)
    /// The check has failed, with a sentence: nothing is sent.
    case refused(CheckedRun, String)
    /// The name of a request, and the request as it would leave.
    case previewed(String, RunPreview)
    case run(RunID, SessionEvent)
    /// A run waits for an answer.
    case question(SessionQuestion)
    /// The cookies of an environment, after a run or an edit.
    case cookies(CookieHome, [KeptCookie])
    case history(HistoryAnswer)
    case viewer(ViewerID, ViewerEvent)
    /// The outcome of an effect, for the status line.
    case notice(Notice)
    case saved(path: String, Collection, Fingerprint)
    /// Secrets were written into the local file beside a collection, or could not be.
    case secretsKept(path: String, Notice, isKept: Bool)
    case saveFailed(path: String, message: String, changedOnDisk: Bool)
    case edited(EditorTarget, text: String)
    case editorFailed(String)
    case copied(String)
    /// The time that the terminal takes to show a frame, in tenths of a second.
    case lagging(Duration)
    /// The texts of the manual's pages.
    case manual([String])
    case folder(FolderListing)
    /// The schema of a query; nil where none is known.
    case schema(GraphQLPlace, GraphQLSchema?, for: SchemaUse)
    case secretsChecked([SecretCheck])
    case tick
    /// A watch of that number has to look at the clock.
    case watchTick(Int)
    /// The next request of the batch of that number may be sent.
    case batchTick(Int)
    /// The file of data of a plan was read.
    case dataRead(BatchPlan)
    /// The file of data of a plan cannot be read, with the reason.
    case dataUnread(BatchPlan, String)
    /// The body of an example was read from its file.
    case exampleRead(ExampleFile, Data)
    case terminating
}

/// A question of a run, which waits for the answer.
struct SessionQuestion: Equatable, Sendable {
    typealias ID = Int

    enum Subject: Equatable, Sendable {
        /// May the collection send this there? Any text is a yes.
        case gate(GateQuestion)
        case secret(SecretQuestion)
    }

    var id: ID
    var subject: Subject
}
