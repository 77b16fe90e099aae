/// Shortens frames, which on a slow line saves a third of a cursor move. ncurses ends each frame with plain attributes,
/// resets everything before it sets something, and xterm's description switches the drawing set back each time, though
/// box drawing goes out as UTF-8. So changes of attributes are only noted, and written as one short sequence before the
/// next character that they show in, be it in a later frame. A move from a text to the next row becomes a line feed with a
/// column, which ncurses does not use as it cannot see that the terminal turns no line feed into more. The sequence that resets the palette (OSC 104) goes too:
/// Ombi never changes the palette, and the user may have.
struct FrameSqueeze {
    /// The attributes of the terminal; nil before the first sequence and after one that is not understood.
    private var shown: TextAttributes?
    /// The attributes of the next character; nil from a sequence that is not understood to the next reset: all in
    /// between is passed on.
    private var wanted: TextAttributes? = TextAttributes()
    /// The position behind the last text that was written after a move, both from 1; nil where it is not known.
    private var position: (row: Int, column: Int, hasText: Bool)?
    private var columns = 0

    /// The two parts of a reset in xterm's description, and the sequence for the palette.
    private static let needless: [[UInt8]] = ["\u{1B}(B", "\u{1B}]104\u{7}"].map { Array($0.utf8) }
    /// The last bytes of control sequences that write nothing and erase nothing: the moves of the cursor, and modes.
    private static let harmless = Set("ABCDEFGHIZ`adefhlnrt".utf8)

    /// - Parameter columns: of the terminal.
    mutating func squeezed(_ frame: [UInt8], columns: Int) -> [UInt8] {
        self.columns = columns
        position = nil
        var kept: [UInt8] = []
        kept.reserveCapacity(frame.count)
        frame.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let end = Self.end(of: index, in: bytes)
                take(UnsafeBufferPointer(rebasing: bytes[index..<end]), into: &kept)
                index = end
            }
        }
        return kept
    }

    /// Returns what makes the terminal's attributes plain, for others that write to it, and forgets what it shows.
    mutating func end() -> [UInt8] {
        var reset: [UInt8] = []
        wanted = TextAttributes()
        flush(into: &reset)
        shown = nil
        return reset
    }

    /// Takes a run of characters, a control character or an escape sequence.
    private mutating func take(_ piece: UnsafeBufferPointer<UInt8>, into kept: inout [UInt8]) {
        if shortens(piece, into: &kept) { return }
        switch (piece[0], piece.last) {
        case (0x1B, _) where Self.needless.contains { $0.elementsEqual(piece) }: return
        case (0x1B, 0x6D) where piece.count > 2 && piece[1] == 0x5B:
            if understands(piece) { return }
            flush(into: &kept)
            (wanted, shown) = (nil, nil)
        case (0x1B, let last?) where piece.count > 2 && piece[1] == 0x5B && Self.harmless.contains(last),
            (0x1B, let last?) where piece.count > 1 && piece[1] == 0x5D && last != 0x1B:
            break
        case (0x1B, _):
            flush(into: &kept)
            // It may restore other attributes.
            if piece.count < 3 || piece[1] != 0x5B { shown = nil }
        case (0x0A, _), (0x20..., _): flush(into: &kept)
        default: break
        }
        kept.append(contentsOf: piece)
    }

    /// Follows the cursor; true for a move to the next row, which is written in fewer bytes.
    private mutating func shortens(_ piece: UnsafeBufferPointer<UInt8>, into kept: inout [UInt8]) -> Bool {
        if piece[0] >= 0x20 {
            let isASCII = piece.allSatisfy { $0 < 0x7F }
            position = isASCII ? position.map { ($0.row, $0.column + piece.count, true) } : nil
            return false
        }
        // A change of attributes leaves the cursor where it is.
        if piece[0] == 0x1B, piece.last == 0x6D || Self.needless.contains(where: { $0.elementsEqual(piece) }) {
            return false
        }
        let old = position
        position = Self.target(of: piece).map { ($0.row, $0.column, false) }
        // Behind the last column the terminal may be on the next row already; without a text, in a region that scrolls.
        guard let old, let position, old.hasText, old.column <= columns, position.row == old.row + 1 else {
            return false
        }
        kept += [0x0A, 0x1B, 0x5B]
        // The digits of the column, and the letter of a move within the row.
        kept += piece[(piece.firstIndex(of: 0x3B) ?? 1) + 1..<piece.count - 1]
        kept.append(0x47)
        return true
    }

    /// The row and the column of a sequence that names both.
    private static func target(of piece: UnsafeBufferPointer<UInt8>) -> (row: Int, column: Int)? {
        guard piece.count >= 6, piece[0] == 0x1B, piece[1] == 0x5B, piece.last == 0x48 else { return nil }
        var (row, column, isColumn) = (0, 0, false)
        for byte in piece[2..<piece.count - 1] {
            switch byte {
            case 0x30...0x39 where isColumn: column = column * 10 + Int(byte - 0x30)
            case 0x30...0x39: row = row * 10 + Int(byte - 0x30)
            case 0x3B where !isColumn: isColumn = true
            default: return nil
            }
        }
        return row > 0 && column > 0 ? (row, column) : nil
    }

    /// Takes a change of attributes over; false where it is to be passed on.
    private mutating func understands(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
        let isReset = piece[2] == 0x6D || piece[2] == 0x30 && (piece[3] == 0x3B || piece[3] == 0x6D)
        guard var changed = wanted ?? (isReset ? TextAttributes() : nil), changed.take(piece) else { return false }
        wanted = changed
        return true
    }

    private mutating func flush(into kept: inout [UInt8]) {
        guard let wanted, shown != wanted else { return }
        kept += wanted.sequence(after: shown)
        shown = wanted
    }

    /// The end of the run, the control character or the sequence at an index.
    private static func end(of start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var index = start + 1
        if bytes[start] >= 0x20 {
            while index < bytes.count, bytes[index] >= 0x20 { index += 1 }
            return index
        }
        guard bytes[start] == 0x1B, index < bytes.count else { return index }
        switch bytes[index] {
        case 0x5B:
            index += 1
            while index < bytes.count, !(0x40...0x7E).contains(bytes[index]) { index += 1 }
        case 0x5D:
            while index < bytes.count, bytes[index] != 0x07, bytes[index] != 0x5C { index += 1 }
        case 0x20...0x2F:
            while index < bytes.count, (0x20...0x2F).contains(bytes[index]) { index += 1 }
        default: break
        }
        return min(index + 1, bytes.count)
    }
}
