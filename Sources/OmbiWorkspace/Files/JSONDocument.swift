/// A parsed file: its tree, its text, and the keys that an object gives twice.
struct JSONDocument: Sendable {
    var root: JSONNode
    var source: SourceText
    var duplicateKeys: [JSONMistake]
}
