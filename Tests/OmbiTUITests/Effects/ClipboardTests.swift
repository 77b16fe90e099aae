import Foundation
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import TestSupport
import Testing

@testable import OmbiTUI

/// What is sent to the terminal, and what is too large for it.
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

    @Test func `what the program runs in is told by the environment`() {
        #expect(Clipboard.Surroundings(["TMUX": "/tmp/tmux,1,0", "STY": "1.x"]) == .tmux)
        #expect(Clipboard.Surroundings(["TMUX": "", "STY": "1.x"]) == .screen)
        #expect(Clipboard.Surroundings([:]) == .none)
    }

    @Test func `the largest text that is sent is no more than terminals take`() {
        let text = String(repeating: "x", count: BodyOutput.maximumCopied)
        #expect(Clipboard.sequence(for: text, in: .none).count < 100_000)
    }

    @Test func `what is too large goes to a file that only its owner can read`() throws {
        let bytes = BodyWriter(Bytes([UInt8](repeating: 0x61, count: 2_100_000)))
        let notice = Clipboard.keep(bytes, suffix: ".json")
        let path = try #require(notice.text.split(separator: " ").last.map(String.init))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(notice == Notice(.warning, "2.1 MB is too much for the clipboard: written to \(path)"))
        #expect(path.contains("/ombi-copy-") && path.hasSuffix(".json"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 2_100_000)
    }
}
