import OmbiDocument

/// A result for a viewer.
package enum ViewerEvent: Equatable, Sendable {
    /// The body so far.
    case read(BodyDocument)
    /// The first match, or the requested one; nil when there is none.
    case found(ByteRange?, number: Int)
    /// The requested match is not near.
    case looking(number: Int)
    /// The matches counted so far.
    case counted(MatchCount, number: Int)
    case filtered(FilterAnswer, number: Int)
    case ran(CommandAnswer, number: Int)
    case compared(BodyComparison, number: Int)
    /// The offset of the value at a requested path; nil with an error, or when there is none.
    case located(offset: Int?, problem: String?, number: Int)
    /// The progress of saving; nil when it has ended.
    case saving(SaveProgress?)
    /// The body could not be saved. A file that exists was left alone, and may be overwritten.
    case notSaved(path: String, BodyForm, reason: String, exists: Bool)
    /// The reason why the rest of the input was not read, as a sentence.
    case inputFailed(String)
    /// A part of the body, for the clipboard.
    case copied(String, named: String? = nil)
}

/// All known matches.
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
    /// The values joined to a text.
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
