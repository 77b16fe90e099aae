/// Something that `AppState` wants done. `EffectRunner` runs it, and reports back with an `Event`.
enum Effect: Equatable, Sendable {
    case send(RunOrder)
    /// Finds out whether requests could be sent, and sends nothing.
    case check([RunOrder], for: CheckedRun)
    /// Prepares a request, and sends nothing.
    case preview(RunOrder)
    case cancel(RunID)
    case retryNow(RunID)
    case addAttempts(RunID, Int)
    case message(RunID, OutgoingMessage)
    case editCookies(CookieEdit, CookieHome)
    case history(HistoryQuery)
    /// Writes the report of a time, about the requests in these files, into the folder of the program.
    case writeIncident(String, of: [String])
    case view(ViewerID, ViewerOrder)
    case output(ViewerID, BodyOutput)
    case save(path: String, Collection, Fingerprint, overwriting: Bool)
    /// Creates the file of a new collection; without a path it gets one by its name.
    case begin(Collection, path: String?)
    /// Writes a new collection from the file of another tool, whose content is that of the fingerprint.
    case convert(path: String, Fingerprint, to: String)
    /// Opens further collections.
    case open(path: String)
    /// Writes secrets into the local file beside a collection.
    case keepSecrets([PlainSecret], path: String)
    /// Grants secrets that are there for the destinations that they went to before.
    case grantMoved([PlainSecret], path: String)
    /// Grants what an edit has brought, for the host that it was typed for.
    case grant(TypedEdit)
    /// Keeps unsaved edits for the next start.
    case keepDraft(UnsavedFile)
    /// Deletes the draft with that path, which an ended program has left.
    case discardDraft(path: String)
    /// The same once the edits that were restored from it have a draft of their own.
    case replaceDraft(path: String, by: UnsavedFile)
    /// Reads a file again that changed on disk.
    case reload(path: String)
    case edit(EditorTarget, text: String, line: Int)
    case editFile(path: String, line: Int)
    /// Reads the names in a folder, for a path that starts at the folder of a collection.
    case listFolder(String, in: String)
    /// Finds out which secrets of the collection in that folder are present.
    case checkSecrets([Secret.Source], in: String)
    case copy(String, named: String? = nil)
    /// Copies the request as a command of curl, with everything filled in.
    case copyCurl(RunOrder, revealingSecrets: Bool = false)
    case readManual
    case readSchema(GraphQLPlace, for: SchemaUse)
    /// Asks the service of a request for its schema, and keeps it.
    case introspect(RunOrder)
    case useTheme(ThemeChoice.Base)
    /// Answers a question of a run; nil for none.
    case answer(SessionQuestion.ID, String?)
    case signOut(file: String, environment: String?)
    case browse(String)
    /// Completes a sign-in with the address at which the browser has ended.
    case submitRedirect(String, for: SignIn.ID)
    case tick(after: Duration)
    /// Looks at the clock of a watch, by its number.
    case watchTick(Int, after: Duration)
    /// Begins the next request of a batch, by its number.
    case batchTick(Int, after: Duration)
    case readExample(ExampleFile)
    case readData(BatchPlan)
    /// Forgets the values that were captured for rows of data.
    case forgetRows
    case ringBell
    /// Runs the command of the settings for a change of a watched request.
    case tellChange(String)
    case redraw
    case suspend
    case quit
}

/// The part of the screen that waits for a schema of GraphQL.
enum SchemaUse: Equatable, Sendable {
    /// The editor of the query, which does without it meanwhile.
    case editor
    case operations
}

/// The owner of a text in the external editor.
enum EditorTarget: Equatable, Sendable {
    /// The suffix is the file extension, by which the editor chooses its syntax colours.
    case body(ItemID, suffix: String = ".json")
    case headers(ItemID)
    case message(ItemID, index: Int)
}

/// The setting of the way to the clipboard.
enum ClipboardChoice: String, CaseIterable, Equatable, Sendable {
    /// A program of the system where it can confirm the copy, else the terminal, else a file.
    case auto
    /// The terminal (OSC 52).
    case osc52
    /// A program of the system: wl-copy, xclip, xsel or pbcopy; tmux in tmux.
    case command
    case file
}

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
    case manual([String])
    case folder(FolderListing)
    /// The schema of a query; nil where none is known.
    case schema(GraphQLPlace, GraphQLSchema?, for: SchemaUse)
    case secretsChecked([SecretCheck])
    case tick
    case watchTick(Int)
    /// The next request of the batch of that number may be sent.
    case batchTick(Int)
    case dataRead(BatchPlan)
    /// The file of data of a plan cannot be read, with the reason.
    case dataUnread(BatchPlan, String)
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
