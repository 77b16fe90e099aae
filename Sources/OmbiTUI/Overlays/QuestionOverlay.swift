import OmbiWorkspace

/// A question with yes, no, and back as answers.
struct QuestionOverlay: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        /// Yes saves everything and quits, no quits without.
        case quitUnsaved
        /// The file was changed by somebody else: yes overwrites it, no takes theirs.
        case changedOnDisk(path: String)
        /// Edits were kept when Ombi was ended: yes takes them back, no throws them away.
        case draft(path: String, Collection)
        /// Yes sends the request to a protected environment.
        case sendProtected
    }

    var subject: Subject
    var lines: [String]
    var yes: String
    var no: String

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let answers = "y \(yes)   n \(no)   Esc back"
        let columns = (lines + [answers]).map { TextWidth.of($0) }.max() ?? 0
        let inside = OverlayFrame.draw("Question", columns: columns, rows: lines.count + 2, on: &surface, in: screen)
        for (index, line) in lines.enumerated() {
            surface.write(line, at: inside.line(index).origin, limit: inside.columns)
        }
        var pen = Pen(inside.line(lines.count + 1))
        for (key, word) in [("y", yes), ("n", no), ("Esc", "back")] {
            if key != "y" { pen.skip(3) }
            pen.write(key, Style(.footerKey, .bold), on: &surface)
            pen.write(" " + word, Style(.dim), on: &surface)
        }
        return nil
    }
}
