import OmbiDocument

/// A credential that stands in a file as it is, where a template could stand.
public struct PlainSecret: Equatable, Sendable {
    /// "a GitHub token", for messages.
    public var kind: String
    /// The name of a variable for it.
    public var name: String
    public var position: TextPosition
    /// The name of the text's member, or of its row: `Authorization`.
    public var place: String
    /// The string of the file with its quotes.
    var range: Range<Int>
    /// The text of the string; never shown.
    var text: String
    /// The secret in the text.
    var part: Range<String.Index>
    /// Never shown.
    var value: String { String(text[part]) }

    /// The secret of the local file that takes its place.
    public var moved: Secret { Secret(name, .value(value)) }
}

extension PlainSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { kind }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
