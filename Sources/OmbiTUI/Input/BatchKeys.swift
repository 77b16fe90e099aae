import OmbiTerminal

extension Keymap {
    /// The keys of the table of a folder's run, and of its filter.
    static let batch =
        [
            Binding(.enter, does: .accept, in: .batch, "Go to the request and its response", footer: "open"),
            Binding("o", does: .batch(.goTo), in: .batch, "Open the request; Enter shows what differs in a replay"),
            Binding("x", does: .run(.cancel), in: .batch, "Cancel the request", footer: "cancel"),
            Binding(.control("x"), does: .batch(.cancelAll), in: .batch, "Cancel all requests", footer: "all"),
            Binding(
                "r", does: .run(.retryNow), in: .batch, "Retry now: end the wait or the attempt", footer: "retry now"),
            Binding("+", does: .run(.addAttempt), in: .batch, "Allow one more attempt", footer: "attempt"),
            Binding(
                "f", does: .batch(.runFailed), in: .batch, "Run again what failed or was cancelled",
                footer: "run failed"),
            Binding("s", .function(5), does: .run(.send), in: .batch, "Send all of it again", footer: "run again"),
            Binding(":", .control("p"), does: .app(.palette), in: .batch, "Find a command"),
            Binding(.control("l"), does: .app(.redraw), in: .batch, "Redraw the screen"),
            Binding(.control("z"), does: .app(.suspend), in: .batch, "Suspend Ombi (fg resumes it)"),
            Binding("L", does: .app(.log), in: .batch, "Show the message log"),
            Binding(.function(1), does: .app(.manual), in: .batch, "Open the manual"),
            Binding(
                "/", does: .view(.find), in: .batch, "Filter by name, folder, method, path or result",
                footer: "filter"),
            Binding("?", does: .app(.help), in: .batch, "Show this help", footer: "help"),
            Binding(
                .escape, "q", "T", does: .leave, in: .batch, "End the filter, or close the table: its requests go on",
                footer: "close"),
            Binding(
                .control("c"), does: .app(.interrupt), in: .batch, "Cancel all requests; close the table if none runs"),
            Binding(.enter, does: .accept, in: .filtering, "Keep the filter", footer: "keep"),
            Binding(.escape, .control("c"), does: .leave, in: .filtering, "Show all rows", footer: "all rows"),
            Binding(.up, does: .move(.up), in: .filtering, "Move up"),
            Binding(.down, does: .move(.down), in: .filtering, "Move down"),
            Binding(.pageUp, does: .move(.pageUp), in: .filtering, "Move a page up"),
            Binding(.pageDown, does: .move(.pageDown), in: .filtering, "Move a page down"),
        ] + inLine(.filtering)
}
