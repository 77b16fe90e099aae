/// The parts of the table inside its frame.
struct BatchLayout: Equatable {
    let summary: Rect
    /// The names of the columns; nil where rows are scarce.
    let heading: Rect?
    let list: Rect
    /// The lines that say more about the row under the cursor, or the filter.
    let detail: Rect

    private static let headingRows = 9
    private static let roomyRows = 12

    init(_ inside: Rect) {
        var rest = inside
        summary = rest.takeTop(1)
        detail = rest.takeBottom(inside.rows >= Self.roomyRows ? 2 : 1)
        heading = inside.rows >= Self.headingRows ? rest.takeTop(1) : nil
        list = rest
    }
}

/// The widths of the columns, each with the space before it; 0 for those that find no room.
struct BatchColumns: Equatable {
    /// Of the mark and the method.
    static let start = 8
    let name: Int
    let folder: Int
    let result: Int
    let attempts: Int
    let time = 9
    let size: Int

    private static let minimumResult = 9
    private static let minimumName = 12
    /// For the sizes, which leave their room to the causes of failures below `minimumForAll`.
    private static let minimumForSize = 52
    /// For the attempts and the folder.
    private static let minimumForAll = 90

    private static let folderHeading = 6

    init(width: Int, _ batch: Batch) {
        attempts = width >= Self.minimumForAll ? 9 : 0
        let needsCauses = width < Self.minimumForAll && batch.counts.failed > 0 && batch.replay == nil
        size = width >= Self.minimumForSize && !needsCauses ? 9 : 0
        let numbers = attempts + time + size
        let names = max(0, width - Self.start - numbers)
        let showsFolder = width >= Self.minimumForAll && batch.parentsWidth > 0
        folder = showsFolder ? min(max(batch.parentsWidth, Self.folderHeading), names / 4) + 2 : 0
        let room = names - folder
        let widest = min(room / 2, room - Self.minimumResult)
        name = max(min(Self.minimumName, room), min(batch.nameWidth + 2, widest))
        result = room - name
    }

    /// True where only the status finds room.
    var isShort: Bool { result < 14 }
}

extension BatchPane {
    /// Draws the table in its frame, and returns the cursor's position while the filter is typed.
    func draw(_ batch: Batch, _ runs: Runs, now: Duration, on surface: inout Surface, in rect: Rect) -> Point? {
        drawFrame(batch, on: &surface, in: rect)
        let layout = BatchLayout(Self.inside(rect))
        let columns = BatchColumns(width: layout.list.columns, batch)
        var pen = Pen(layout.summary)
        let matching = filter == nil ? nil : shown
        let summary = batch.summary(
            now: now, matching: matching, signIns: runs.signInsOfBatch, columns: layout.summary.columns)
        pen.write(summary, on: &surface)
        if let heading = layout.heading { draw(columns, of: batch, on: &surface, in: heading) }
        for line in 0..<layout.list.rows {
            guard let index = row(at: position.offset + line) else { break }
            draw(
                batch.rows[index], isReplay: batch.replay != nil, runs, columns, now: now, on: &surface,
                in: layout.list.line(line))
            if position.offset + line == position.cursor {
                surface.restyle(layout.list.line(line), adding: .highlight)
            }
        }
        if isTyping, let filter {
            surface.write("/", at: layout.detail.origin, style: Style(.footerKey))
            return filter.draw(on: &surface, in: layout.detail.dropLeft(2))
        }
        draw(detail(batch, runs), on: &surface, in: layout.detail)
        return nil
    }

    /// Writes a text over the lines, all that is left of it into the last one.
    private func draw(_ text: Span, on surface: inout Surface, in rect: Rect) {
        let lines = WrappedText.lines(of: text.text, columns: rect.columns)
        for line in 0..<min(rect.rows, lines.count) {
            var pen = Pen(rect.line(line))
            let rest = line == rect.rows - 1 ? lines[line...].joined(separator: " ") : lines[line]
            pen.write(rest, Style(text.role), on: &surface)
        }
    }

    private func drawFrame(_ batch: Batch, on surface: inout Surface, in rect: Rect) {
        var frames = Frames(isWarning: batch.isProtected)
        frames.add(rect, isHeavy: true)
        frames.draw(on: &surface)
        var pen = Pen(rect.top(1).dropLeft(1).dropRight(2))
        pen.write(
            (batch.replay == nil ? " Run of " : " Replay of ") + batch.names.joined(separator: " › "), Style(.title),
            on: &surface)
        if let environment = batch.environment {
            let word = batch.isProtected ? " protected" : ""
            pen.write(" ─ ", Style(.dim), on: &surface)
            pen.write(environment + word, Style(batch.isProtected ? .production : .info), on: &surface)
        }
        if let replay = batch.replay {
            let baseline = replay.baseline == replay.environment ? "the run before" : replay.baseline ?? "the last run"
            pen.write(" compared with \(baseline)", Style(.dim), on: &surface)
        }
        pen.write(" ", on: &surface)
        guard shown > 0 else { return }
        let up = position.offset > 0 ? "↑ " : ""
        let down = position.offset + page < shown ? " ↓" : ""
        let place = " \(up)\(position.cursor + 1)/\(shown)\(down) "
        pen = Pen(rect.bottom(1).dropRight(2).right(TextWidth.of(place)))
        pen.write(place, Style(.dim), on: &surface)
    }

    private func draw(_ columns: BatchColumns, of batch: Batch, on surface: inout Surface, in line: Rect) {
        var pen = Pen(line)
        pen.skip(to: BatchColumns.start)
        pen.write("Request", Style(.dim), on: &surface)
        pen.skip(to: BatchColumns.start + columns.name)
        pen.write(columns.folder > 0 ? "Folder" : "", Style(.dim), on: &surface)
        pen.skip(to: BatchColumns.start + columns.name + columns.folder)
        pen.write("Result", Style(.dim), on: &surface)
        drawNumbers(
            ["Attempts", "Time", batch.replay == nil ? "Size" : "Changed"].map { Span(text: $0, role: .dim) }, columns,
            on: &surface, in: line)
    }

    /// Writes the attempts, the time and the size, each at the right of its column.
    private func drawNumbers(_ spans: [Span], _ columns: BatchColumns, on surface: inout Surface, in line: Rect) {
        var rest = line.right(columns.attempts + columns.time + columns.size)
        for (span, width) in zip(spans, [columns.attempts, columns.time, columns.size]) where width > 0 {
            var pen = Pen(rest.left(width).right(min(TextWidth.of(span.text), width - 1)))
            pen.write([span], on: &surface)
            rest = rest.dropLeft(width)
        }
    }

    // MARK: Rows

    private func draw(
        _ row: Batch.Row, isReplay: Bool, _ runs: Runs, _ columns: BatchColumns, now: Duration,
        on surface: inout Surface,
        in line: Rect
    ) {
        let isWaiting = row.state == .waiting
        var pen = Pen(line)
        if let mark = row.mark { pen.write(mark.glyph, Style(mark.role), on: &surface) }
        pen.skip(to: 2)
        pen.write(row.method.shortName, Style(row.method.role), on: &surface)
        pen.skip(to: BatchColumns.start)
        var rest = line.dropLeft(BatchColumns.start)
        pen = Pen(rest.left(columns.name - 1))
        pen.write(row.label, Style(isWaiting ? .dim : .plain), on: &surface)
        rest = rest.dropLeft(columns.name)
        pen = Pen(rest.left(columns.folder - 2))
        pen.write(row.parents, Style(.dim), on: &surface)
        var result = Pen(rest.dropLeft(columns.folder).left(columns.result))
        switch row.state {
        case .waiting: result.write(columns.isShort ? "" : "waiting", Style(.dim), on: &surface)
        case .running(let id):
            // A later run of the request has taken its place.
            guard let run = runs[id: id] else { return result.write("running", Style(.running), on: &surface) }
            let signIn = [Span(text: columns.isShort ? "sign-in" : "waits for a sign-in", role: .warning)]
            let progress = run.progress(now: now, columns: columns.result)
            result.write(run.pendingSignIn == nil ? progress : signIn, on: &surface)
            drawNumbers(
                [Span(text: "", role: .dim), Span(text: TimeText.running(run.elapsed(now: now)), role: .running)],
                columns, on: &surface, in: line)
        case .ended(let ended):
            let spans = ended.spans(
                of: row.name, isShort: columns.isShort, showsAttempts: columns.attempts == 0, columns: columns.result)
            result.write(spans, on: &surface)
            var numbers = ended.numbers
            if isReplay { numbers[2] = row.comparison?.span ?? Span(text: "…", role: .dim) }
            drawNumbers(numbers, columns, on: &surface, in: line)
        }
    }

    /// The reason why the request under the cursor failed or waits, or its place and its path.
    private func detail(_ batch: Batch, _ runs: Runs) -> Span {
        if shown == 0 {
            return Span(text: filter == nil ? "" : "No match; Esc shows all rows.", role: .dim)
        }
        guard let row = current.map({ batch.rows[$0] }) else { return Span(text: "", role: .dim) }
        if case .ended(let result) = row.state, let reason = result.reason {
            return Span(text: "✗ " + reason, role: result.isCancelled ? .warning : .failure)
        }
        if runs.signIn(of: row) != nil {
            let text = "Waits until you sign in: Enter goes to the page, x skips the request"
            return Span(text: text, role: .warning)
        }
        if let comparison = row.comparison { return comparison.detail }
        let place = (row.parents.isEmpty ? "" : row.parents + " › ") + row.label
        return Span(text: "\(place) · \(row.method.rawValue) \(Credentials.masked(url: row.path))", role: .dim)
    }
}
