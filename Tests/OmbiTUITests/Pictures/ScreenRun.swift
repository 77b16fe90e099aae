@testable import OmbiTerminal

/// Neighbouring cells of a row that look alike, which one element of a picture draws.
struct ScreenRun {
    enum Kind: Equatable {
        case text
        /// A line or a block that goes on from cell to cell.
        case shape(Unicode.Scalar)
        /// A cell by itself: a wide character, one with marks, or a corner of a frame.
        case single
    }

    private(set) var column: Int
    private(set) var columns: Int
    let look: Look
    let kind: Kind
    private(set) var text: String

    static func runs(of row: Int, in surface: Surface, _ theme: Theme) -> [ScreenRun] {
        var runs: [ScreenRun] = []
        for column in 0..<surface.size.columns {
            let cell = surface[column, row]
            guard !cell.isContinuation else { continue }
            let run = ScreenRun(cell, surface.marks(of: cell), at: column, theme)
            if let last = runs.last, last.kind == run.kind, last.kind != .single, last.look == run.look {
                runs[runs.count - 1].columns += 1
                runs[runs.count - 1].text += run.text
            } else {
                runs.append(run)
            }
        }
        return runs
    }

    private init(_ cell: Cell, _ marks: [Unicode.Scalar], at column: Int, _ theme: Theme) {
        self.column = column
        columns = cell.width
        look = theme.look(of: cell.style)
        kind = Self.kind(of: cell, marks)
        text = String(String.UnicodeScalarView([cell.scalar] + marks))
    }

    private static func kind(of cell: Cell, _ marks: [Unicode.Scalar]) -> Kind {
        if cell.width != 1 || !marks.isEmpty { return .single }
        if cell.scalar == "─" || cell.scalar == "━" || BlockShape(cell.scalar) != nil { return .shape(cell.scalar) }
        return BoxLines(cell.scalar) == nil ? .text : .single
    }

    /// The run without the spaces at its ends, where they show nothing.
    var trimmed: ScreenRun {
        guard !look.traits.contains(.underline) else { return self }
        var run = self
        let spaces = text.prefix { $0 == " " }.count
        run.text = String(text.dropFirst(spaces))
        while run.text.last == " " { run.text.removeLast() }
        run.column += spaces
        run.columns -= text.count - run.text.count
        return run
    }
}

/// A block element as a rectangle: a part of its cell, from the bottom or the left, or a shade of all of it.
struct BlockShape: Equatable {
    /// In eighths of a cell.
    var width = 8
    var height = 8
    /// In percent.
    var opacity = 100

    /// Nil for other characters.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x2581...0x2588: height = Int(scalar.value) - 0x2580
        case 0x2589...0x258F: width = 0x2590 - Int(scalar.value)
        case 0x2591...0x2593: opacity = 25 * (Int(scalar.value) - 0x2590)
        default: return nil
        }
    }
}
