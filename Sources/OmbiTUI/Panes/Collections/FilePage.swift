import OmbiTerminal
import OmbiWorkspace

/// Shown in place of a request where there is none: the contents of a collection file, or its problems.
enum FilePage {
    static func draw(_ file: OpenFile?, on surface: inout Surface, in rect: Rect) {
        guard let file else { return }
        let rows = file.collection == nil ? problems(of: file) : summary(of: file)
        for (line, spans) in rows.enumerated() where line < rect.rows {
            var pen = Pen(rect.line(line))
            pen.write(spans, on: &surface)
        }
    }

    private static func problems(of file: OpenFile) -> [[Span]] {
        guard !file.isMissing else {
            return [
                [Span(text: "There is no \(file.path).", role: .warning)],
                [Span(text: "n creates it as a new collection.", role: .dim)],
            ]
        }
        let head = [
            [Span(text: "\(file.path) could not be read.", role: .failure)],
            [Span(text: "Enter opens it in $EDITOR; the file stays as it is until then.", role: .dim)], [],
        ]
        return head
            + file.problems.map { problem in
                let place = problem.position.map { "line \($0.line), column \($0.column): " } ?? ""
                return [Span(text: place, role: .title), Span(text: problem.message, role: .plain)]
            }
    }

    private static func summary(of file: OpenFile) -> [[Span]] {
        guard let collection = file.collection else { return [] }
        guard !file.isScratch else {
            return [
                [Span(text: "Scratch requests belong to no file.", role: .title)],
                [Span(text: "w saves one in a collection, d deletes it, Ctrl+N opens another.", role: .dim)],
                [Span(text: "They are sent in the environment of the collection worked on last.", role: .dim)],
            ]
        }
        let count = collection.requestCount
        return [
            [Span(text: collection.name, role: .title)], [Span(text: collection.description, role: .plain)], [],
            [Span(text: "\(count) \(count == 1 ? "request" : "requests") in \(file.path)", role: .dim)],
            [Span(text: "a adds a request, A a folder, e opens the file in $EDITOR", role: .dim)],
        ] + disk(of: file)
    }

    private static func disk(of file: OpenFile) -> [[Span]] {
        var rows: [[Span]] = []
        switch file.disk {
        case .known: break
        case .removed: rows.append([Span(text: "The file was removed from disk; w writes it again.", role: .warning)])
        case .unreadable(let problem):
            rows.append([Span(text: "The file changed on disk, and cannot be read any more:", role: .failure)])
            rows.append([Span(text: problem, role: .plain)])
        }
        if !file.conflicts.isEmpty {
            rows.append([Span(text: "It was edited here and on disk; w shows the conflicts.", role: .warning)])
        }
        return rows.isEmpty ? [] : [[]] + rows
    }
}
