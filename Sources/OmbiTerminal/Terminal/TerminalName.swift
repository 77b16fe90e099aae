/// The terminal descriptions to use for a `TERM`.
enum TerminalName {
    /// Newer terminals whose own descriptions are often missing on a remote machine; they all understand xterm's.
    private static let likeXterm = ["kitty", "foot", "ghostty", "alacritty", "wezterm"]

    /// The names to try, best first.
    static func candidates(for name: String) -> [String] {
        let lowered = name.lowercased()
        return likeXterm.contains { lowered.contains($0) } ? [name, "xterm-256color"] : [name]
    }
}
