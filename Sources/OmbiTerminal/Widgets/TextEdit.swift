/// A change of a text under edit, of the cursor in it, or of its selection.
package enum TextEdit: Equatable, Sendable {
    case insert(String)
    /// Breaks the line and indents the new one as the text suggests.
    case newline
    /// Indents the selected lines, or inserts an indent at the cursor.
    case indent, outdent
    case deleteBackward, deleteForward
    case deleteWordBackward, deleteWordForward
    case deleteToStart, deleteToEnd
    /// Moves the cursor and clears the selection.
    case move(TextMove)
    /// Moves the cursor and extends the selection.
    case select(TextMove)
    case selectAll
    /// Sets or clears the mark: while it is set, moves extend the selection.
    case mark
    /// The selection, or the line of the cursor where nothing is selected.
    case cut, copy, duplicate
    case paste
    case moveLinesUp, moveLinesDown
    case undo, redo
}

/// A step of the cursor through a text.
package enum TextMove: Equatable, Sendable {
    case left, right, wordLeft, wordRight
    case up, down, pageUp, pageDown
    /// The ends of the line.
    case start, end
    case paragraphUp, paragraphDown
    case textStart, textEnd
    /// The partner of the bracket at the cursor.
    case bracket
}
