/// Removes from a frame what has no effect, which on a slow line saves a fifth of a cursor move: xterm's description
/// switches the drawing set back with every change of attributes, though box drawing goes out as UTF-8 and the set is
/// never on; and ncurses resets a colour right before it resets everything. The sequence that resets the palette (OSC
/// 104) goes too: Ombi never changes the palette, and the user may have.
enum FrameSqueeze {
    private static let needless: [[UInt8]] = ["\u{1B}(B", "\u{1B}]104\u{7}"].map { Array($0.utf8) }
    private static let colorResets: [[UInt8]] = ["\u{1B}[39m", "\u{1B}[49m", "\u{1B}[39;49m"].map { Array($0.utf8) }
    private static let fullResets: [[UInt8]] = ["\u{1B}[m", "\u{1B}[0m", "\u{1B}[0;"].map { Array($0.utf8) }

    static func squeezed(_ frame: [UInt8]) -> [UInt8] {
        let shorter = without(needless, in: frame, onlyBefore: nil)
        return without(colorResets, in: shorter, onlyBefore: fullResets)
    }

    /// Removes each of the sequences; with `followers` only where one of those comes next.
    private static func without(_ sequences: [[UInt8]], in frame: [UInt8], onlyBefore followers: [[UInt8]]?) -> [UInt8]
    {
        var kept: [UInt8] = []
        kept.reserveCapacity(frame.count)
        frame.withUnsafeBufferPointer { bytes in
            var copied = 0
            var index = 0
            while index < bytes.count {
                guard bytes[index] == 0x1B, let found = sequences.first(where: { starts($0, bytes, at: index) }),
                    followers?.contains(where: { starts($0, bytes, at: index + found.count) }) ?? true
                else {
                    index += 1
                    continue
                }
                kept.append(contentsOf: bytes[copied..<index])
                index += found.count
                copied = index
            }
            kept.append(contentsOf: bytes[copied...])
        }
        return kept
    }

    private static func starts(_ sequence: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + sequence.count <= bytes.count else { return false }
        for offset in 0..<sequence.count where bytes[index + offset] != sequence[offset] { return false }
        return true
    }
}
