import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace

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

/// Copies to the clipboard of the terminal, which is the right one over SSH as well (OSC 52). Whether a terminal takes
/// it nobody can know; tmux says so.
enum Clipboard {
    /// The terminal multiplexer around the program.
    enum Surroundings: Equatable {
        case none, tmux, screen

        init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
            func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
            self = isSet("TMUX") ? .tmux : isSet("STY") ? .screen : .none
        }
    }

    /// Sends a text of no more than `BodyOutput.maximumCopied` bytes to the terminal, and says so for the status line.
    static func send(_ text: String, in surroundings: Surroundings = Surroundings()) -> String {
        TerminalOutput.write(sequence(for: text, in: surroundings))
        return "sent \(size(of: text)) to the terminal's clipboard (OSC 52)"
            + (surroundings == .tmux ? "; tmux needs: set -g set-clipboard on" : "")
    }

    /// Gives a text to tmux for its own buffer and for the terminal around it: as it is set up at first, it lets no
    /// sequence of a program's through. Nil when that did not work.
    static func giveToTmux(_ text: String) -> String? {
        let input = BodyWriter(Bytes(text.utf8))
        let answer = ShellCommand.run("exec tmux load-buffer -w -", input: input, flag: CancelFlag())
        return answer.failure == nil ? "copied \(size(of: text)) to tmux and the terminal's clipboard" : nil
    }

    /// Puts what is too large into a new file that only the user can read.
    static func keep(
        _ writer: BodyWriter, suffix: String, _ flag: CancelFlag = CancelFlag(),
        tell: (SaveProgress) -> Void = { _ in }
    ) -> Notice {
        let folder = CurlTransport.Configuration.defaultTemporaryFolder
        var template = Array("\(folder)/ombi-copy-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            return Notice(.failure, "it is too much for the clipboard, and \(folder) takes no file: \(reason)")
        }
        close(descriptor)
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? folder }
        do throws(FileError) {
            let count = try BodyFile.write(writer, to: path, flag, tell: tell)
            return Notice(.warning, "\(TimeText.size(count)) is too much for the clipboard: written to \(path)")
        } catch {
            unlink(path)
            let isCancelled = error.code == FileError.cancelled
            return isCancelled
                ? Notice(.info, "not copied: cancelled")
                : Notice(.failure, "it is too much for the clipboard: \(error)")
        }
    }

    /// `12 characters`
    private static func size(of text: String) -> String {
        let count = text.count
        return count == 1 ? "1 character" : "\(count) characters"
    }

    // MARK: Sequences

    static func sequence(for text: String, in surroundings: Surroundings) -> [UInt8] {
        let plain = "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
        switch surroundings {
        case .none: return Array(plain.utf8)
        case .tmux:
            // The first for tmux itself where it takes it, the second to pass on where it may.
            let wrapped = "\u{1B}Ptmux;" + plain.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
            return Array((plain + wrapped).utf8)
        case .screen: return passedOnByScreen(plain)
        }
    }

    /// screen passes strings on that are short; the terminal puts them together again.
    private static func passedOnByScreen(_ sequence: String) -> [UInt8] {
        var left = Array(sequence.utf8)[...]
        var output: [UInt8] = []
        while !left.isEmpty {
            output += "\u{1B}P".utf8 + left.prefix(screenString) + "\u{1B}\\".utf8
            left = left.dropFirst(screenString)
        }
        return output
    }

    /// Its oldest versions keep 256 bytes.
    private static let screenString = 240
}
