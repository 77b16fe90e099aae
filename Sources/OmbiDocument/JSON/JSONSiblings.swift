/// Consecutive values of the same container, or roots. Nothing is materialized.
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
