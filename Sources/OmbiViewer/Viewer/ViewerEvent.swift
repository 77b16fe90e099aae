/// Input for a viewer. While its prompt is open, the prompt takes all of it.
package enum ViewerInput: Equatable, Sendable {
    case move(Movement)
    case action(ViewerAction)
    /// For the prompt.
    case text(TextEdit)
    case accept
    case leave
}

/// The parts of a viewer that take keys.
package enum ViewerScope: Equatable, Sendable {
    case line, selecting, folding, body
}

/// A user action on a body. The raw value is its name in settings.
package enum ViewerAction: String, Equatable, Sendable {
    case find
    case findNext
    case findPrevious
    case filter
    case shell
    /// Joins the values of a JSONPath to a running text.
    case join
    case toggleFollowing = "follow"
    case mark
    case compare
    case goTo
    case save = "saveBody"
    case openInPager
    case openInEditor
    case copyValue
    case copyPath
    case copyAll
    /// Copies the values that a filter selected, one per line and without quotes.
    case copyText
    /// Copies the row as it is laid out.
    case copyRow
    case select
    case firstColumn
    case toggleFold
    case closeFold
    case openFold
    case foldMore
    case foldLess
    case unfoldAll
    case parent
    case nextSibling
    case previousSibling
    case switchMode
    case toggleWrap
    case toggleNumbers
    /// Switches the option of a prompt: text or regular expression, raw or formatted.
    case switchOption
    case historyBack
    case historyForward
}

/// A result for a viewer.
package enum ViewerEvent: Equatable, Sendable {
    /// The body so far.
    case read(BodyDocument)
    /// The first match, or the requested one; nil if there is none.
    case found(ByteRange?, number: Int)
    /// The requested match is not near.
    case looking(number: Int)
    case counted(MatchCount, number: Int)
    case filtered(FilterAnswer, number: Int)
    case ran(CommandAnswer, number: Int)
    case compared(BodyComparison, number: Int)
    /// The offset of the value at a requested path; nil with an error, or if there is none.
    case located(offset: Int?, problem: String?, number: Int)
    /// The progress of saving; nil when it has ended.
    case saving(SaveProgress?)
    /// The body could not be saved. An existing file was left unchanged, and may be overwritten.
    case notSaved(path: String, BodyForm, reason: String, exists: Bool)
    /// The reason why the rest of the input was not read, as a sentence.
    case inputFailed(String)
    case copied(String, named: String? = nil)
}

/// The number of known matches.
package struct MatchCount: Equatable, Sendable {
    var index: MatchIndex
    var isComplete: Bool

    package static func == (left: MatchCount, right: MatchCount) -> Bool {
        left.index.found == right.index.found && left.isComplete == right.isComplete
    }
}

/// The result of a JSONPath.
package enum FilterAnswer: Equatable, Sendable {
    /// The matches so far, as a view of the filtered document.
    case matches(String, BodyDocument, isCut: Bool, isDone: Bool)
    case joined(String, BodyDocument)
    case problem(column: Int, reason: String)
}

/// The result of a shell command.
package struct CommandAnswer: Equatable, Sendable {
    enum Ending: Equatable, Sendable {
        case exited(Int32)
        /// It could not be run, or was cancelled.
        case failed
        case tookTooLong
        case wroteTooMuch
    }

    var command: String
    var output: BodyDocument
    /// The last lines of its standard error.
    var errorOutput: String
    var ending: Ending

    /// The maximum duration of a command, in seconds.
    static let limit = 10
    /// The maximum output of a command, in bytes.
    static let maximumOutput = 256 << 20

    /// The command, shortened to leave room for the outcome.
    var shortCommand: String { command.count > 24 ? command.prefix(23) + "…" : command }

    /// The failure, as a phrase that follows the command.
    package var failure: String? {
        switch ending {
        case .exited(0): nil
        case .exited(let status): "ended with status \(status)"
        case .failed: "was not run"
        case .tookTooLong: "took longer than \(Self.limit) s and was stopped"
        case .wroteTooMuch: "wrote more than \(Self.maximumOutput >> 20) MiB and was stopped"
        }
    }

    /// A note for the reader of its output.
    var note: String? {
        let parts = [failure.map { "it " + $0 }, errorOutput.isEmpty ? nil : errorOutput].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}

/// Identifies a viewer: its results go to no other.
package struct ViewerID: Hashable, Sendable {
    /// The owner of the bodies, such as a run.
    package let owner: Int
    let number: Int

    package init(_ owner: Int, number: Int = 0) {
        self.owner = owner
        self.number = number
    }
}

/// A side effect that a viewer requests.
package enum ViewerEffect: Equatable, Sendable {
    case order(ViewerOrder)
    case output(BodyOutput)
    /// Shows a notice; nil clears the one that shows.
    case notify(Notice?)

    static func notify(_ kind: Notice.Kind, _ text: String) -> ViewerEffect { .notify(Notice(kind, text)) }
}

/// Work of a viewer off the main thread. A new order of a kind cancels the one before it.
package enum ViewerOrder: Equatable, Sendable {
    /// Recognises and indexes a body, and continues while it grows.
    case read(BodySource, contentType: String?)
    case readMore(isComplete: Bool)
    /// Stops reading the input that the command line opened.
    case stopReading
    /// Finds the first match from an offset on, then counts all of them.
    case find(FindQuery, BodyDocument, from: Int)
    case findNext(FindStep, BodyDocument)
    /// Stops finding the next match; counting continues.
    case stopStepping
    case stopFinding
    case filter(String, BodyDocument, number: Int)
    /// Joins the values of a JSONPath to a running text.
    case join(String, BodyDocument, number: Int)
    /// Runs a shell command with the body on its standard input: as received, the values that a filter selected of it,
    /// one per line, or the selected rows.
    case shell(String, ViewerPage, number: Int)
    case compare(NamedBody, NamedBody, number: Int)
    case stopQuery
    /// Finds the first value of a JSONPath.
    case locate(String, BodyDocument, number: Int)
    /// Releases everything kept for a closed viewer.
    case forget
}

/// A step from one match to another.
package struct FindStep: Equatable, Sendable {
    var query: FindQuery
    var offset: Int
    var forward: Bool
    var number: Int
}

/// Output of a body: to a file, to another program, to the clipboard.
package enum BodyOutput: Equatable, Sendable {
    /// - Parameter overwriting: false to leave an existing file alone.
    case save(path: String, BodyDocument, BodyForm, overwriting: Bool)
    /// Writes a copy for a program, and opens it there.
    case open(BodyProgram, BodyDocument)
    case stopSaving
    /// Makes the text to copy; when it is too large for the clipboard, it goes to a file.
    case copy(ViewerPage, ViewerPage.Part)
    case copyText(String, named: String? = nil)

    /// The maximum bytes of a text for the clipboard of a terminal. As base64 they are fewer than the 100,000 letters that terminals
    /// take; of more some drop all without a word.
    package static let maximumCopied = 74_000
}

/// A program of the user in which a body can be opened.
package enum BodyProgram: Equatable, Sendable {
    case pager, editor
}

/// The settings that viewers share: how bodies are shown, and the command history of prompts.
package struct ViewerSettings: Equatable, Sendable {
    var wraps = true
    var showsNumbers = true
    var syntax = SearchPattern.Syntax.text
    package var mark: NamedBody?
    /// The texts typed into each kind of prompt, oldest first.
    private var history: [[String]] = Array(repeating: [], count: 6)

    private static let maximumEntries = 100

    package init() {}

    /// The texts of the prompts that search and filter, oldest first.
    package var prompts: [String: [String]] {
        get { ["search": entries(.find), "filter": entries(.filter)].filter { !$0.value.isEmpty } }
        set {
            history[ViewerLine.Subject.find.rawValue] = newValue["search"] ?? []
            history[ViewerLine.Subject.filter.rawValue] = newValue["filter"] ?? []
        }
    }

    func entries(_ subject: ViewerLine.Subject) -> [String] { history[subject.rawValue] }

    mutating func remember(_ text: String, for subject: ViewerLine.Subject) {
        guard !text.isEmpty else { return }
        history[subject.rawValue].removeAll { $0 == text }
        history[subject.rawValue].append(text)
        if history[subject.rawValue].count > Self.maximumEntries { history[subject.rawValue].removeFirst() }
    }
}
