import OmbiDocument
import OmbiTerminal

/// The fields of a form, one per row.
struct FormRows: NumberedRows {
    let bytes: Bytes
    let fields: [FormField]

    var isEmpty: Bool { fields.isEmpty }
    var lastNumber: Int { max(0, fields.count - 1) }
    var labelColumns: Int { 0 }

    func label(at position: Int) -> String? { nil }

    func spans(at position: Int, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        guard fields.indices.contains(position) else { return [] }
        let field = fields[position]
        let isMatch = !(finder?.marks(in: bytes, range(at: position)) ?? []).isEmpty
        let name = FormField.text(field.name, in: bytes, limit: 4096)
        let value = FormField.text(field.value, in: bytes, limit: 1 << 16)
        let pieces: [(String, TextStyle, Bool)] = [
            (name, .key, false), (" = ", .punctuation, false), (value, .string, isMatch),
        ]
        return pieces.map { text, style, isMatch in
            TextSpan(
                text: text, style: style, isMatch: isMatch, range: range(at: position), columns: TextWidth.of(text))
        }.dropping(columns: skipping)
    }

    func range(at position: Int) -> ByteRange {
        guard fields.indices.contains(position) else { return 0..<0 }
        return fields[position].name
            .lowerBound..<max(fields[position].name.upperBound, fields[position].value.upperBound)
    }

    func number(ofByte offset: Int) -> Int {
        fields.lastIndex { $0.name.lowerBound <= offset } ?? 0
    }

    func path(at position: Int) -> String? { "field \(position + 1) of \(fields.count)" }
}
