import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tells viewers apart: what is learned for one goes to it and no other.
typealias ViewerID = Int

/// What a viewer wants done away from the main thread. A new order of a kind cancels the one before it.
enum ViewerOrder: Equatable, Sendable {
    /// Recognises and indexes a body, and goes on while it grows.
    case read(BodySource, contentType: String?)
    /// More of the body has come, or all of it.
    case readMore(isComplete: Bool)
    /// No more of what the command line opened.
    case stopReading
    /// Looks for the first match from an offset on, then counts all of them.
    case find(FindQuery, BodyDocument, from: Int)
    /// The next match, or the one before.
    case findNext(FindStep, BodyDocument)
    /// No more steps, but the count goes on.
    case stopStepping
    case stopFinding
    case filter(String, BodyDocument, number: Int)
    /// Runs a shell command with the body on its standard input: as it came, what a filter selected of it, a value a line,
    /// or the rows that are selected.
    case shell(String, ViewerPage, number: Int)
    /// Compares an older body with a newer one.
    case compare(NamedBody, NamedBody, number: Int)
    /// No filter, no command, no comparison.
    case stopAsking
    /// Where the first value of a JSONPath is.
    case locate(String, BodyDocument, number: Int)
    case save(path: String, BodyDocument, BodyForm)
    /// Writes a copy for a program, and opens that.
    case open(BodyProgram, BodyDocument)
    case stopSaving
    /// Makes the text of what is to be copied; what is too large for the clipboard goes to a file.
    case copy(ViewerPage, ViewerPage.Part)
    /// The viewer is gone.
    case forget
}

/// Where the bytes of a body come from.
enum BodySource: Equatable, Sendable {
    case data(Data)
    case store(ResponseStore)
    /// What the command line opened.
    case input
}

/// What is looked for, and where.
struct FindQuery: Equatable, Sendable {
    var text: String
    var syntax: SearchPattern.Syntax
    /// Whether the bytes as they came are searched, and not the text.
    var isRaw: Bool
    /// Whether JSON shows laid out, with blanks that the body may not have.
    var isLaidOut = false
    /// Answers to older queries are not for this one.
    var number: Int

    /// Nil for what cannot be searched for.
    func pattern() throws(PatternError) -> SearchPattern {
        guard isLaidOut, syntax == .text, let layout = Self.anyLayout(of: text) else {
            return try SearchPattern(text, syntax: syntax)
        }
        return try SearchPattern(layout, syntax: .regex)
    }

    /// `"id": 10` however many blanks are around its colon, as a regular expression; nil where none would be.
    private static func anyLayout(of text: String) -> String? {
        var pattern = ""
        var before: Character?
        var left = text[...]
        var isLayout = false
        while let sign = left.popFirst() {
            if sign == ":" && before == "\"" || sign == "," && left.first == " " {
                isLayout = true
                pattern += (sign == ":" ? "\\s*" : "") + String(sign) + "\\s*"
                left = left.drop { $0 == " " }
            } else {
                pattern += ("\\^$.|?*+()[]{}".contains(sign) ? "\\" : "") + String(sign)
            }
            before = sign
        }
        return isLayout ? pattern : nil
    }
}

/// A step from one match to another.
struct FindStep: Equatable, Sendable {
    var query: FindQuery
    /// Where it begins.
    var offset: Int
    var forward: Bool
    var number: Int
}

/// In which form a body is saved.
enum BodyForm: String, Equatable, Sendable, CaseIterable {
    case raw = "as it came"
    case formatted
}

/// A program of the user's that a body can be opened in.
enum BodyProgram: Equatable, Sendable {
    case pager, editor
}
