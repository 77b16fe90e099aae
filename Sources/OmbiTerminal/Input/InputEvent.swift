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
