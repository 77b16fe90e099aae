/// Values that follow one another in the same container, or in none. Nothing is materialised.
public struct JSONSiblings: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int?

    init(document: JSONDocument, first: JSONNode?) {
        self.document = document
        upcoming = first?.index
    }

    public mutating func next() -> JSONNode? {
        guard let index = upcoming else { return nil }
        upcoming = document.value(document.after(index))
        return JSONNode(index)
    }
}
