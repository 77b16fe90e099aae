/// A terminal in memory: it takes what a program writes and knows what a person would see. It understands what
/// programs write for xterm-256color and vt100, and leaves out what has no picture (titles, modes, answers).
public struct VirtualTerminal: Sendable {
    public struct Cell: Equatable, Sendable {
        /// The character with its marks; empty in the right half of a wide one.
        public var text = " "
        /// Numbers of SGR that are on (1 bold, 2 dim, 4 underline, 7 reverse), colours as `38;5;n` or `31`.
        public var attributes = Attributes()
    }

    public struct Attributes: Equatable, Sendable {
        public var traits: Set<Int> = []
        public var foreground: String?
        public var background: String?

        public init(traits: Set<Int> = [], foreground: String? = nil, background: String? = nil) {
            self.traits = traits
            self.foreground = foreground
            self.background = background
        }
    }

    public private(set) var columns: Int
    public private(set) var rows: Int
    public private(set) var cursorColumn = 0
    public private(set) var cursorRow = 0
    public private(set) var cursorIsVisible = true
    public private(set) var isAlternate = false
    /// Private modes that are on: 1000, 1006, 2004 and so on.
    public private(set) var modes: Set<Int> = []
    public private(set) var bytesSeen = 0
    /// The last bytes that came, for tests that look at how something was written.
    public private(set) var lastBytes: [UInt8] = []
    /// Sequences that it does not understand: a test that expects none finds what to add.
    public private(set) var unknown: [String] = []

    var cells: [[Cell]]
    private var normalCells: [[Cell]] = []
    private var saved = (column: 0, row: 0)
    private var attributes = Attributes()
    private var top = 0
    private var bottom: Int
    /// The columns that scroll, where margins are set (DECSLRM).
    private var margins: Range<Int>?
    private var wrapsNext = false
    private var inserts = false
    private var drawsLines = false
    private var parser = VirtualTerminalParser()
    private let width: @Sendable (Unicode.Scalar) -> Int

    /// - Parameter width: columns of a scalar; 0 for one drawn on top of the one before.
    public init(columns: Int, rows: Int, width: @escaping @Sendable (Unicode.Scalar) -> Int = Self.usualWidth) {
        self.columns = columns
        self.rows = rows
        self.width = width
        bottom = rows - 1
        cells = Self.blank(columns, rows)
    }

    /// What is seen, without the blanks at the ends of the rows.
    public var text: String { (0..<rows).map(line).joined(separator: "\n") }

    public func line(_ row: Int) -> String {
        guard cells.indices.contains(row) else { return "" }
        var line = cells[row].map(\.text).joined()
        while line.last == " " { line.removeLast() }
        return line
    }

    public func contains(_ text: String) -> Bool { (0..<rows).contains { line($0).contains(text) } }

    public func cell(column: Int, row: Int) -> Cell {
        cells.indices.contains(row) && cells[row].indices.contains(column) ? cells[row][column] : Cell()
    }

    public mutating func resize(columns: Int, rows: Int) {
        cells = Self.fitted(cells, columns, rows)
        normalCells = Self.fitted(normalCells, columns, rows)
        self.columns = columns
        self.rows = rows
        (top, bottom) = (0, rows - 1)
        move(to: cursorColumn, cursorRow)
    }

    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        lastBytes = Array(bytes)
        for byte in bytes {
            bytesSeen += 1
            if let step = parser.take(byte) { perform(step) }
        }
    }

    /// Wide: the blocks that tests use; zero: combining accents.
    public static let usualWidth: @Sendable (Unicode.Scalar) -> Int = { scalar in
        switch scalar.value {
        case 0x0300...0x036F, 0x200D, 0xFE0F: 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFF01...0xFF60, 0x1F300...0x1FAFF: 2
        default: 1
        }
    }

    // MARK: Performing

    private mutating func perform(_ step: VirtualTerminalParser.Step) {
        switch step {
        case .print(let scalar): print(scalar)
        case .control(let byte): control(byte)
        case .escape(let body): escape(body)
        case .sequence(let sequence): self.sequence(sequence)
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 8: move(to: cursorColumn - 1, cursorRow)
        case 9: move(to: min(columns - 1, (cursorColumn / 8 + 1) * 8), cursorRow)
        case 10, 11, 12: lineFeed()
        case 13: move(to: 0, cursorRow)
        case 14: drawsLines = true
        case 15: drawsLines = false
        default: break
        }
    }

    private mutating func escape(_ body: String) {
        switch body {
        case "(0": drawsLines = true
        case "(B": drawsLines = false
        case "7": saved = (cursorColumn, cursorRow)
        case "8": move(to: saved.column, saved.row)
        case "M": if cursorRow == top { scroll(up: -1) } else { move(to: cursorColumn, cursorRow - 1) }
        case "D": lineFeed()
        case ")0", ")B", "=", ">": break
        default: unknown.append("ESC " + body)
        }
    }

    private mutating func print(_ original: Unicode.Scalar) {
        let scalar = drawsLines ? Self.lineDrawing[original] ?? original : original
        let width = width(scalar)
        if width == 0 {
            let column = wrapsNext ? cursorColumn : cursorColumn - 1
            let base = column > 0 && cells[cursorRow][column].text.isEmpty ? column - 1 : column
            if base >= 0 { cells[cursorRow][base].text.unicodeScalars.append(scalar) }
            return
        }
        if wrapsNext || cursorColumn + width > columns {
            cursorColumn = 0
            wrapsNext = false
            lineFeed()
        }
        if inserts { insertBlanks(width) }
        put(String(scalar), width)
        if cursorColumn + width >= columns {
            cursorColumn = columns - 1
            wrapsNext = true
        } else {
            cursorColumn += width
        }
    }

    private mutating func put(_ text: String, _ width: Int) {
        breakWide(cursorColumn)
        if width == 2 { breakWide(cursorColumn + 1) }
        cells[cursorRow][cursorColumn] = Cell(text: text, attributes: attributes)
        if width == 2 { cells[cursorRow][cursorColumn + 1] = Cell(text: "", attributes: attributes) }
    }

    /// Half of a wide character is overwritten: the other half goes.
    private mutating func breakWide(_ column: Int) {
        if cells[cursorRow][column].text.isEmpty, column > 0 { cells[cursorRow][column - 1].text = " " }
        if column + 1 < columns, cells[cursorRow][column + 1].text.isEmpty { cells[cursorRow][column + 1].text = " " }
    }

    private mutating func lineFeed() {
        wrapsNext = false
        if cursorRow == bottom { scroll(up: 1) } else { cursorRow = min(rows - 1, cursorRow + 1) }
    }

    private mutating func scroll(up count: Int, from first: Int? = nil) {
        let first = first ?? top
        if let margins { return scroll(up: count, from: first, margins) }
        for _ in 0..<min(abs(count), rows) {
            cells.remove(at: count > 0 ? first : bottom)
            cells.insert(blankRow(), at: count > 0 ? bottom : first)
        }
    }

    private mutating func scroll(up count: Int, from first: Int, _ columns: Range<Int>) {
        let before = cells
        for row in first...bottom {
            for column in columns {
                let source = row + count
                cells[row][column] = source >= first && source <= bottom ? before[source][column] : erased
            }
        }
    }

    private mutating func move(to column: Int, _ row: Int) {
        wrapsNext = false
        cursorColumn = min(max(0, column), columns - 1)
        cursorRow = min(max(0, row), rows - 1)
    }

    // MARK: Sequences

    private mutating func sequence(_ sequence: VirtualTerminalParser.Sequence) {
        let n = max(1, sequence.number(0, 1))
        switch sequence.name {
        case "H", "f": move(to: sequence.number(1, 1) - 1, sequence.number(0, 1) - 1)
        case "A": move(to: cursorColumn, cursorRow - n)
        case "B", "e": move(to: cursorColumn, cursorRow + n)
        case "C", "a": move(to: cursorColumn + n, cursorRow)
        case "D": move(to: cursorColumn - n, cursorRow)
        case "G", "`": move(to: n - 1, cursorRow)
        case "d": move(to: cursorColumn, n - 1)
        case "J": eraseScreen(sequence.number(0, 0))
        case "K": eraseLine(sequence.number(0, 0))
        case "X": erase(cursorRow, cursorColumn..<min(columns, cursorColumn + n))
        case "@": insertBlanks(n)
        case "P": deleteCharacters(n)
        case "L": if cursorRow >= top, cursorRow <= bottom { scroll(up: -n, from: cursorRow) }
        case "M": if cursorRow >= top, cursorRow <= bottom { scroll(up: n, from: cursorRow) }
        case "S": scroll(up: n)
        case "T": scroll(up: -n)
        case "Z": move(to: max(0, (cursorColumn - 1) / 8 * 8), cursorRow)
        case "b": repeatLast(n)
        case "m": setAttributes(sequence.numbers)
        case "r":
            // What was written for a larger window may name rows that are gone; terminals ignore such a region.
            let region = (max(0, sequence.number(0, 1) - 1), min(rows, sequence.number(1, rows)) - 1)
            (top, bottom) = region.0 < region.1 ? region : (0, rows - 1)
            move(to: 0, 0)
        case "s" where modes.contains(69):
            margins = max(0, sequence.number(0, 1) - 1)..<min(columns, sequence.number(1, columns))
            move(to: 0, 0)
        case "?h", "?l": for mode in sequence.numbers { setMode(mode, on: sequence.name == "?h") }
        case "h", "l": if sequence.number(0, 0) == 4 { inserts = sequence.name == "h" }
        case "t", "n", "c", ">c", "?c", "?n", "?$p", " q", "!p": break
        default: unknown.append("CSI " + sequence.name)
        }
    }

    private mutating func setMode(_ mode: Int, on: Bool) {
        if on { modes.insert(mode) } else { modes.remove(mode) }
        if mode == 25 { cursorIsVisible = on }
        if mode == 69 { margins = nil }
        guard mode == 1049, on != isAlternate else { return }
        isAlternate = on
        if on {
            saved = (cursorColumn, cursorRow)
            normalCells = cells
            cells = Self.blank(columns, rows)
        } else {
            cells = normalCells
            move(to: saved.column, saved.row)
        }
    }

    private mutating func repeatLast(_ count: Int) {
        guard let scalar = parser.lastPrinted else { return }
        for _ in 0..<count { print(scalar) }
    }

    private mutating func eraseScreen(_ part: Int) {
        let all = 0..<columns
        if part == 0 { eraseLine(0) } else if part == 1 { eraseLine(1) }
        for row in 0..<rows where part > 1 || (part == 0 ? row > cursorRow : row < cursorRow) { erase(row, all) }
    }

    private mutating func eraseLine(_ part: Int) {
        switch part {
        case 0: erase(cursorRow, cursorColumn..<columns)
        case 1: erase(cursorRow, 0..<cursorColumn + 1)
        default: erase(cursorRow, 0..<columns)
        }
    }

    private mutating func erase(_ row: Int, _ span: Range<Int>) {
        for column in span { cells[row][column] = erased }
    }

    private mutating func insertBlanks(_ count: Int) {
        let row = cells[cursorRow]
        let blanks = [Cell](repeating: erased, count: min(count, columns - cursorColumn))
        cells[cursorRow] = Array((row[..<cursorColumn] + blanks + row[cursorColumn...]).prefix(columns))
    }

    private mutating func deleteCharacters(_ count: Int) {
        cells[cursorRow].removeSubrange(cursorColumn..<min(columns, cursorColumn + count))
        while cells[cursorRow].count < columns { cells[cursorRow].append(erased) }
    }

    private mutating func setAttributes(_ numbers: [Int]) {
        var rest = (numbers.isEmpty ? [0] : numbers)[...]
        while let number = rest.popFirst() {
            switch number {
            case ..<1: attributes = Attributes()
            case 10: drawsLines = false
            case 1...9: attributes.traits.insert(number)
            case 22: attributes.traits.subtract([1, 2])
            case 23...29: attributes.traits.remove(number - 20)
            case 38, 48:
                let color = rest.prefix(2).map(String.init).joined(separator: ";")
                rest = rest.dropFirst(2)
                if number == 38 { attributes.foreground = color } else { attributes.background = color }
            case 39: attributes.foreground = nil
            case 49: attributes.background = nil
            case 30...37, 90...97: attributes.foreground = String(number)
            case 40...47, 100...107: attributes.background = String(number)
            default: unknown.append("SGR \(number)")
            }
        }
    }

    /// A blank in the background colour at hand.
    private var erased: Cell { Cell(attributes: Attributes(background: attributes.background)) }

    private func blankRow() -> [Cell] { [Cell](repeating: erased, count: columns) }

    private static func blank(_ columns: Int, _ rows: Int) -> [[Cell]] {
        [[Cell]](repeating: [Cell](repeating: Cell(), count: columns), count: rows)
    }

    private static func fitted(_ cells: [[Cell]], _ columns: Int, _ rows: Int) -> [[Cell]] {
        var fitted = blank(columns, rows)
        for row in 0..<min(rows, cells.count) {
            for column in 0..<min(columns, cells[row].count) { fitted[row][column] = cells[row][column] }
        }
        return fitted
    }

    /// The drawing set of the vt100.
    private static let lineDrawing: [Unicode.Scalar: Unicode.Scalar] = [
        "q": "─", "x": "│", "l": "┌", "k": "┐", "m": "└", "j": "┘", "t": "├", "u": "┤", "w": "┬", "v": "┴", "n": "┼",
    ]
}
