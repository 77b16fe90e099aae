import CNcurses

/// The entry of a terminal in the terminfo database.
package struct TerminalDescription: Equatable, Sendable {
    /// 0 for none.
    package var colors: Int
    /// False for a terminal that no screen can be drawn on.
    package var movesCursor: Bool

    /// Nil for a name that is not in the database. Not beside an open screen: ncurses has one current terminal.
    package init?(name: String) {
        guard !name.isEmpty, ombi_use_terminal(name) else { return nil }
        colors = Int(ombi_number("colors"))
        movesCursor = ombi_capability("cup") != nil
    }
}
