/// A text with `{{names}}` in it, split into parts.
///
/// `{{name}}` stands for a variable or a secret, `{{$name}}` for a function. `\{{` is the two braces themselves; to put
/// a backslash before a template, double it. There is deliberately no `{{$env.NAME}}`: whatever is taken from the
/// process environment is named under `secrets` of an environment, and so is masked wherever it would be shown.
public struct Template: Sendable, Equatable {
    public enum Part: Sendable, Equatable {
        case text(String)
        /// A name without its braces, and the column of the braces in the text (1-based, in characters).
        case name(String, column: Int)
    }

    public var parts: [Part]

    /// Throws when braces are not closed or hold no name.
    public init(_ text: String) throws(TemplateError) {
        var scanner = TemplateScanner(text)
        parts = try scanner.parts()
    }

    /// The names that the text refers to, in order.
    public var names: [String] {
        parts.compactMap { if case .name(let name, _) = $0 { name } else { nil } }
    }
}
