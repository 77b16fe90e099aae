/// Writes characters and sequences in few bytes. It tracks the position of the cursor and the active attributes, also
/// across frames.
struct TerminalPen {
    let size: Size
    private let described: DescribedSequences?
    private(set) var attributes: TextAttributes?
    /// The position of the cursor; nil if unknown, as after the last column.
    private(set) var position: Point?
    /// False after characters whose width varies between terminals.
    private var columnIsCertain = true
    private var bytes: [UInt8] = []

    /// - Parameter described: the sequences of a terminal that lacks some of xterm's.
    init(size: Size, described: DescribedSequences? = nil) {
        self.size = size
        self.described = described
    }

    /// Returns what was written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func write(_ sequence: [UInt8]) { bytes.append(contentsOf: sequence) }

    mutating func forgetPosition() { position = nil }

    /// Makes the whole screen blank, without attributes.
    mutating func clear() {
        attributes = TextAttributes()
        if let described {
            write(described.reset + described.clear)
            return forgetPosition()
        }
        write("\u{1B}[m\u{1B}[H\u{1B}[2J")
        (position, columnIsCertain) = (Point(column: 0, row: 0), true)
    }

    mutating func set(_ wanted: TextAttributes) {
        guard wanted != attributes else { return }
        if let described {
            wanted.write(after: attributes, by: described, to: &bytes)
        } else {
            wanted.write(after: attributes, to: &bytes)
        }
        attributes = wanted
    }

    mutating func write(_ scalar: Unicode.Scalar, _ marks: [Unicode.Scalar], width: Int) {
        if scalar.value < 0x80, marks.isEmpty {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            append(scalar)
            for mark in marks { append(mark) }
            columnIsCertain = false
        }
        position?.column += width
        if let column = position?.column, column >= size.columns { position = nil }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Erases columns from the cursor, which does not move.
    /// - Parameters:
    ///   - columns: nil for all to the end of the row.
    ///   - wanted: The attributes of the blanks; none of them is visible there.
    mutating func erase(_ columns: Int?, in wanted: TextAttributes) {
        // With attributes on, described terminals differ in what they leave behind.
        set(described == nil ? wanted : TextAttributes())
        if let described, columns == nil { return write(described.eraseToEnd) }
        bytes.append(contentsOf: [0x1B, 0x5B])
        if let columns { bytes.append(decimal: columns) }
        bytes.append(columns == nil ? 0x4B : 0x58)
    }

    /// Moves the content of a part of the screen. What nothing moves into is erased.
    mutating func scroll(_ scroll: Scroll) {
        set(TextAttributes())
        let isWide = scroll.columns == 0..<size.columns
        // The margins at the sides end with their mode.
        if !isWide { write("\u{1B}[?69h\u{1B}[\(scroll.columns.lowerBound + 1);\(scroll.columns.upperBound)s") }
        write("\u{1B}[\(scroll.rows.lowerBound + 1);\(scroll.rows.upperBound)r")
        write("\u{1B}[\(abs(scroll.distance))\(scroll.distance > 0 ? "S" : "T")\u{1B}[r")
        if !isWide { write("\u{1B}[?69l") }
        forgetPosition()
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    // MARK: Moving

    mutating func move(to target: Point) {
        guard position != target else { return }
        defer { (position, columnIsCertain) = (target, true) }
        if let described {
            if !described.movesWithAttributes { set(TextAttributes()) }
            // Terminals agree about the first column, whatever the widths of characters.
            let start = columnIsCertain || target.column == 0 ? position : nil
            return described.write(moveTo: target, from: start, to: &bytes)
        }
        switch position.map({ target.row - $0.row }) {
        case 0: moveInRow(by: target.column - (position?.column ?? 0), to: target.column)
        case 1:
            // The column is named, too: something on the way may turn a line feed into more.
            bytes.append(0x0A)
            moveInRow(to: target.column)
        default:
            bytes.append(contentsOf: [0x1B, 0x5B])
            bytes.append(decimal: target.row + 1)
            if target.column > 0 {
                bytes.append(0x3B)
                bytes.append(decimal: target.column + 1)
            }
            bytes.append(0x48)
        }
    }

    private mutating func moveInRow(by distance: Int, to column: Int) {
        let columns = abs(distance)
        switch distance {
        case _ where !columnIsCertain || column == 0: moveInRow(to: column)
        case -3..<0: for _ in 0..<columns { bytes.append(0x08) }
        case _ where columns == 1 || Self.digits(columns) < Self.digits(column + 1):
            bytes.append(contentsOf: [0x1B, 0x5B])
            if columns > 1 { bytes.append(decimal: columns) }
            bytes.append(distance < 0 ? 0x44 : 0x43)
        default: moveInRow(to: column)
        }
    }

    private mutating func moveInRow(to column: Int) {
        guard column > 0 else { return bytes.append(0x0D) }
        bytes.append(contentsOf: [0x1B, 0x5B])
        bytes.append(decimal: column + 1)
        bytes.append(0x47)
    }

    private static func digits(_ number: Int) -> Int { number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4 }
}
