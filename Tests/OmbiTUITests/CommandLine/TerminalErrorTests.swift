import OmbiTerminal
import Testing

@testable import OmbiTUI

@Suite struct TerminalErrorTests {
    @Test(arguments: [
        TerminalError.inputIsNotATerminal, .outputIsNotATerminal, .noName, .unknown(name: "no-such-terminal"),
        .cannotMoveCursor(name: "dumb"), .system(step: "read the terminal's modes", code: 5),
    ])
    func `what cannot be drawn on is refused in words that name what works`(error: TerminalError) {
        #expect(error.words.contains("`ombi run` works without a terminal."))
    }
}
