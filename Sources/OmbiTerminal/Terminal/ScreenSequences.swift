/// The sequences written beside those of frames: to take the terminal, to restore it, around a large frame.
@MainActor
struct ScreenSequences {
    let enter: [UInt8]
    let leave: [UInt8]
    /// `leave`, and what the frame writer would have written itself.
    let leaveAfterCrash: [UInt8]
    /// A request for the colour of the background (OSC 11), which terminals that do not know it ignore.
    let askForBackground: [UInt8]
    /// A request for the state of the margins at the left and the right (DECRQM for the mode DECLRMM).
    let askForMargins: [UInt8]
    /// A request for the terminal's status (DSR), which it replies to once it has taken all before.
    let askForStatus: [UInt8]
    let beginFrame: [UInt8]
    let endFrame: [UInt8]

    /// Call it when a screen is open: it reads the terminal's capabilities.
    init(mouse: Bool) {
        // A terminal with an alternate screen ignores modes it does not know; older ones may not.
        let isModern = Capability.exists("smcup")
        // 1002: with drags; 1006: in decimal, with no end at column 223. 2004: pastes. 1004: focus.
        let modes = (mouse ? ["1000", "1002", "1006"] : []) + ["2004", "1004"]
        enter = isModern ? modes.flatMap { Array("\u{1B}[?\($0)h".utf8) } : []
        // Without another screen the next program's text begins on a row of its own.
        leave = isModern ? modes.reversed().flatMap { Array("\u{1B}[?\($0)l".utf8) } : Array("\r\n".utf8)
        askForBackground = isModern ? Array("\u{1B}]11;?\u{1B}\\".utf8) : []
        askForMargins = isModern ? Array("\u{1B}[?69$p".utf8) : []
        askForStatus = isModern ? Array("\u{1B}[5n".utf8) : []
        beginFrame = isModern ? Array("\u{1B}[?2026h".utf8) : []
        endFrame = isModern ? Array("\u{1B}[?2026l".utf8) : []
        leaveAfterCrash = endFrame + leave + XtermSequences.leaving
    }
}
