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
    /// Sends a message on the WebSocket of a run.
    case message(RunID, OutgoingMessage)
    case editCookies(CookieEdit, CookieHome)
    case history(HistoryQuery)
    /// Writes the report of a time into the folder of the program.
    case writeIncident(String)
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
    case keepDraft(path: String, Collection, Fingerprint)
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
    /// Reads the pages of the manual.
    case readManual
    /// Reads the schema of a query.
    case readSchema(GraphQLPlace, for: SchemaUse)
    /// Asks the service of a request for its schema, and keeps it.
    case introspect(RunOrder)
    case useTheme(ThemeChoice.Base)
    /// Answers a question of a run; nil for none.
    case answer(SessionQuestion.ID, String?)
    /// Forgets the tokens of an environment.
    case signOut(file: String, environment: String?)
    /// Opens a page in a browser.
    case browse(String)
    /// Completes a sign-in with the address at which the browser has ended.
    case submitRedirect(String, for: SignIn.ID)
    case tick(after: Duration)
    /// Looks at the clock of a watch, by its number.
    case watchTick(Int, after: Duration)
    /// Begins the next request of a batch, by its number.
    case batchTick(Int, after: Duration)
    /// Reads the body of an example in a file.
    case readExample(ExampleFile)
    /// Reads the file of data of a plan.
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
    /// The list of queries and mutations.
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
