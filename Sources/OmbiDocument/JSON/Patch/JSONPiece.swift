/// The text of an element or member, between two separators.
struct JSONPiece {
    let node: JSONNode
    /// The white space before it.
    let lead: ByteRange
    /// The value, and its key if it has one.
    let body: ByteRange
    /// The white space after it.
    let tail: ByteRange
}

extension JSONDocument {
    /// Returns the elements or members of a complete container, in order.
    func pieces(of container: JSONNode) -> [JSONPiece] {
        var leadStart = range(of: container).lowerBound + 1
        return children(of: container).map { node in
            let body = start(node.index)..<range(of: node).upperBound
            var end = body.upperBound
            while JSONScanner.isWhitespace(bytes[end]) { end += 1 }
            defer { leadStart = end + 1 }
            return JSONPiece(node: node, lead: leadStart..<body.lowerBound, body: body, tail: body.upperBound..<end)
        }
    }
}
