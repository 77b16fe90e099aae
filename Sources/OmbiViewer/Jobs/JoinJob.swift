import OmbiDocument

/// The values that a JSONPath selects, as one running text: strings as they read, other values as they were sent.
enum JoinJob {
    /// The rest of a longer text is left out.
    private static let maximumBytes = 64 << 20

    /// - Returns: nil when it was cancelled.
    /// - Throws: the error in the path.
    static func text(_ path: String, _ tree: JSONTree, _ flag: CancelFlag) throws(JSONPathError) -> BodyDocument? {
        let selection = JSONSelection(try JSONPath(path), in: tree) { flag.isCancelled }
        var bytes: [UInt8] = []
        for node in selection {
            if let text = tree.document.text(of: node) {
                bytes += Array(text.string.utf8)
            } else if !isNull(tree.document, node) {
                bytes += tree.document.bytes(in: tree.document.range(of: node))
            }
            if bytes.count > maximumBytes || flag.isCancelled { break }
        }
        return flag.isCancelled ? nil : BodyDocument(plain: Bytes(bytes))
    }

    /// A piece of a text that is null is one without text.
    private static func isNull(_ document: JSONDocument, _ node: JSONNode) -> Bool {
        document.bytes(in: document.range(of: node)).elementsEqual("null".utf8)
    }
}
