import OmbiDocument

/// What was learned for a viewer.
enum ViewerEvent: Equatable, Sendable {
    /// The body as far as it has come.
    case read(BodyDocument)
    /// The first match, or the one that was asked for; nil when there is none.
    case found(ByteRange?, number: Int)
    /// How many there are so far.
    case counted(MatchCount, number: Int)
    case filtered(FilterAnswer, number: Int)
    case ran(CommandAnswer, number: Int)
    case compared(BodyComparison, number: Int)
    /// Where a value begins that was asked for by its path; nil with what is wrong, or when there is none.
    case located(offset: Int?, mistake: String?)
    /// The end of the input of the command line: a sentence when it could not be read.
    case inputFailed(String)
}

/// All matches that are known.
struct MatchCount: Equatable, Sendable {
    var index: MatchIndex
    var isComplete: Bool

    static func == (left: MatchCount, right: MatchCount) -> Bool {
        left.index.found == right.index.found && left.isComplete == right.isComplete
    }
}

/// What a JSONPath gave.
enum FilterAnswer: Equatable, Sendable {
    /// The matches with their paths, as an object; and how many there are.
    case matches(String, BodyDocument, count: Int, isCut: Bool)
    case mistake(column: Int, reason: String)
}

/// What a shell command gave.
struct CommandAnswer: Equatable, Sendable {
    var command: String
    var output: BodyDocument
    /// The last lines of its standard error.
    var complaint: String
    /// Its exit status; nil when it ran into the time limit.
    var status: Int32?

    /// The seconds that a command may take.
    static let limit = 10
}
