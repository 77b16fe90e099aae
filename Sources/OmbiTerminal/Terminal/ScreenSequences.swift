import CNcurses

/// The sequences written beside those of ncurses: to take the terminal, to restore it, around a large frame.
@MainActor
struct ScreenSequences {
    let enter: [UInt8]
    let leave: [UInt8]
    /// `leave`, and what ncurses would have written itself.
    let leaveAfterCrash: [UInt8]
    /// A request for the colour of the background (OSC 11), which terminals that do not know it ignore.
    let askForBackground: [UInt8]
    /// A request for the terminal's status (DSR), which it replies to once it has taken all before.
    let askForStatus: [UInt8]
    let beginFrame: [UInt8]
    let endFrame: [UInt8]
    /// True when the terminal's description has the sequences that `FrameSqueeze` removes.
    let switchesDrawingSet: Bool

    /// True when its colours are set as `TextAttributes` writes them, too.
    let setsColorsLikeXterm: Bool

    /// Call it when a screen is open: it reads the terminal's capabilities.
    init(mouse: Bool) {
        // A terminal with an alternate screen ignores modes it does not know; older ones may not.
        let isModern = ombi_capability("smcup") != nil
        // 1002: with drags; 1006: in decimal, with no end at column 223. 2004: pastes. 1004: focus.
        let modes = (mouse ? ["1000", "1002", "1006"] : []) + ["2004", "1004"]
        enter = isModern ? modes.flatMap { Array("\u{1B}[?\($0)h".utf8) } : []
        leave = isModern ? modes.reversed().flatMap { Array("\u{1B}[?\($0)l".utf8) } : []
        askForBackground = isModern ? Array("\u{1B}]11;?\u{1B}\\".utf8) : []
        askForStatus = isModern ? Array("\u{1B}[5n".utf8) : []
        beginFrame = isModern ? Array("\u{1B}[?2026h".utf8) : []
        endFrame = isModern ? Array("\u{1B}[?2026l".utf8) : []
        switchesDrawingSet = Self.capability("sgr0") == Array("\u{1B}(B\u{1B}[m".utf8)
        let colors = Self.capability("setaf")
        setsColorsLikeXterm =
            switchesDrawingSet
            && [
                "\u{1B}[3%p1%dm",
                "\u{1B}[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m",
            ].contains { colors.elementsEqual($0.utf8) }
        leaveAfterCrash =
            endFrame + leave
            + ["sgr0", "op", "cnorm", "rmcup"].flatMap { Self.capability($0) }
            + (isModern ? [] : Array("\r\n".utf8))
    }

    /// The bytes of a capability, without the padding notes of old terminals (`$<5>`).
    private static func capability(_ name: String) -> [UInt8] {
        guard let value = ombi_capability(name) else { return [] }
        var bytes: [UInt8] = []
        var rest = Array(String(cString: value).utf8)[...]
        while let byte = rest.first {
            if byte == 0x24, rest.dropFirst().first == 0x3C, let end = rest.firstIndex(of: 0x3E) {
                rest = rest[(end + 1)...]
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}
