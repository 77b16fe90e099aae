/// The terminal descriptions to use for a `TERM`.
enum TerminalName {
    /// Newer terminals whose own descriptions are often missing on a remote machine; they all understand xterm's.
    private static let likeXterm = ["kitty", "foot", "ghostty", "alacritty", "wezterm"]

    /// The names to try, best first.
    static func candidates(for name: String) -> [String] {
        // `xterm-kitty`, `foot-extra`: a part of the name. Parts are compared rather than searched for, which would load the
        // search of strings before the first frame.
        let parts = name.lowercased().split { !$0.isLetter }
        return parts.contains { likeXterm.contains(String($0)) } ? [name, "xterm-256color"] : [name]
    }
}
