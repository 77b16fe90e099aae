import ArgumentParser
import Testing

@testable import OmbiTUI

/// The scripts that complete commands, and the words that go between them and Ombi.
@Suite struct CompletionScriptTests {
    @Test(arguments: [
        "run -- positional@0", "run -- --environment", "run -- --tag", "run -- --set", "list -- positional@0",
        "list -- --tag", "export -- positional@0", "export -- --environment", "explore -- --environment",
        "incident -- positional@1", "incident -- --environment", "tape -- positional@1", "history list -- positional@0",
        "history list -- --environment", "history compare -- positional@0", "history compare -- --environment",
        "history replay -- positional@0", "history replay -- --environment", "history replay -- --from",
    ])
    func `a word that is a name is asked for in every shell`(word: String) {
        for shell in CompletionsCommand.Shell.allCases {
            #expect(CompletionScript.text(for: shell).contains("---completion \(word) "), "\(shell)")
        }
    }

    @Test func `the script for zsh calls its functions once all are complete`() throws {
        let script = CompletionScript.text(for: .zsh)
        let own = try #require(script.ranges(of: "__ombi_parsed").last)
        let call = try #require(script.ranges(of: "compdef _ombi ombi").last)
        #expect(own.upperBound < call.lowerBound)
        #expect(script.ranges(of: "if [[ \"${funcstack[1]}\"").last.map { own.upperBound < $0.lowerBound } == true)
    }

    @Test(arguments: [
        ("plain", "plain"), (#"My\ Shop/us"#, "My Shop/us"), (#""My Shop/us"#, "My Shop/us"), (#"'it'\''s'"#, "it's"),
        ("'!slow", "!slow"), ("''", ""), (#"'a\b'"#, #"a\b"#), (#"a\"#, "a"), (#"🛒\ c"#, "🛒 c"), ("", ""),
    ])
    func `a word loses its quotes and escapes, also within them`(word: String, text: String) {
        #expect(ShellSyntax.text(of: word) == text)
    }

    @Test(arguments: [
        ("bash", #"it's $(rm) \ `x`"#, #"'it'\''s $(rm) \ `x`'"#), ("zsh", "GET :id", #"GET \:id"#),
        ("fish", "GET :id's", "GET :id's"), ("", "a b", "a b"),
    ])
    func `a shell takes a name for what it is`(shell: String, name: String, candidate: String) {
        #expect(ShellSyntax.candidate(name, for: CompletionShell(rawValue: shell)) == candidate)
    }

    @Test(arguments: [
        (["ombi", "run", "demo", "-e", ""], 4, "", ["demo", "-e"]),
        (["ombi", "run", "de", "--fail-fast"], 2, "de", ["--fail-fast"]), (["ombi", "run"], 2, "", []),
    ])
    func `a line has the word to complete, and the others`(
        words: [String], index: Int, word: String, others: [String]
    ) {
        let line = CompletionLine(words, at: index)
        #expect(line.word == word)
        #expect(line.others == others)
    }
}
