import CNcurses

/// Writes a whole frame in the sequences of xterm, onto a blank screen. ncurses looks for the cheapest way from what is
/// shown to what is wanted, cell by cell, which for a first frame takes half of the start.
@MainActor
struct FramePainter {
    /// The sequence for each look, from any other.
    private var sequences: [(cell: cchar_t, bytes: [UInt8])] = []
    private var last = 0
    private var bytes: [UInt8] = []

    /// Blanks that take more bytes than the move behind them.
    private static let longBlank = 5

    /// Paints a row that is blank on the screen.
    /// - Parameter palette: has the attributes of each cell. A closure would copy it each time.
    /// - Returns: false when those of a cell are not known: then nothing of the frame may be written.
    mutating func paint(_ cells: [cchar_t], row: Int, _ palette: borrowing Palette) -> Bool {
        var end = cells.count
        while end > 0, Self.isBlank(cells[end - 1]) { end -= 1 }
        guard end > 0 else { return true }
        bytes += Array("\u{1B}[\(row + 1)H".utf8)
        var column = 0
        var shown: Int?
        while column < end {
            let blanks = Self.blanks(in: cells, from: column)
            if blanks >= Self.longBlank {
                bytes += Array("\u{1B}[\(blanks)C".utf8)
                column += blanks
                continue
            }
            guard let look = look(of: cells[column], palette) else { return false }
            if look != shown { bytes += sequences[look].bytes }
            shown = look
            append(cells[column])
            column += 1
        }
        return true
    }

    /// The bytes of the frame. Afterwards attributes are plain, and the cursor is at the top left.
    func finished() -> [UInt8] { bytes + Array("\u{1B}[m\u{1B}[H".utf8) }

    private static func isBlank(_ cell: cchar_t) -> Bool {
        cell.chars.0 == 0x20 && cell.chars.1 == 0 && cell.attr == 0 && cell.ext_color == 0
    }

    private static func blanks(in cells: [cchar_t], from start: Int) -> Int {
        var end = start
        while end < cells.count, isBlank(cells[end]) { end += 1 }
        return end - start
    }

    private mutating func look(of cell: cchar_t, _ palette: borrowing Palette) -> Int? {
        if last < sequences.count, isLook(last, of: cell) { return last }
        for known in sequences.indices where isLook(known, of: cell) {
            last = known
            return last
        }
        guard let attributes = palette.textAttributes(of: cell) else { return nil }
        last = sequences.count
        sequences.append((cell, attributes.sequence(after: nil)))
        return last
    }

    private func isLook(_ index: Int, of cell: cchar_t) -> Bool {
        sequences[index].cell.attr == cell.attr && sequences[index].cell.ext_color == cell.ext_color
    }

    private mutating func append(_ cell: cchar_t) {
        let characters = cell.chars
        append(characters.0)
        guard characters.1 != 0 else { return }
        for mark in [characters.1, characters.2, characters.3, characters.4] where mark != 0 { append(mark) }
    }

    private mutating func append(_ character: wchar_t) {
        if (0..<0x80).contains(character) {
            bytes.append(UInt8(truncatingIfNeeded: character))
        } else if let scalar = Unicode.Scalar(UInt32(bitPattern: character)) {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
