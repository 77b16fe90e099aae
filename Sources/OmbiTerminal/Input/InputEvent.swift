/// An event from the terminal.
package enum InputEvent: Equatable, Sendable {
    case key(Key)
    case mouse(Mouse)
    /// Text pasted in one piece, with line feeds between its lines. It is made safe only when it is drawn.
    case paste(String)
    /// The terminal's window gained the focus, or lost it.
    case focus(Bool)
    /// The terminal reported the background of its window.
    case background(Background)
    /// The terminal replied to a status request: it has taken all output before it.
    case status
    /// The terminal has margins at the left and the right.
    case margins
    /// There will be no more input: the terminal is gone.
    case end
}

/// A mouse event, and the cell under the pointer.
package struct Mouse: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case press, release, drag, wheelUp, wheelDown, wheelLeft, wheelRight
    }

    package enum Button: Equatable, Sendable {
        case left, middle, right, other
        /// A wheel, or a release in an old protocol that does not name the button.
        case none
    }

    package var kind: Kind
    package var button: Button
    package var position: Point
    package var modifiers: Key.Modifiers

    package init(_ kind: Kind, button: Button = .none, position: Point, modifiers: Key.Modifiers = []) {
        self.kind = kind
        self.button = button
        self.position = position
        self.modifiers = modifiers
    }
}
