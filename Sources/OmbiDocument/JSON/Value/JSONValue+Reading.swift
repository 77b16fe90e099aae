extension JSONValue {
    /// Parses a text. Both members of a duplicate key are kept.
    /// - Parameter onDuplicate: called for each duplicate key.
    public static func parse(
        _ text: String, onDuplicate: (JSONSyntaxError) -> Void = { _ in }
    ) throws(JSONSyntaxError) -> JSONValue {
        let document = try JSONDocument(checking: Bytes(text.utf8))
        document.duplicateKeys.forEach { onDuplicate($0.error) }
        return document.firstRoot.map(document.value) ?? .null
    }
}

extension JSONDocument {
    /// Returns the value at `node`, which is complete.
    package func value(of node: JSONNode) -> JSONValue {
        var open: [(members: [JSONValue.Member], elements: [JSONValue])] = []
        var index = node.index
        while true {
            var finished: JSONValue
            if isEnd(index) {
                guard let content = open.popLast() else { return .null }
                index = Int(link(index))
                finished = firstByte(index) == UInt8(ascii: "{") ? .object(content.members) : .array(content.elements)
            } else if isScalar(index) {
                finished = scalar(index)
            } else {
                open.append(([], []))
                index += 1
                continue
            }
            guard !open.isEmpty else { return finished }
            let key = key(of: JSONNode(index))
            if let key { open[open.count - 1].members.append(JSONValue.Member(key.string, finished)) }
            if key == nil { open[open.count - 1].elements.append(finished) }
            index = after(index)
        }
    }

    private func scalar(_ index: Int) -> JSONValue {
        let node = JSONNode(index)
        return switch kind(of: node) {
        case .true: .bool(true)
        case .false: .bool(false)
        case .number: .number(source(of: node))
        case .string: .string(text(of: node)?.string ?? "")
        case .null, .array, .object: .null
        }
    }
}
