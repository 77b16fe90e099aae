import OmbiTerminal

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

/// A user action on a body.
package enum ViewerAction: Equatable, Sendable {
    case find
    case findNext
    case findPrevious
    case filter
    case shell
    /// Joins the values of a JSONPath to a running text.
    case join
    case toggleFollowing
    case mark
    case compare
    case goTo
    case save
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
