/// The texts that complete a field, besides the names of templates, which complete any.
enum CompletionKind: Equatable, Sendable {
    case none
    case headerName
    case headerValue(of: String)
    /// A path whose segments may be parameters.
    case path
    /// A source of a secret, which may be a file.
    case secretSource
}
