/// The reason why the terminal cannot be drawn on.
package enum TerminalError: Error, Equatable {
    case inputIsNotATerminal
    case outputIsNotATerminal
    case noName
    case unknown(name: String)
    case cannotMoveCursor(name: String)
    case system(step: String, code: Int32)
}
