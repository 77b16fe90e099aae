/// What a row is about, to be copied or saved.
extension JSONTree {
    /// The value as it was sent.
    public func source(of row: JSONRow) -> Bytes? {
        row.node.flatMap { document.contains($0) ? document.bytes[document.range(of: $0)] : nil }
    }

    /// The key of a member, and what a string says, without quotes and escapes.
    public func key(of row: JSONRow) -> String? { row.node.flatMap(document.key)?.string }
    public func text(of row: JSONRow) -> String? { row.node.flatMap(document.text)?.string }

    /// Writes the value of a row.
    public func writer(of row: JSONRow, form: JSONWriter.Form) -> JSONWriter {
        JSONWriter(document, nodes: row.node.map { [$0] } ?? [], form: form)
    }

    /// Writes all that is shown, whether it is folded or not: the document, or the matches.
    public func writer(form: JSONWriter.Form) -> JSONWriter {
        JSONWriter(document, tops, form: form)
    }
}

/// Several rows.
extension JSONTree {
    /// The rows from one through another as they are laid out, a line each: indented from the outermost on, strings and
    /// numbers whole and as they were sent, what is folded written out.
    public func source(from first: JSONRow, through last: JSONRow) -> [UInt8] {
        var outermost = first.isBehind ? 0 : first.depth
        each(from: first, through: last) { outermost = min(outermost, $0.isBehind ? 0 : $0.depth) }
        var output: [UInt8] = []
        each(from: first, through: last) { row in
            // A long string that is opened was written with the row that it begins in.
            guard row.part != .piece || row == first else { return }
            append(row, indentation: 2 * min(row.depth - outermost, JSONWriter.mostIndented), to: &output)
        }
        return output
    }

    private func each(from first: JSONRow, through last: JSONRow, _ body: (JSONRow) -> Void) {
        var next: JSONRow? = first
        while let row = next, row <= last {
            body(row)
            next = self.row(after: row)
        }
    }

    private func append(_ row: JSONRow, indentation: Int, to output: inout [UInt8]) {
        let blanks = [UInt8](repeating: 0x20, count: max(0, indentation))
        switch row.part {
        case .error: return
        case .raw: output += rest.map { document.bytes.array($0.range(of: row)) } ?? []
        case .end: output += blanks + [document.bytes[document.offset(row.index)]]
        case .value, .piece:
            guard let node = row.node, document.contains(node) else { return }
            output += blanks
            if let key = document.keyBytes(of: node) { output += document.bytes(in: key) + [0x3A, 0x20] }
            if document.isSpread(row.index), !isFolded(row) {
                output.append(document.bytes[document.offset(row.index)])
            } else {
                var writer = JSONWriter(document, nodes: [node], form: .formatted)
                while let portion = writer.next() {
                    // There are line breaks between values only.
                    for byte in portion { if byte == 0x0A { output += [byte] + blanks } else { output.append(byte) } }
                }
            }
        }
        if let node = row.node, isWhole(row), hasComma(after: node.index, depth: row.depth) { output.append(0x2C) }
        output.append(0x0A)
    }

    /// Whether the value of a row ends in it.
    private func isWhole(_ row: JSONRow) -> Bool {
        row.part == .end || !document.isSpread(row.index) || isFolded(row)
    }
}
