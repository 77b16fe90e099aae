import OmbiTerminal

/// The rows of a tab. The lines of a body, which may be many, become rows when they are read.
struct PaneRows: RandomAccessCollection {
    /// The rows before the lines of the body.
    let head: [FormRow]
    private let body: TextBuffer?

    init(_ head: [FormRow], body: TextBuffer? = nil) {
        self.head = head
        self.body = body
    }

    var startIndex: Int { 0 }
    var endIndex: Int { head.count + (body?.lineCount ?? 0) }

    subscript(position: Int) -> FormRow {
        if position < head.count { return head[position] }
        let line = position - head.count
        return FormRow(kind: .bodyLine(line), value: body.map { $0.text($0.range(ofLine: line)) } ?? "")
    }
}
