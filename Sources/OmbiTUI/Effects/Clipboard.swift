#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Copies to the clipboard of the terminal, which is the right one over SSH as well (OSC 52).
enum Clipboard {
    /// Terminals drop longer ones without a word.
    private static let mostBytes = 74_000

    /// What was done, in words for the status line.
    static func copy(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count <= mostBytes else {
            return "\(TimeText.size(bytes.count)) are too many for the terminal's clipboard; nothing was copied"
        }
        let sequence = "\u{1B}]52;c;\(Data(bytes).base64EncodedString())\u{7}"
        let inTmux = ProcessInfo.processInfo.environment["TMUX"] != nil
        // tmux passes a wrapped sequence on to the terminal around it.
        let wrapped = "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
        send(inTmux ? sequence + wrapped : sequence)
        return "sent \(TimeText.size(bytes.count)) to the terminal's clipboard"
            + (inTmux ? " (tmux needs: set -g set-clipboard on)" : "")
    }

    private static func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
        }
    }
}
