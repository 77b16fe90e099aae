/// The rows of a body, for one kind of content.
protocol ViewerRows: Sendable {
    var isEmpty: Bool { get }
    var last: ViewerPosition { get }
    /// The visible row at that position.
    func aligned(_ position: ViewerPosition) -> ViewerPosition
    /// Moves up (negative) or down by rows, clamped to the content.
    func position(_ position: ViewerPosition, movedBy rows: Int) -> ViewerPosition
    /// A row, ready to be drawn.
    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan]
    /// The label of the row, and the columns of the longest label; none for rows that need no number.
    func label(at position: ViewerPosition) -> String?
    var labelColumns: Int { get }
    func range(at position: ViewerPosition) -> ByteRange
    func position(ofByte offset: Int) -> ViewerPosition
    func position(ofNumber number: Int) -> ViewerPosition
    /// The location of the row for display: a path, a line, an offset in bytes.
    func path(at position: ViewerPosition) -> String?
    /// The bytes of the row's value: all of it for a folded row.
    func value(at position: ViewerPosition) -> ByteRange
    func text(at position: ViewerPosition) -> String

    // The header, which stays while the rows scroll.
    var hasHeader: Bool { get }
    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan]
    /// The next stop of scrolling sideways.
    func stop(from left: Int, forward: Bool) -> Int

    // Several rows, from one through another that is not above it.
    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter
    /// The number of rows, or of lines in a text; nil when counting them would take long.
    func count(from first: ViewerPosition, through last: ViewerPosition) -> Int?
    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool
    /// The singular noun for a row: `line`, `row`.
    static var noun: String { get }

    // For content that folds only.
    var folds: Bool { get }
    /// True if the row is folded; nil if there is nothing to fold.
    func isFolded(at position: ViewerPosition) -> Bool?
    mutating func toggleFold(at position: ViewerPosition)
    /// Folds everything deeper than that many levels; nil unfolds all.
    mutating func fold(toLevel level: Int?)
    mutating func reveal(byte offset: Int)
    func parent(of position: ViewerPosition) -> ViewerPosition?
    func sibling(of position: ViewerPosition, forward: Bool) -> ViewerPosition?
}

extension ViewerRows {
    /// Columns per step sideways.
    static var sideStep: Int { 8 }
    func label(at position: ViewerPosition) -> String? { nil }
    var labelColumns: Int { 0 }
    var hasHeader: Bool { false }
    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] { [] }
    func stop(from left: Int, forward: Bool) -> Int { left + (forward ? 1 : -1) * Self.sideStep }
    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool {
        first <= position && position <= last
    }
    static var noun: String { "row" }
    var folds: Bool { false }
    func isFolded(at position: ViewerPosition) -> Bool? { nil }
    mutating func toggleFold(at position: ViewerPosition) {}
    mutating func fold(toLevel level: Int?) {}
    mutating func reveal(byte offset: Int) {}
    func parent(of position: ViewerPosition) -> ViewerPosition? { nil }
    func sibling(of position: ViewerPosition, forward: Bool) -> ViewerPosition? { nil }
}

/// Rows whose positions are numbers.
protocol NumberedRows: ViewerRows {
    var bytes: Bytes { get }
    /// The number of the last row; 0 if there is none.
    var lastNumber: Int { get }
}

extension NumberedRows {
    var last: ViewerPosition { ViewerPosition(lastNumber) }
    func aligned(_ position: ViewerPosition) -> ViewerPosition {
        ViewerPosition(min(max(0, position.number), lastNumber))
    }
    func position(_ position: ViewerPosition, movedBy rows: Int) -> ViewerPosition {
        aligned(ViewerPosition(position.number + rows))
    }
    func position(ofNumber number: Int) -> ViewerPosition { aligned(ViewerPosition(number - 1)) }
    func value(at position: ViewerPosition) -> ByteRange { range(at: position) }
    func text(at position: ViewerPosition) -> String { bytes.text(value(at: position)) }
    /// The bytes as received, with the folded content of the last row.
    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter {
        let start = range(at: first).lowerBound
        return BodyWriter(bytes[start..<max(start, value(at: last).upperBound)], endsLine: true)
    }
    func count(from first: ViewerPosition, through last: ViewerPosition) -> Int? { last.number - first.number + 1 }
    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool {
        first.number <= position.number && position.number <= last.number
    }
}

/// The position of a row in a body. Positions grow downwards.
struct ViewerPosition: Comparable, Sendable {
    /// In a text the offset of the row's first byte, in everything else the index among the visible rows.
    var number: Int
    /// The row of a JSON tree, which keeps its identity while others are folded.
    var row: JSONRow?

    init(_ number: Int) { self.number = number }

    init(_ row: JSONRow) {
        number = 0
        self.row = row
    }

    static let start = ViewerPosition(0)

    static func == (left: ViewerPosition, right: ViewerPosition) -> Bool {
        left.number == right.number && left.row == right.row
    }

    static func < (left: ViewerPosition, right: ViewerPosition) -> Bool {
        if let mine = left.row, let other = right.row { return mine < other }
        return left.row == nil && right.row == nil ? left.number < right.number : left.row == nil
    }
}

/// The content of a viewer, as one kind of rows. To add a kind of content, add a case and the rows.
enum ViewerContent: Sendable {
    case json(JSONRows)
    case text(TextRows)
    case markup(MarkupRows)
    case table(TableRows)
    case events(EventRows)
    case form(FormRows)
    case picture(ImageRows)
    case hex(HexRows)

    var rows: any ViewerRows {
        get {
            switch self {
            case .json(let rows): rows
            case .text(let rows): rows
            case .markup(let rows): rows
            case .table(let rows): rows
            case .events(let rows): rows
            case .form(let rows): rows
            case .picture(let rows): rows
            case .hex(let rows): rows
            }
        }
        set {
            switch newValue {
            case let rows as JSONRows: self = .json(rows)
            case let rows as MarkupRows: self = .markup(rows)
            default: break
            }
        }
    }

    /// Returns true when positions mean the same in both.
    func isSameKind(as other: ViewerContent) -> Bool { type(of: rows) == type(of: other.rows) }

    /// - Parameter before: The content of a shorter part of the body; its folds are kept.
    init(
        _ document: BodyDocument, _ mode: ViewerMode, columns: Int, wraps: Bool, before: ViewerContent? = nil
    ) {
        switch (mode, document.shape) {
        case (.hex, _), (_, .hex), (_, .empty), (.text, .picture): self = .hex(HexRows(bytes: document.raw))
        case (.text, _), (.formatted, .text): self = .text(TextRows(document, columns: wraps ? columns : nil))
        case (.formatted, .json(let tree)):
            if case .json(let rows)? = before {
                self = .json(rows.grown(to: tree, bytes: document.text, columns: columns))
            } else {
                self = .json(JSONRows(tree, bytes: document.text, columns: columns))
            }
        case (.formatted, .markup(let index)):
            if case .markup(let rows)? = before {
                self = .markup(rows.grown(to: index, bytes: document.text))
            } else {
                self = .markup(MarkupRows(bytes: document.text, index: index))
            }
        case (.formatted, .table(let index, let shape)):
            self = .table(TableRows(bytes: document.text, index: index, shape: shape))
        case (.formatted, .events(let index)):
            self = .events(
                EventRows(
                    bytes: document.text, index: index, arrivals: document.arrivals,
                    textStart: document.raw.count - document.text.count))
        case (.formatted, .form(let fields)): self = .form(FormRows(bytes: document.text, fields: fields))
        case (.formatted, .picture(let picture)): self = .picture(ImageRows(bytes: document.raw, picture: picture))
        }
    }

    /// Fits a picture to the page. Rows of text depend on the columns only, and are made for them.
    mutating func fit(columns: Int, rows: Int) {
        guard case .picture(var picture) = self else { return }
        picture.fit(columns: columns, rows: rows)
        self = .picture(picture)
    }
}

/// The view of a body: formatted, as its text, or as its bytes.
enum ViewerMode: String, Sendable, CaseIterable {
    case formatted, text
    case hex = "hexadecimal"

    /// The word in the footer for the key that switches to the mode.
    var hint: String { self == .hex ? "hex" : rawValue }
}
