import OmbiDocument
import OmbiTerminal

/// Identifies a viewer: its results go to no other.
package struct ViewerID: Hashable, Sendable {
    /// The owner of the bodies, such as a run.
    package let owner: Int
    /// The number of the body among those of its owner.
    let number: Int

    package init(_ owner: Int, number: Int = 0) {
        self.owner = owner
        self.number = number
    }
}

/// Something that a viewer wants done.
package enum ViewerEffect: Equatable, Sendable {
    case order(ViewerOrder)
    case output(BodyOutput)
    /// Shows a notice; nil clears the one that shows.
    case notify(Notice?)

    static func notify(_ kind: Notice.Kind, _ text: String) -> ViewerEffect { .notify(Notice(kind, text)) }
}

/// Work of a viewer off the main thread. A new order of a kind cancels the one before it.
package enum ViewerOrder: Equatable, Sendable {
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
    /// Joins the values of a JSONPath to a running text.
    case join(String, BodyDocument, number: Int)
    /// Runs a shell command with the body on its standard input: as received, the values that a filter selected of it,
    /// one per line, or the selected rows.
    case shell(String, ViewerPage, number: Int)
    /// Compares an older body with a newer one.
    case compare(NamedBody, NamedBody, number: Int)
    /// Stops filters, commands and comparisons.
    case stopQuery
    /// Finds the first value of a JSONPath.
    case locate(String, BodyDocument, number: Int)
    /// The viewer is gone.
    case forget
}

/// A step from one match to another.
package struct FindStep: Equatable, Sendable {
    var query: FindQuery
    /// The offset at which the step begins.
    var offset: Int
    var forward: Bool
    var number: Int
}
