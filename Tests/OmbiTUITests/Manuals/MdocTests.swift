import Testing

@testable import OmbiTUI

/// The source of manual pages.
@Suite struct MdocTests {
    @Test(arguments: [
        (".Dd is text", "\\&.Dd is text\n"), ("'tis 'p95<500ms'", "\\(aqtis \\(aqp95<500ms\\(aq\n"),
        ("C:\\new", "C:\\enew\n"), ("--dry-run", "\\-\\-dry\\-run\n"),
        ("`a` ~ ^ \"b\"", "\\(gaa\\(ga \\(ti \\(ha \\(dqb\\(dq\n"),
        ("1 … é 😀", "1 \\[u2026] \\[u00E9] \\[u1F600]\n"),
        ("One. Two (three.) Four?\nFive", "One.\nTwo (three.)\nFour?\nFive\n"), ("a\n \t b", "a b\n"), ("", ""),
    ])
    func `a text shows as it is, each sentence on a line`(text: String, source: String) {
        var mdoc = Mdoc()
        mdoc.text(text)
        #expect(mdoc.source == source)
    }

    @Test func `a long sentence is broken, and no line of it begins a macro`() {
        var mdoc = Mdoc()
        let words = String(repeating: ".word ", count: 60)
        mdoc.text(words)
        let lines = mdoc.source.split(separator: "\n")
        #expect(lines.count > 3)
        #expect(lines.allSatisfy { $0.utf8.count <= 80 && $0.hasPrefix("\\&.word ") })
        #expect(lines.joined(separator: " ").replacing("\\&", with: "") + " " == words)
    }

    @Test(arguments: [
        ("Ar", "\\&Ar"), ("s", "\\&s"), ("environment", "environment"), ("-env-file", "\\-env\\-file"),
        ("array of text", "\"array of text\""), ("\"a\" or \"b\"", "\"\\(dqa\\(dq or \\(dqb\\(dq\""), (",", "\\&,\\&"),
        ("Ctrl+]", "Ctrl+]\\&"), ("(none)", "\\&(none)\\&"), ("\\", "\\&\\e"), ("", "\\&"),
    ])
    func `a word is one argument and no macro`(text: String, word: String) { #expect(Mdoc.word(text) == word) }
}
