import CNcurses

/// The entry of a terminal in the terminfo database.
package struct TerminalDescription: Equatable, Sendable {
    /// 0 for none.
    package var colors: Int

    /// Nil for a name that is not in the database. Not beside an open screen: ncurses has one current terminal.
    package init?(name: String) {
        guard !name.isEmpty else { return nil }
        let colors = ombi_described_colors(name)
        guard colors >= 0 else { return nil }
        self.colors = Int(colors)
    }
}
