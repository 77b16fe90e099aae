/// A row of names, one of them current, each with a summary behind a space where there is one. Where the row is too short
/// for all, they move together; then summaries are left out, the longest first and that of the current one last; then it
/// begins later, so that the current one shows.
package struct TabBar: Equatable, Sendable {
    private let titles: [String]
    private let current: Int
    /// The index of the first title that shows.
    private let first: Int
    private let separator: String

    private static let separator = " · "
    /// The one for a row that is too short for all titles with the other.
    private static let tightSeparator = "  "
    /// Stands for the titles before the first one.
    private static let before = "… "
    /// Stands for those that have no room.
    private static let more = "…"

    package init(_ titles: [String], current: Int, columns: Int) {
        let titles = Self.fitting(titles, current: current, columns: columns)
        self.titles = titles
        self.current = current
        let isRoomy = Self.width(of: titles[...], after: 0, Self.separator) <= columns
        let separator = isRoomy ? Self.separator : Self.tightSeparator
        self.separator = separator
        var first = 0
        // Behind the current one there is room for the sign of more.
        let room = columns - (current < titles.count - 1 ? Self.more.count + 1 : 0)
        while first < current, Self.width(of: titles[first...current], after: first, separator) > room { first += 1 }
        self.first = first
    }

    private static func fitting(_ titles: [String], current: Int, columns: Int) -> [String] {
        let names = titles.map { title in String(title.prefix { $0 != " " }) }
        let fits = { (titles: [String]) in width(of: titles[...], after: 0, tightSeparator) <= columns }
        var titles = titles
        while !fits(titles) {
            let saved = { (index: Int) in TextWidth.of(titles[index]) - TextWidth.of(names[index]) }
            let summarized = titles.indices.filter { $0 != current && saved($0) > 0 }
            guard let longest = summarized.max(by: { saved($0) < saved($1) }) else {
                return fits(names) ? names : titles
            }
            titles[longest] = names[longest]
        }
        return titles
    }

    private static func width(of titles: ArraySlice<String>, after first: Int, _ separator: String) -> Int {
        let separators = separator.count * (titles.count - 1)
        return titles.reduce(separators + (first > 0 ? before.count : 0)) { $0 + TextWidth.of($1) }
    }

    package func draw(on surface: inout Surface, in rect: Rect) {
        // In a pane of few rows there is no room for it.
        guard !rect.isEmpty else { return }
        var pen = Pen(rect)
        var end = rect.column
        if first > 0 { pen.write(Self.before, Style(.dim), on: &surface) }
        for index in titles.indices.dropFirst(first) {
            if index > first { pen.write(separator, Style(.dim), on: &surface) }
            let style = index == current ? Style(.title, [.bold, .underline]) : Style(.dim)
            pen.write(titles[index], style, on: &surface)
            if index == current { end = pen.column }
        }
        guard Self.width(of: titles[first...], after: first, separator) > rect.columns, end < rect.endColumn else {
            return
        }
        surface.write(Self.more, at: Point(column: rect.endColumn - 1, row: rect.row), style: Style(.dim))
    }

    /// The tab at a column, counted from the start of the row; the mark of those before goes to the one before.
    package func index(at column: Int) -> Int? {
        var start = first > 0 ? Self.before.count : 0
        if first > 0, column >= 0, column < start { return first - 1 }
        for index in titles.indices.dropFirst(first) {
            let end = start + TextWidth.of(titles[index])
            if (start..<end).contains(column) { return index }
            start = end + separator.count
        }
        return nil
    }
}
