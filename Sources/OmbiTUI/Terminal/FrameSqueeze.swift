/// Takes out of a frame what has no effect, which on a slow line is worth a fifth of a cursor move: xterm's description
/// switches the drawing set back with every change of attributes, though box drawing goes out as UTF-8 and the
/// set is never on; and ncurses resets a colour right before it resets everything. The order to reset the palette
/// (OSC 104) goes too: Ombi never changes the palette, and its owner may have.
enum FrameSqueeze {
    private static let needless: [[UInt8]] = ["\u{1B}(B", "\u{1B}]104\u{7}"].map { Array($0.utf8) }
    private static let colorResets: [[UInt8]] = ["\u{1B}[39m", "\u{1B}[49m", "\u{1B}[39;49m"].map { Array($0.utf8) }
    private static let fullResets: [[UInt8]] = ["\u{1B}[m", "\u{1B}[0m", "\u{1B}[0;"].map { Array($0.utf8) }

    static func squeezed(_ frame: [UInt8]) -> [UInt8] {
        withoutColorResets(withoutNeedless(frame))
    }

    private static func withoutNeedless(_ frame: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(frame.count)
        var rest = frame[...]
        while let byte = rest.first {
            if byte == 0x1B, let found = needless.first(where: rest.starts) {
                rest = rest.dropFirst(found.count)
            } else {
                kept.append(byte)
                rest = rest.dropFirst()
            }
        }
        return kept
    }

    private static func withoutColorResets(_ frame: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(frame.count)
        var rest = frame[...]
        while let byte = rest.first {
            if byte == 0x1B, let reset = colorResets.first(where: rest.starts) {
                let after = rest.dropFirst(reset.count)
                if fullResets.contains(where: after.starts) {
                    rest = after
                    continue
                }
            }
            kept.append(byte)
            rest = rest.dropFirst()
        }
        return kept
    }
}
