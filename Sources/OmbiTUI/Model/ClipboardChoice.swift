/// The setting of the way to the clipboard.
enum ClipboardChoice: String, CaseIterable, Equatable, Sendable {
    /// A program of the system where it can confirm the copy, else the terminal, else a file.
    case auto
    /// The terminal (OSC 52).
    case osc52
    /// A program of the system: wl-copy, xclip, xsel or pbcopy; tmux in tmux.
    case command
    case file
}
