/// A word of a manual page with its meaning, which decides how it is emphasized.
enum ManualWord: Equatable, Sendable {
    /// An option, with its hyphens.
    case flag(String)
    /// The name of a value.
    case argument(String)
    /// A name in a file, such as a key of JSON.
    case name(String)
    /// A key of the keyboard.
    case key(String)
    case page(ManualPage.Name)
    case plain(String)
    /// A text in parentheses.
    case note(String)
    case comma
    /// The mark of an argument that may be repeated.
    case dots

    /// The word as it shows, without emphasis.
    var text: String {
        switch self {
        case .flag(let text), .argument(let text), .name(let text), .key(let text), .plain(let text): text
        case .page(let name): "\(name.title)(\(name.section))"
        case .note(let text): "(\(text))"
        case .comma: ","
        case .dots: "..."
        }
    }

    /// True for words that are typed as they are.
    var isLiteral: Bool {
        switch self {
        case .flag, .name, .key, .page: true
        case .argument, .plain, .note, .comma, .dots: false
        }
    }
}
