/// A user action, by the part of the program that it is for. Keys, the mouse, the palette and the answers of overlays all
/// become one of these.
enum Action: Equatable, Sendable {
    case app(AppAction)
    case files(FileAction)
    case environments(EnvironmentAction)
    case run(RunAction)
    case batch(BatchAction)
    case tree(TreeAction)
    case request(RequestAction)
    case response(ResponseAction)
    case view(ViewerAction)
    case editor(EditorAction)
    case mouse(MouseAction)

    // For the focused part: an overlay, a field, a list, a body
    case move(Movement)
    case text(TextEdit)
    case accept
    /// Submits a field and goes to the next one.
    case nextField
    case leave
    case confirm(Bool)
    case copy
    /// Lists what else can be copied here.
    case chooseCopy
    indirect case copyText(String, named: String)
    /// Performs one action after the other: the first ones go where the last has a meaning.
    indirect case inOrder([Action])
}

/// The panes and the program itself.
enum AppAction: Equatable, Sendable {
    case focus(Focus)
    case focusNext
    case focusPrevious
    case zoom
    case moveSplit(SplitMovement)
    case help
    case manual
    case palette
    /// Shows other colours until Ombi ends.
    case useTheme(ThemeChoice.Base)
    case askForIncident
    case writeIncident(String)
    /// Asks for the name of this moment, such as a deploy.
    case askForMark
    case markMoment(String)
    case showAllHistory
    /// Lists the error budgets of all requests.
    case showObjectives
    /// Compares the runs before and after the newest mark.
    case compareAroundMark
    /// Does something with a run of that list.
    indirect case useRecorded(HistoryEntry, RecordedUse)
    /// Shows the messages so far.
    case log
    case redraw
    /// A key without an action here.
    case unbound(Key)
    /// The keys so far of a chord, which waits for the next.
    case chord([Key])
    /// Keys that begin like a chord and are none.
    case endChord([Key])
    case suspend
    /// Cancels what the request or the folder runs; quits where that runs nothing.
    case interrupt
    /// Quits, after questions about what runs and about unsaved edits.
    case quit
    /// Quits though something runs, after the question about unsaved edits.
    case quitCancelling
    case quitWithoutSaving
    /// Answers a question of a run; nil for none.
    case answer(SessionQuestion.ID, String?)
}

/// The use of a run that is found among those of all requests.
enum RecordedUse: Equatable, Sendable {
    /// Shows its response.
    case open
    /// Compares its response with that of another run; nil for the marked one.
    case compare(HistoryEntry.ID?)
    /// Sends its request again, and compares.
    case replay
}

/// The direction in which a divider between panes moves. The raw value is its name in settings.
enum SplitMovement: String, Equatable, Sendable {
    case left, right, up, down
}

/// Collection files and their environments.
enum FileAction: Equatable, Sendable {
    case save
    case undo
    case redo
    case chooseEnvironment
    case signOut
    case switchEnvironment(String, path: String)
    case saveAllAndQuit
    /// Saves a file, and opens it in the user's editor.
    case saveAndEdit(path: String)
    /// Saves a file, and closes it.
    case saveAndClose(path: String)
    /// Saves files, and moves the secrets that stand in them in clear into the files beside them first; or does not.
    case saveMovingSecrets([String], quits: Bool)
    case saveAsItIs([String], quits: Bool)
    /// Makes a new collection of another tool's file.
    case saveForeign(path: String, to: String, quits: Bool)
    /// Saves over the changes of another program.
    case overwrite(path: String)
    case resolve([ConflictChoice], path: String)
    indirect case restoreDraft(path: String, Draft)
    /// Asks about the unsaved edits of a program that ended, and once more before they are lost.
    indirect case offerDraft(path: String, Draft)
    indirect case askToDiscard(path: String, Draft)
    case discardDraft(path: String)
    /// Opens a scratch request: one that belongs to no file.
    case addScratch
    /// Asks for a curl command or a URL to open as a scratch request.
    case askToImport
    /// Opens the requests of a curl command or of a URL as scratch requests, or the file at a path.
    case paste(String)
    /// The same, and sends the request at once.
    case send(String)
    /// Lists the secrets that stand in the file in plain text.
    case chooseSecrets
    indirect case moveSecrets([PlainSecret], path: String)
}

/// The editor of environments.
enum EnvironmentAction: Equatable, Sendable {
    case open
    case close
    case edit
    case use
    /// Lists where the variable under the cursor is used.
    case showUses
    /// Goes to a part of the environment at an index.
    case show(Int, EnvironmentPart?)
    /// Closes the editor, and goes to a request.
    case goTo(ItemID)

    // Rows
    /// Adds a row to the list under the cursor, or to one that is picked.
    case chooseList
    case addRow(EnvironmentPart.List)
    case renameRow
    /// Gives the row its name, and with its uses the variable wherever it is set, captured and used.
    case renamePart(EnvironmentPart, to: String, withUses: Bool)
    /// Deletes the value of the environment under the cursor.
    case deleteValue
    /// Deletes the row in every environment.
    case deleteRow

    // Environments
    case askForName
    case add(String)
    case duplicate
    case askForNewName
    case rename(String, to: String)
    /// Deletes the environment under the cursor, after a question.
    case delete
    case deleteNamed(String)
}

/// The runs of requests.
enum RunAction: Equatable, Sendable {
    /// Asks for the interval at which to send the selected request; ends that where it is done.
    case askToWatch
    case watch(WatchPlan)
    /// Sends the selected request; to a protected environment once its name has been typed.
    case send
    /// Sends it there: the name was typed.
    case sendProtected
    /// Shows the selected request as it would leave, and sends nothing.
    case preview
    case cancel
    case retryNow
    case addAttempt
    /// Asks for a message to send on the WebSocket, or which of the saved ones to send.
    case askForMessage
    case chooseMessage
    case sendMessage(OutgoingMessage)
    /// Go on behind the pages of the selected request: with the next one, or all of them.
    case nextPage
    /// Shows the fallback in place of the response, or the response again.
    case toggleFallback
    case allPages
}

extension Action {
    /// True for what is done to a run that goes on.
    var stepsIn: Bool {
        switch self {
        case .run(.cancel), .run(.retryNow), .run(.addAttempt), .batch(.cancelAll): true
        default: false
        }
    }
}

/// The runs of folders and of whole collections.
enum BatchAction: Equatable, Sendable {
    /// Asks how many of its requests to send at a time.
    case ask(TreeNode)
    /// Begins; in a protected environment once its name has been typed.
    case begin(BatchPlan)
    /// Begins there: the name was typed.
    case beginConfirmed(BatchPlan)
    /// Asks for the environment to replay what is under the cursor against.
    case chooseReplay
    case chooseReplayOf(TreeNode)
    /// Sends a request to all of its environments at once.
    case beginEverywhere(ItemID)
    /// Adds the paths that the comparison on the screen proposes to those that may differ.
    case ignoreProposed
    case ignore(ItemID, [String])
    /// Goes to the request under the cursor of the table.
    case goTo
    /// Shows the table of the last one.
    case show
    case close
    case cancelAll
    /// Sends again what failed.
    case runFailed
    case runFailedConfirmed
}

/// The tree of collections.
enum TreeAction: Equatable, Sendable {
    /// Moves the cursor to a node, in folders that open for it.
    case select(TreeNode)
    case search
    /// Folds or unfolds a folder, goes to a request, opens a broken file in the editor.
    case open
    case askForCollection
    case askForHost(name: String, path: String?)
    case begin(name: String, host: String, path: String?)
    case askForPath
    case openPath(String)
    /// Closes the file under the cursor, after a question about edits that are not saved.
    case askToClose
    case close(path: String)
    case askForRequest
    case askForFolder
    case addRequest(String, at: TreeNode)
    case addFolder(String, at: TreeNode)
    /// Deletes the item, a folder after a question.
    case delete
    /// Deletes those that were asked about, wherever the cursor and the marks are since.
    case deleteItems(Set<ItemID>)
    case duplicate
    case askForName
    case rename(ItemID, String)
    case editFile

    // Several items: those that are marked, or the one under the cursor
    /// Marks the item, or removes its mark, and moves down.
    case mark
    /// Moves the items up or down among their siblings.
    case move(Int)
    case moveIn
    case moveOut
    /// Asks for the place to move or copy them to.
    case chooseTarget(Transfer)
    /// Puts them into a folder or a file, or after a request.
    case put(TreeNode, Transfer)
    /// Puts them into a new folder of that name, at the end of a collection.
    case putInNewFolder(String, path: String, Transfer)
    case putHere(Transfer)
    /// Saves a new collection with the scratch request that is shown.
    case saveInNew(String)
    case askToSaveInNew
}

/// The ways in which items come to another place.
enum Transfer: Equatable, Sendable {
    case move, copy
    /// Moves the scratch request that is shown, and saves the file.
    case save
}

/// The request pane.
enum RequestAction: Equatable, Sendable {
    case edit
    /// Edits the URL of a new request, over its parameters.
    case editNew
    case nextTab
    case previousTab
    /// Shows the tab with that number, from 1, in the order of their names.
    case showTab(Int)
    case toggleRow
    case addRow
    case deleteRow
    case describeRow
    /// Sends the row of the query as it is written, or encoded.
    case toggleRaw
    case addCookie
    case showExamples
    case showDocumented
    /// Asks the service for the schema of its queries.
    case introspect
    /// Lists the queries and mutations of the schema.
    case chooseOperation
    /// Adds a request for one of them. Indirect, as every binding of the keymap has room for it.
    indirect case addOperation(GraphQLOperation)
    case chooseMethod
    /// Sets the request to the one that a picker offered. Indirect, as every binding of the keymap has room for it.
    indirect case replace(SavedRequest)
    case askForName
    case editExternally
    /// Sets the request to that of a curl command.
    case takeCurl(String)
    case copyAs(CopyForm)
    case capture(String, path: String)
    /// Expects a value of the response to be so.
    indirect case expect(ValueCondition, path: String)
    /// Sets the parts of a policy that are not nil.
    indirect case setPolicy(RequestPolicy, of: ItemID)
    /// Goes to the row of the field with this identity, in whichever tab that is.
    case goTo(field: String)
}

/// The forms in which a whole request is copied.
enum CopyForm: Equatable, Sendable {
    case url
    case curl
    /// With everything filled in.
    case resolvedCurl(revealsSecrets: Bool)
    /// The list of `Exporter.all`.
    case code
    /// The text of the exporter with this name, with templates.
    case exported(String)
}

/// The response pane.
enum ResponseAction: Equatable, Sendable {
    case nextTab
    case previousTab
    /// Shows the tab with that number, from 1, in the order of their names.
    case showTab(Int)
    /// Goes to the part of the response that the expectation under the cursor is about.
    case showExpected
    /// Shows the response of the attempt under the cursor.
    case openAttempt
    /// Shows the saved example with that index in place of the response.
    case showExample(Int)
    /// Lists what can be expected of the value under the cursor.
    case expect
    /// Asks for the variable that captures the value under the cursor.
    case askForCapture
    /// Asks for a new value of the cookie under the cursor.
    case editCookie
    indirect case setCookie(KeptCookie, String)
    case deleteCookie
    case clearCookies
    case openSignIn
    /// Asks for the address at which the browser of a sign-in has ended.
    case askForRedirect
    indirect case submitRedirect(String, for: SignIn.ID)

    // The history
    case showHistory
    /// Shows the value under the cursor over time.
    case showValue
    /// Shows the response of the run under the cursor.
    case openRecorded
    /// Narrows the runs down to those that match a text.
    case filterHistory
    /// Marks the response of the run under the cursor for comparison.
    case markRecorded
    /// Compares the response of the run under the cursor with another.
    case compareRecorded
    /// Copies the request of a run as a command of curl.
    case copyRecorded(HistoryEntry.ID)
    /// Tries another policy on the recorded runs.
    case simulate
    /// Asks for the runs that Statistics sums up.
    case askForRange
    case limitStatistics(StatisticsRange)
    /// Sends to the address under the cursor of Statistics only, or to any again.
    case toggleAddress
    case olderResponse
    case newerResponse
    /// Deletes the run under the cursor, after a question.
    case askToDeleteRecorded
    case deleteRecorded(HistoryEntry.ID)
}

/// The editor of a body, beyond its text; `send` is that of a field, too. The raw value is the name in settings.
enum EditorAction: String, Equatable, Sendable {
    case find
    case replace
    case findNext
    case findPrevious
    case replaceAll
    case format
    case minify
    case toggleWrap
    case toggleNumbers
    /// Shows what completes the text, before a letter is typed.
    case complete
    /// Keeps the edit and sends the request, without leaving the editor.
    case send
}

/// The mouse, with the lines of the wheel downwards.
enum MouseAction: Equatable, Sendable {
    case click(Point)
    /// The pointer moved with the button held.
    case drag(Point)
    case release(Point)
    case wheel(Point, Int)
}

/// The pane that receives keys.
enum Focus: String, CaseIterable, Equatable, Sendable {
    case tree, request, response
}

/// Panes and tabs go round.
extension CaseIterable where Self: Equatable, AllCases: BidirectionalCollection {
    var next: Self { Self.allCases.drop { $0 != self }.dropFirst().first ?? Self.allCases.first ?? self }
    var previous: Self { Self.allCases.prefix { $0 != self }.last ?? Self.allCases.last ?? self }
    var position: Int { Self.allCases.prefix { $0 != self }.count }
}
