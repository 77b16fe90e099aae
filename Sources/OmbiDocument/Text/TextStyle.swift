/// What a piece of text is, for whoever gives it a colour.
public enum TextStyle: UInt8, Sendable, Equatable, CaseIterable {
    case plain
    /// The name of a value: a key, a column, an attribute.
    case key
    case string
    case number
    /// `true`, `false`, `null` and their like.
    case literal
    case punctuation
    case tag
    case comment
    case heading
    case emphasis
    case code
    case link
    /// What is only in the newer, or the older, of two texts.
    case added, removed
    /// A stand-in for a control character or another one that must not be drawn.
    case control
    /// A stand-in for bytes that are no text.
    case invalid
}
