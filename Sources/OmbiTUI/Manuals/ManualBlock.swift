/// A part of a manual page as a value: `Mdoc` writes it for `man`, `ManualLayout` for a terminal, `CommandsPage` for the
/// manual in the explorer.
enum ManualBlock: Equatable, Sendable {
    /// An argument in a synopsis.
    struct Usage: Equatable, Sendable {
        let words: [ManualWord]
        let isOptional: Bool
    }

    /// A term of a list, with its text.
    struct Item: Equatable, Sendable {
        let term: [ManualWord]
        let text: String
        /// A name in parentheses after the text, such as that of an action in settings.
        var name: String?
    }

    /// The heading of a section, in capital letters.
    case section(String)
    /// A heading below that of a section, with a name in parentheses.
    case subsection(String, name: String?)
    /// A command with its arguments.
    case usage(String, [Usage])
    case text(String)
    /// A text after an empty line.
    case paragraph(String)
    case list([Item])
}
