/// A parsed file: its tree, its text, and the duplicate keys of its objects.
struct JSONDocument: Sendable {
    var root: JSONNode
    var source: SourceText
    var duplicateKeys: [JSONMistake]
}
