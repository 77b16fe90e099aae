extension JSONDocument {
    /// Appends a value as sent, on one line: a container that spans several lines loses the white space between its
    /// tokens. Nothing else changes; strings have no line breaks in them.
    public func appendLine(of node: JSONNode, to result: inout [UInt8]) {
        let source = bytes(in: range(of: node))
        guard let first = source.first, JSONKind(firstByte: first).isContainer, Self.hasLineBreak(source) else {
            return result.append(contentsOf: source)
        }
        var next = 0
        while next < source.count {
            let start = next
            if source[next] == 0x22 {
                next = Self.end(ofString: source, from: next)
            } else {
                while next < source.count, source[next] > 0x20, source[next] != 0x22 { next += 1 }
            }
            result.append(contentsOf: source[start..<next])
            while next < source.count, source[next] <= 0x20 { next += 1 }
        }
    }

    /// Returns true for a container that spans several lines as sent.
    func hasLineBreak(in node: JSONNode) -> Bool {
        !isScalar(node.index) && Self.hasLineBreak(bytes(in: range(of: node)))
    }

    private static func hasLineBreak(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = source.baseAddress else { return false }
        var next = 0
        while next + ByteBlock.size <= source.count {
            if ByteBlock(at: base + next).hasLineBreak { return true }
            next += ByteBlock.size
        }
        return source[next...].contains { $0 == 0x0A || $0 == 0x0D }
    }

    private static func end(ofString source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var next = start + 1
        while next < source.count, source[next] != 0x22 { next += source[next] == 0x5C ? 2 : 1 }
        return min(next + 1, source.count)
    }
}
