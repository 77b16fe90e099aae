import OmbiDocument

/// A body and its name in a comparison.
package struct NamedBody: Equatable, Sendable {
    package var name: String
    var document: BodyDocument

    package init(name: String, document: BodyDocument) {
        self.name = name
        self.document = document
    }
}

/// The differences between two bodies: as a text for the viewer and for pipes, and as a short summary.
package struct BodyComparison: Equatable, Sendable {
    /// Nil when nothing differs.
    package var text: BodyDocument?
    /// The offset of each difference in the text; none where the bodies were compared by their bytes.
    package var positions: [Int] = []
    /// The number of differences, the first byte that differs, or the way in which both are the same.
    package var summary: String
    /// The reason why the bodies were compared by their bytes or lines only.
    package var note: String?

    /// Compares JSON by its values, other text by its lines, and everything else by its bytes.
    /// - Parameters:
    ///   - ignored: the paths whose values are passed over in JSON.
    ///   - context: the number of lines shown around a difference.
    /// - Returns: nil when it was cancelled.
    package init?(
        from old: NamedBody, to new: NamedBody, ignoring ignored: [JSONPath] = [], context: Int = 3,
        isCancelled: () -> Bool = { false }
    ) {
        var text = DiffText(old: old.name, new: new.name, context: context)
        let (before, after) = (old.document.byItself, new.document.byItself)
        if before.raw.isSame(as: after.raw) {
            summary = "the same, byte for byte"
        } else if let left = before.wholeJSON, let right = after.wholeJSON {
            guard text.add(from: left, to: right, ignoring: ignored, isCancelled: isCancelled) else { return nil }
            summary = text.isSame ? "the same: no value differs" : Self.count(text)
        } else if before.isLines, after.isLines {
            guard text.add(from: before.text, to: after.text, isCancelled: isCancelled) else { return nil }
            summary = text.isSame ? "the same: no line differs" : Self.count(text)
            note = Self.note(old, new)
        } else {
            let place = text.addBytes(from: before.raw, to: after.raw) ?? 0
            summary = "byte \(place) is the first that differs"
        }
        positions = text.positions
        if !text.isSame { self.text = BodyDocument(text, note: note) }
    }

    private static func count(_ text: DiffText) -> String {
        "\(text.isCut ? "the first " : "")\(text.count) \(text.count == 1 ? "difference" : "differences")"
    }

    /// The reason why a body that should be JSON is not compared as such.
    private static func note(_ old: NamedBody, _ new: NamedBody) -> String? {
        let other = [old, new].filter { $0.document.json == nil }
        if let body = other.first(where: { $0.document.isOverLimit }) {
            return "compared by lines: \(body.name) is \(body.document.note ?? "too large")"
        }
        if other.count == 1 {
            return "compared by lines: \(other[0].name) is \(other[0].document.kind.name), and the other JSON"
        }
        for body in [old, new] {
            guard let error = body.document.json?.error else { continue }
            return "compared by lines: \(body.name) is not valid JSON: \(error)"
        }
        return nil
    }
}

extension BodyDocument {
    /// The values that a filter selected as a body of their own, one per line.
    fileprivate var byItself: BodyDocument {
        guard isFiltered else { return self }
        return BodyDocument(Bytes(BodyWriter(self, .raw).all), contentType: "application/x-ndjson")
    }

    fileprivate var wholeJSON: JSONTree? {
        guard case .json(let tree) = shape, isComplete, tree.document.error == nil else { return nil }
        return tree
    }

    /// True for content with lines to compare.
    fileprivate var isLines: Bool { kind.isText || kind == .empty }

    fileprivate init(_ diff: DiffText, note: String?) {
        let bytes = Bytes(diff.bytes)
        self.init(
            kind: .text, raw: bytes, text: bytes, lines: LineIndex(bytes), shape: .text(.diff), note: note,
            isComplete: true)
    }
}
