/// A parsed file: its tree, its text, and the duplicate keys of its objects.
struct JSONDocument: Sendable {
    var root: JSONNode
    var source: SourceText
    var duplicateKeys: [DuplicateKey]

    struct DuplicateKey: Sendable {
        var mistake: JSONMistake
        /// In the JSON that a request sends, which may say what it likes.
        var isInBody: Bool
    }
}
