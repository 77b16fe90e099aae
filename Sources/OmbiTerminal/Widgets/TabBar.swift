/// A row of names, one of them current, some followed by a summary. In a row that is too short, they first move
/// together; then summaries are dropped, the longest first and the current one last; then the row begins later, so that
/// the current name is visible.
package struct TabBar: Equatable, Sendable {
    private let titles: [String]
    private let current: Int
    private let columns: Int
    /// The index of the first title that shows.
    private let first: Int
    /// The index after the last one that shows: no title is cut.
    private let end: Int
    private let separator: String

    private static let separator = " · "
    /// The one for a row that is too short for all titles with the other.
    private static let tightSeparator = "  "
    /// The placeholder for the titles before the first visible one.
    private static let before = "… "
    /// The placeholder for the titles that do not fit.
    private static let more = "…"

    package init(_ titles: [String], current: Int, columns: Int) {
        let titles = Self.fitting(titles, current: current, columns: columns)
        (self.titles, self.current, self.columns) = (titles, current, columns)
        let isRoomy = Self.width(of: titles[...], after: 0, Self.separator) <= columns
        let separator = isRoomy ? Self.separator : Self.tightSeparator
        self.separator = separator
        var first = 0
        // After the current one there is room for the sign of more.
        let fits = { (first: Int, last: Int) in
            let sign = last < titles.count - 1 ? separator.count + Self.more.count : 0
            return Self.width(of: titles[first...last], after: first, separator) + sign <= columns
        }
        while first < current, !fits(first, current) { first += 1 }
        var end = min(current + 1, titles.count)
        while end < titles.count, fits(first, end) { end += 1 }
        (self.first, self.end) = (first, end)
    }

    private static func fitting(_ titles: [String], current: Int, columns: Int) -> [String] {
        let names = titles.map { title in String(title.prefix { $0 != " " }) }
        let fits = { (titles: [String]) in width(of: titles[...], after: 0, tightSeparator) <= columns }
        var titles = titles
        while !fits(titles) {
            let saved = { (index: Int) in TextWidth.of(titles[index]) - TextWidth.of(names[index]) }
            let summarized = titles.indices.filter { $0 != current && saved($0) > 0 }
            guard let longest = summarized.max(by: { saved($0) < saved($1) }) else {
                let widest = columns - tightSeparator.count - more.count
                let isWide = width(of: titles[current...current], after: current, tightSeparator) > widest
                return isWide || fits(names) ? names : titles
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
        if first > 0 { pen.write(Self.before, Style(.dim), on: &surface) }
        for index in first..<end {
            if index > first { pen.write(separator, Style(.dim), on: &surface) }
            let style = index == current ? Style(.title, [.bold, .underline]) : Style(.dim)
            pen.write(titles[index], style, on: &surface)
        }
        guard let sign, sign < rect.columns else { return }
        surface.write(Self.more, at: Point(column: rect.column + sign, row: rect.row), style: Style(.dim))
    }

    /// The column of the placeholder for more; nil if no title follows, or the current one leaves no room.
    private var sign: Int? {
        let shown = Self.width(of: titles[first..<end], after: first, separator)
        return end < titles.count && shown < columns ? min(shown + separator.count, columns - 1) : nil
    }

    /// The tab at a column, counted from the start of the row. The placeholder for earlier titles selects the previous
    /// one, the placeholder for more the next one.
    package func index(at column: Int) -> Int? {
        var start = first > 0 ? Self.before.count : 0
        if first > 0, column >= 0, column < start { return first - 1 }
        for index in first..<end {
            let next = start + TextWidth.of(titles[index])
            if (start..<next).contains(column) { return index }
            start = next + separator.count
        }
        return column == sign ? end : nil
    }
}
