/// JSON as text that stays the same while its values do: for files that are compared and merged line by line.
public enum JSONNormalization {
    /// The maximum levels of containers. The text of deeper ones would be mostly indentation.
    static let maximumDepth = 200

    /// Returns a document with the members of each object sorted by their keys, in the layout of a file.
    /// - Parameters:
    ///   - paths: those whose values are replaced by the placeholder.
    ///   - placeholder: the same for every value.
    /// - Returns: nil for a document with an error or with several roots, and for one that is nested too deeply.
    public static func text(
        of document: JSONDocument, replacing paths: [JSONPath] = [], by placeholder: String = ""
    ) -> String? {
        guard document.error == nil, document.rootCount == 1, let root = document.firstRoot,
            let replaced = JSONIgnored(paths, in: document, isCancelled: { false })
        else { return nil }
        return value(at: root.index, of: document, replaced, .string(placeholder))?.text
    }

    /// Returns the value of an entry of the tape. It needs no recursion to read what a server has nested.
    private static func value(
        at start: Int, of document: JSONDocument, _ replaced: JSONIgnored, _ placeholder: JSONValue
    ) -> JSONValue? {
        var open: [(members: [JSONValue.Member], elements: [JSONValue])] = []
        var index = start
        while true {
            let finished: JSONValue
            if document.isEnd(index) {
                guard let content = open.popLast() else { return nil }
                index = Int(document.link(index))
                finished = document.isArray(index) ? .array(content.elements) : .object(sorted(content.members))
            } else if replaced[index] {
                finished = placeholder
            } else if document.isScalar(index) {
                finished = document.value(of: JSONNode(index))
            } else {
                guard open.count < maximumDepth else { return nil }
                open.append(([], []))
                index += 1
                continue
            }
            guard let last = open.indices.last else { return finished }
            if let key = document.key(of: JSONNode(index)) {
                open[last].members.append(JSONValue.Member(key.string, finished))
            } else {
                open[last].elements.append(finished)
            }
            index = document.after(index)
        }
    }

    /// By the bytes of the keys; those of one name keep their order.
    private static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        members.enumerated().sorted { one, other in
            let (left, right) = (one.element.key.utf8, other.element.key.utf8)
            return left.elementsEqual(right) ? one.offset < other.offset : left.lexicographicallyPrecedes(right)
        }.map(\.element)
    }
}
