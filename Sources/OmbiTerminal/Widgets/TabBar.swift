/// A row of names, one of them current.
package enum TabBar {
    package static func draw(_ titles: [String], current: Int, on surface: inout Surface, in rect: Rect) {
        // In a pane of few rows there is no room for it.
        guard !rect.isEmpty else { return }
        var pen = Pen(rect)
        for (index, title) in titles.enumerated() {
            if index > 0 { pen.write(" · ", Style(.dim), on: &surface) }
            let style = index == current ? Style(.title, [.bold, .underline]) : Style(.dim)
            pen.write(title, style, on: &surface)
        }
    }

    /// The tab drawn at a column, counted from the start of the row.
    package static func index(at column: Int, of titles: [String]) -> Int? {
        var start = 0
        for (index, title) in titles.enumerated() {
            let end = start + TextWidth.of(title)
            if (start..<end).contains(column) { return index }
            start = end + 3
        }
        return nil
    }
}
