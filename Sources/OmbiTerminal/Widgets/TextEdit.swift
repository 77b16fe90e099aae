/// A change of a text under edit, or of the cursor in it.
package enum TextEdit: Equatable, Sendable {
    case insert(String)
    case newline
    case deleteBackward
    case deleteForward
    case deleteWordBackward
    case deleteToStart
    case deleteToEnd
    case left, right, wordLeft, wordRight
    case up, down, pageUp, pageDown
    case start, end
}
