import OmbiDocument

/// What was learned for a viewer.
enum ViewerEvent: Equatable, Sendable {
    /// The body as far as it has come.
    case read(BodyDocument)
    /// The first match, or the one that was asked for; nil when there is none.
    case found(ByteRange?, number: Int)
    /// The match that was asked for is not near.
    case looking(number: Int)
    /// How many there are so far.
    case counted(MatchCount, number: Int)
    case filtered(FilterAnswer, number: Int)
    case ran(CommandAnswer, number: Int)
    case compared(BodyComparison, number: Int)
    /// Where a value begins that was asked for by its path; nil with what is wrong, or when there is none.
    case located(offset: Int?, mistake: String?, number: Int)
    /// How far the body is saved; nil when that has ended.
    case saving(SaveProgress?)
    /// A file of that name is there already, and was left alone.
    case isThere(path: String, BodyForm)
    /// The end of the input of the command line: a sentence when it could not be read.
    case inputFailed(String)
    /// A part of the body, to go to the clipboard.
    case copied(String)
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
    /// The matches so far, as a view of what was asked.
    case matches(String, BodyDocument, isCut: Bool, isDone: Bool)
    case mistake(column: Int, reason: String)
}

/// What a shell command gave.
struct CommandAnswer: Equatable, Sendable {
    enum Ending: Equatable, Sendable {
        case exited(Int32)
        /// It could not be run, or nobody waited for it any more.
        case failed
        case tookTooLong
        case wroteTooMuch
    }

    var command: String
    var output: BodyDocument
    /// The last lines of its standard error.
    var complaint: String
    var ending: Ending

    /// The seconds that a command may take.
    static let limit = 10
    /// The bytes that it may write.
    static let mostOutput = 256 << 20

    /// Leaves room for what became of it.
    var shortCommand: String { command.count > 24 ? command.prefix(23) + "…" : command }

    /// What is wrong, in words that follow the command.
    var trouble: String? {
        switch ending {
        case .exited(0): nil
        case .exited(let status): "ended with status \(status)"
        case .failed: "was not run"
        case .tookTooLong: "took longer than \(Self.limit) s, and was ended"
        case .wroteTooMuch: "wrote more than \(Self.mostOutput >> 20) MiB, and was ended"
        }
    }

    /// What the reader of its output should know.
    var note: String? {
        let parts = [trouble.map { "it " + $0 }, complaint.isEmpty ? nil : complaint].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
