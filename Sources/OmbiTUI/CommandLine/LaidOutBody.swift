/// The body of a response for people: JSON as the viewer lays it out, other text as it reads.
struct LaidOutBody {
    /// The width that indentation is measured by: deeper than 200 levels, a row names its depth.
    private static let columns = 800
    /// No row is cut.
    private static let maximumColumns = 1 << 30
    /// Bytes that share a write.
    private static let portion = 1 << 16

    private let document: BodyDocument
    private let painter: TextPainter?

    /// - Parameter painter: nil for no colours.
    init(_ bytes: [UInt8], contentType: String?, painter: TextPainter?) {
        document = BodyDocument(Bytes(bytes), contentType: contentType)
        self.painter = painter
    }

    /// Prints the body on a terminal; of one that is no text a sentence on standard error.
    func print() {
        guard document.kind != .empty else { return }
        guard document.kind.isText else {
            let size = TimeText.size(document.raw.count)
            return StandardError.print("\(document.kind.name), \(size): not printed; > FILE writes it to a file")
        }
        var pending = ""
        let isJSON = writeRows { row in
            pending += row + "\n"
            guard pending.utf8.count >= Self.portion else { return true }
            ResultOutput.standard.write(safe: pending)
            pending = ""
            return !ResultOutput.standard.isClosed
        }
        guard !isJSON else { return ResultOutput.standard.write(safe: pending) }
        var writer = BodyWriter(document, .formatted)
        // In one portion, as no character may be split: UTF-8 takes at most twice the bytes of another encoding.
        StandardOutput.write(body: writer.next(2 * document.raw.count + 1) ?? [])
    }

    /// Calls `write` with each row of valid JSON, safe for a terminal, until that returns false.
    /// - Returns: false for any other body, which has no rows.
    func writeRows(_ write: (String) -> Bool) -> Bool {
        guard case .json(var tree) = document.shape, tree.document.error == nil else { return false }
        tree.columns = Self.columns
        var next = tree.first
        while let row = next {
            // Notes of the viewer, such as that of a key that occurs twice, are no part of the body.
            let spans = tree.spans(of: row, columns: Self.maximumColumns).filter { $0.style != .emphasis }
            let pieces = spans.map { (text: $0.text, style: Style($0.style.role)) }
            guard write(painter?.text(pieces) ?? pieces.map { $0.text }.joined()) else { break }
            next = tree.row(after: row)
        }
        return true
    }
}

/// The status and the headers of a response for people.
enum ResponseHeadText {
    /// `HTTP/1.1 200 OK  12 ms  1.2 kB`, and a line for each header. Empty without a response.
    static func text(_ result: SessionResult, isColored: Bool) -> String {
        guard let response = result.receivedResponse else { return "" }
        let version = result.report?.attempts.last?.metrics.protocolName
        let status = response.statusCode.map(StatusCode.words)
        let first = [version, status].compactMap { $0 }.joined(separator: " ")
        let time = result.report.map { TimeText.duration($0.duration) }
        let attempts = result.attemptsOfPage > 1 ? "\(result.attemptsOfPage) attempts" : nil
        let rest = [time, TimeText.size(response.body?.count ?? 0), attempts].compactMap { $0 }
        let color: Paint = result.passed ? .green : .red
        let line = SafeText.line(first)
        let fields = (response.headers?.fields ?? []).map { SafeText.line("\($0.key.name): \($0.value.text)") }
        let head = ([isColored ? color.text(line) : line] + rest).joined(separator: "  ")
        return ([head] + fields).joined(separator: "\n") + "\n"
    }
}
