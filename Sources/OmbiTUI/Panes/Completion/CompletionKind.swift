/// The texts that complete a field, besides the names of templates, which complete any.
enum CompletionKind: Equatable, Sendable {
    case none
    case headerName
    case headerValue(of: String)
    /// A path whose segments may be parameters.
    case path
    /// The path of a file behind a text; any other text is completed by nothing.
    case file(after: String)
    /// A source of a secret, which may be a file.
    case secretSource
}
