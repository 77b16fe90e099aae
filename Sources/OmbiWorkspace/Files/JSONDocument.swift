/// A parsed file: its tree, its text, and the keys that an object gives twice.
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
