import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Identifies a viewer: its results go to no other.
typealias ViewerID = Int

/// Work of a viewer off the main thread. A new order of a kind cancels the one before it.
enum ViewerOrder: Equatable, Sendable {
    /// Recognises and indexes a body, and goes on while it grows.
    case read(BodySource, contentType: String?)
    /// More of the body has arrived, or all of it.
    case readMore(isComplete: Bool)
    /// Stops reading the input that the command line opened.
    case stopReading
    /// Finds the first match from an offset on, then counts all of them.
    case find(FindQuery, BodyDocument, from: Int)
    /// Finds the next match, or the previous one.
    case findNext(FindStep, BodyDocument)
    /// Stops finding the next match; the count goes on.
    case stopStepping
    case stopFinding
    case filter(String, BodyDocument, number: Int)
    /// Runs a shell command with the body on its standard input: as received, the values that a filter selected of it,
    /// one per line, or the selected rows.
    case shell(String, ViewerPage, number: Int)
    /// Compares an older body with a newer one.
    case compare(NamedBody, NamedBody, number: Int)
    /// Stops filters, commands and comparisons.
    case stopAsking
    /// Finds the first value of a JSONPath.
    case locate(String, BodyDocument, number: Int)
    case save(path: String, BodyDocument, BodyForm)
    /// Writes a copy for a program, and opens it there.
    case open(BodyProgram, BodyDocument)
    case stopSaving
    /// Makes the text to copy; when it is too large for the clipboard, it goes to a file.
    case copy(ViewerPage, ViewerPage.Part)
    /// The viewer is gone.
    case forget
}

/// The source of a body's bytes.
enum BodySource: Equatable, Sendable {
    case data(Data)
    case store(ResponseStore)
    /// The input that the command line opened.
    case input
}

/// A pattern, and the form of the body to search.
struct FindQuery: Equatable, Sendable {
    var text: String
    var syntax: SearchPattern.Syntax
    /// True to search the bytes as received, not the text.
    var isRaw: Bool
    /// True when JSON is shown laid out, with spaces that the body may not have.
    var isLaidOut = false
    /// Identifies the query: results for another number are ignored.
    var number: Int

    /// Throws for a text that cannot be searched for.
    func pattern() throws(PatternError) -> SearchPattern {
        guard isLaidOut, syntax == .text, let layout = Self.anyLayout(of: text) else {
            return try SearchPattern(text, syntax: syntax)
        }
        return try SearchPattern(layout, syntax: .regex)
    }

    /// `"id": 10` with any spaces around its colon, as a regular expression; nil for a text that no layout changes.
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
    /// The offset at which the step begins.
    var offset: Int
    var forward: Bool
    var number: Int
}

/// The form in which a body is saved.
enum BodyForm: String, Equatable, Sendable, CaseIterable {
    case raw = "as it came"
    case formatted
}

/// A program of the user in which a body can be opened.
enum BodyProgram: Equatable, Sendable {
    case pager, editor
}
