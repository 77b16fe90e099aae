/// The role of a piece of text, which decides its color.
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
    /// Only in the newer, or only in the older, of two texts.
    case added, removed
    /// A replacement for a control character or another one that must not be drawn.
    case control
    /// A replacement for bytes that are not text.
    case invalid
}
