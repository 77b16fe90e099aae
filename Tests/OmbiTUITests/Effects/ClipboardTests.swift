import Foundation
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import TestSupport
import Testing

@testable import OmbiTUI

/// The way to the clipboard, what is sent to the terminal, and what is too large for it.
@Suite struct ClipboardTests {
    private static func text(_ sequence: [UInt8]) -> String { String(decoding: sequence, as: UTF8.self) }

    @Test func `a text goes to the clipboard as base64`() {
        #expect(Self.text(Clipboard.sequence(for: "Zoë", in: .none)) == "\u{1B}]52;c;Wm/Dqw==\u{7}")
        #expect(Self.text(Clipboard.sequence(for: "", in: .none)) == "\u{1B}]52;c;\u{7}")
    }

    @Test func `tmux gets one sequence for itself and one to pass on`() {
        let sent = Self.text(Clipboard.sequence(for: "a", in: .tmux))
        #expect(sent == "\u{1B}]52;c;YQ==\u{7}" + "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YQ==\u{7}\u{1B}\\")
    }

    @Test func `screen gets pieces that it passes on, and together they are the sequence`() {
        let text = String(repeating: "some text ", count: 100)
        let sent = Self.text(Clipboard.sequence(for: text, in: .screen))
        let pieces = sent.components(separatedBy: "\u{1B}\\").dropLast()
        #expect(pieces.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count < 256 })
        #expect(pieces.map { $0.dropFirst(2) }.joined() == Self.text(Clipboard.sequence(for: text, in: .none)))
    }

    // MARK: Surroundings

    private static func surroundings(_ environment: [String: String], _ programs: String...) -> ClipboardSurroundings {
        ClipboardSurroundings(environment) { programs.contains($0) }
    }

    @Test func `what the program runs in is told by the environment`() {
        #expect(Self.surroundings(["TMUX": "/tmp/tmux,1,0", "STY": "1.x"]).multiplexer == .tmux)
        #expect(Self.surroundings(["TMUX": "", "STY": "1.x"]).multiplexer == .screen)
        #expect(Self.surroundings([:]).multiplexer == .none)
    }

    #if os(Linux)
    @Test(arguments: [
        (["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"], ["wl-copy", "xclip"], ["wl-copy"]),
        (["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"], ["xclip"], ["xclip -selection clipboard"]),
        (["DISPLAY": ":0"], ["wl-copy", "xsel"], ["xsel --clipboard --input"]),
        (["DISPLAY": ":0"], [], []), ([:], ["wl-copy", "xclip", "xsel"], []),
        (["DISPLAY": ":0", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.5 22"], ["xclip"], []),
        (["TMUX": "1", "DISPLAY": ":0"], ["xclip"], ["tmux load-buffer -w -", "xclip -selection clipboard"]),
        (["TMUX": "1", "SSH_TTY": "/dev/pts/1"], ["xclip"], ["tmux load-buffer -w -"]),
    ])
    func `a program of the desktop copies where there is a display, and not over SSH`(
        environment: [String: String], installed: [String], commands: [String]
    ) {
        let found = ClipboardSurroundings(environment) { installed.contains($0) }
        #expect(found.programs.map(\.command) == commands)
        #expect((found.maximumBytes(.auto) > 1_000_000) == commands.contains { !$0.hasPrefix("tmux") })
        #expect(found.maximumBytes(.osc52) == BodyOutput.maximumCopied)
    }
    #endif

    @Test(arguments: [
        (["TERM": "xterm-kitty"], ClipboardSurroundings.Terminal.known), (["TERM": "foot-direct"], .known),
        (["TERM": "xterm-256color", "WT_SESSION": "1"], .known), (["TERM": "xterm-256color"], .unknown),
        (["TERM": "linux"], .deaf), (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], .deaf),
        (["TERM": "alacritty", "STY": "1"], .unknown),
    ])
    func `a copy counts as arrived in a terminal that takes it as it comes`(
        environment: [String: String], terminal: ClipboardSurroundings.Terminal
    ) {
        let surroundings = Self.surroundings(environment)
        #expect(surroundings.terminal == terminal)
        let copy = Clipboard.Copy(text: "ada@test.example", name: "$.users[3].email")
        let words = "$.users[3].email, 16 bytes"
        #expect(
            Clipboard.sent(copy, to: surroundings)
                == (terminal == .known ? "Copied \(words)" : "Sent \(words), to the terminal's clipboard (OSC 52)"))
        #expect(surroundings.ways(.auto) == (terminal == .deaf ? [.file] : [.terminal, .file]))
    }

    @Test func `the news of a large copy over ssh is one row of 80 columns`() {
        let copy = Clipboard.Copy(
            text: String(repeating: "a", count: 48_873), name: "the filtered values as text")
        let words = Clipboard.sent(copy, to: Self.surroundings(["SSH_CONNECTION": "10.0.0.1 50000 10.0.0.5 22"]))
        #expect(words == "Sent the filtered values as text, 48.9 kB, to the terminal's clipboard (OSC 52)")
        #expect(words.count < 80)
    }

    @Test func `the setting decides which ways are tried, one after the other`() {
        let surroundings = Self.surroundings(["TMUX": "1"])
        #expect(surroundings.ways(.auto) == [.programs([.tmux]), .terminal, .file])
        #expect(surroundings.ways(.osc52) == [.terminal])
        #expect(surroundings.ways(.command) == [.programs([.tmux]), .file])
        #expect(surroundings.ways(.file) == [.file])
    }

    @Test(arguments: [
        (["SSH_CONNECTION": "10.0.0.1 50000 10.0.0.5 22", "USER": "ada"], "scp ada@10.0.0.5:"),
        (["SSH_CONNECTION": "::1 50000 fe80::5 2222", "LOGNAME": "ada"], "scp -P 2222 ada@[fe80::5]:"),
        (["SSH_CONNECTION": "10.0.0.1 50000 10.0.0.5 22"], "scp 10.0.0.5:"), (["USER": "ada"], nil),
    ])
    func `over SSH the command that fetches a file is said`(environment: [String: String], command: String?) {
        #expect(Self.surroundings(environment).fetch == command)
    }

    @Test func `a program says by its exit status whether it took the text`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(Clipboard.give("Zoë\n", to: .init(command: "sh -c 'cat > \(path); echo noise; echo noise >&2'")))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "Zoë\n")
        #expect(!Clipboard.give("x", to: .init(command: "false")))
        #expect(!Clipboard.give("x", to: .init(command: "there-is-no-such-program")))
    }

    // MARK: Sizes and files

    @Test func `the largest text that is sent is no more than terminals take`() {
        let text = String(repeating: "x", count: BodyOutput.maximumCopied)
        #expect(Clipboard.sequence(for: text, in: .none).count < 100_000)
    }

    @Test(arguments: [nil, "scp ada@10.0.0.5:"])
    func `what is too large goes to a file that only its owner can read`(fetch: String?) throws {
        let bytes = BodyWriter(Bytes([UInt8](repeating: 0x61, count: 2_100_000)))
        let notice = Clipboard.keep(bytes, named: "the body", suffix: ".json", fetch)
        let path = try #require(
            notice.text.split(whereSeparator: { " ;".contains($0) }).map(String.init).first { $0.hasPrefix("/") })
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = fetch.map { "; \($0)\(path) ." } ?? ""
        #expect(
            notice
                == Notice(.warning, "Wrote the body, 2.1 MB, to \(path); too much for the clipboard\(command)"))
        #expect(path.contains("/ombi-copy-") && path.hasSuffix(".json"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 2_100_000)
    }
}
