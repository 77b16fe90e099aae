import Foundation
import Testing

@testable import OmbiTerminal

/// The characters that a terminal can show, and what stands for the others.
@Suite struct GlyphSetTests {
    @Test(arguments: [
        (["LANG": "en_US.UTF-8", "TERM": "xterm-256color"], GlyphSet.unicode),
        (["LANG": "de_AT.utf8@euro", "TERM": "xterm"], .unicode), (["LC_CTYPE": "UTF-8", "TERM": "xterm"], .unicode),
        (["TERM": "xterm"], .unicode),
        (["LANG": "C", "TERM": "xterm"], .ascii), (["LANG": "POSIX", "TERM": "linux"], .ascii),
        (["LANG": "en_US.UTF-8", "LC_ALL": "C", "TERM": "xterm"], .ascii),
        (["LANG": "C", "LC_CTYPE": "C.UTF-8", "TERM": "xterm"], .unicode),
        (["LANG": "en_US.ISO-8859-1", "LC_ALL": "", "TERM": "xterm"], .ascii),
        (["LANG": "C.UTF-8", "TERM": "linux"], .letters), (["LANG": "C.UTF-8", "TERM": "vt100-am"], .letters),
    ])
    func `locale and terminal say what can be shown`(environment: [String: String], set: GlyphSet) {
        #expect(GlyphSet(environment: { environment[$0] }, wanted: nil) == set)
    }

    @Test func `the user's word counts more`() {
        #expect(GlyphSet(environment: { ["LANG": "C"][$0] }, wanted: false) == .unicode)
        #expect(GlyphSet(environment: { ["LANG": "C"][$0] }, wanted: true) == .ascii)
        #expect(GlyphSet(environment: { ["LANG": "C.UTF-8"][$0] }, wanted: true) == .letters)
    }

    @Test func `letters are kept where the locale has them`() {
        #expect(GlyphSet.letters.substitute(for: "ä") == nil)
        #expect(GlyphSet.ascii.substitute(for: "ä") == "?")
        #expect(GlyphSet.letters.substitute(for: "●") == "*")
        #expect(GlyphSet.ascii.substitute(for: "●") == "*")
        #expect(GlyphSet.unicode.substitute(for: "●") == nil)
        #expect(GlyphSet.ascii.substitute(for: "a") == nil)
    }

    @Test func `a text keeps its letters, and has substitutes for its symbols`() {
        let text = "✓ GET   users/Zoë  200 → 503  12 ms · 2× …"
        #expect(GlyphSet.unicode.text(text) == text)
        for set in [GlyphSet.letters, .ascii] {
            #expect(set.text(text) == "+ GET   users/Zoë  200 > 503  12 ms . 2x ~")
        }
    }

    @Test func `the phases of an attempt and the focused frame differ from their neighbours`() {
        let phases = "─░▒▚▓█·".unicodeScalars.map { GlyphSet.letters.substitute(for: $0) }
        #expect(Set(phases).count == 7 && !phases.contains(nil))
        #expect(GlyphSet.letters.substitute(for: "━") != GlyphSet.letters.substitute(for: "─"))
    }

    /// Every symbol in the code of the screen, comments aside.
    @Test func `every symbol that is drawn has a substitute`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        var missing: Set<String> = []
        for target in ["OmbiTUI", "OmbiViewer", "OmbiTerminal", "OmbiDocument"] {
            let folder = sources.appending(path: target)
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift")
            {
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                    for scalar in line.unicodeScalars where scalar.value >= 0x80 && !scalar.properties.isAlphabetic {
                        if GlyphSet.letters.substitute(for: scalar) == nil { missing.insert("\(scalar) in \(name)") }
                    }
                }
            }
        }
        #expect(missing.sorted() == [])
    }
}
