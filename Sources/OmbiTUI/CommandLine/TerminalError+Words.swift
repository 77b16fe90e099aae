import OmbiTerminal

extension TerminalError {
    private static let without = "`ombi run` works without a terminal."

    /// The reason, and what to do instead.
    var words: String {
        switch self {
        case .inputIsNotATerminal:
            "Standard input is not a terminal, so there are no keys to read. Start ombi without `<` or a pipe before "
                + "it; " + Self.without
        case .outputIsNotATerminal:
            "Standard output is not a terminal, so there is nothing to draw on. Start ombi without `>` or a pipe after "
                + "it; " + Self.without
        case .noName:
            "TERM is not set, so the type of this terminal is unknown. Set it, for example "
                + "`TERM=xterm-256color ombi`; " + Self.without
        case .unknown(let name):
            "This system has no description of the terminal \"\(name)\" (TERM). Install it (Debian: package "
                + "ncurses-term) or use a similar one, for example `TERM=xterm-256color ombi`; " + Self.without
        case .cannotMoveCursor(let name):
            "The terminal \"\(name)\" (TERM) cannot move its cursor, so panes are impossible. If it can, set the right "
                + "name, for example `TERM=xterm-256color ombi`; " + Self.without
        case .system(let step, let code):
            "Could not \(step) (system error \(code)). " + Self.without
        }
    }
}
