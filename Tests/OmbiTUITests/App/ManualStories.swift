import OmbiTerminal
import Testing

@testable import OmbiTUI

/// Pages of Markdown as sections of the manual.
@Suite struct ManualTextTests {
    private static let page = """
        # Ombi

        An explorer for `HTTP`, see
        [the keys](keys.md) and [PATH…].

            ombi demo

        ## Keys

        | Keys | Action |
        |---|---|
        | `\\|` | **Filter** | `filter` |

        - one,
          on two lines
        - two

        1. first

        ### Chords

        ```json
        { "a": 1 }
        ```

        """

    @Test func `headings become sections, and what is below them entries`() {
        let sections = ManualText.sections(of: [Self.page])
        #expect(sections.map(\.title) == ["Ombi", "Ombi › Keys", "Ombi › Keys › Chords"])
        #expect(
            sections.map { $0.entries.map { "\($0.sign)|\($0.label)" } } == [
                ["|An explorer for HTTP, see the keys and [PATH…].", "|", "  ombi demo|"],
                ["Keys|Action", "||Filter · filter", "|", "-|one, on two lines", "-|two", "|", "1.|first"],
                ["  { \"a\": 1 }|"],
            ])
    }

    @Test func `a picture of the screen is left out with its caption`() {
        let page =
            "# Ombi\n\nAn explorer.\n\n![The users](docs/pictures/users.svg)\n"
            + "\nUsers, and one of\nthem.\n\nIt sends.\n\n    ombi demo\n\n![All](all.svg)\n\n## Try it\n\nNow.\n"
        let entries = ManualText.sections(of: [page]).map { $0.entries.map { $0.sign + $0.label } }
        #expect(entries == [["An explorer.", "", "It sends.", "", "  ombi demo"], ["Now."]], "\(entries)")
    }

    @Test func `a page without a heading, or without anything, is no error`() {
        #expect(ManualText.sections(of: ["", "#", "|", "```", "text"]).map(\.title) == [""])
    }

    @Test func `F1 asks for the manual, and shows it when it is read`() {
        var story = Story(columns: 80, rows: 24)
        story.press("F1")
        #expect(story.takeEffects() == [.readManual])
        story.receive(.manual([Self.page]))
        #expect(story.screen.contains("─ Manual ─") && story.screen.contains("An explorer for HTTP"))
        story.press("/")
        story.type("two")
        #expect(story.screen.contains("- two") && !story.screen.contains("explorer"))
        story.press("Esc")
        #expect(story.screen.contains("explorer"))
        story.press("Esc")
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `the manual of several pages begins with its contents, from which a title leads to its page`() {
        var story = Story(columns: 80, rows: 14)
        let text = (1...40).map { "Line \($0) of variables.\n" }.joined(separator: "\n")
        let last = "# Variables\n\nNames of values.\n\n## Functions\n\nThey make values.\n"
        story.receive(.manual(["# Bodies\n\n\(text)\n## Forms\n\nFields.\n", last]))
        #expect(story.screen.contains("Contents") && story.row(3).contains("Bodies") && story.row(3).contains("Forms"))
        #expect(story.row(4).contains("Variables") && story.row(4).contains("Functions"), "\(story.screen)")
        story.press("/")
        story.type("variables")
        story.press("Enter")
        #expect(story.screen.contains("Names of values."), "\(story.screen)")
        story.press("g", "/")
        story.type("functions")
        story.press("Enter")
        #expect(story.screen.contains("They make values."), "\(story.screen)")
    }

    @Test func `Enter shows a place that was found in the whole text, and n goes to the next one`() {
        var story = Story(columns: 80, rows: 12)
        let text = (1...60).map { "Line \($0)\($0 % 20 == 0 ? " has a needle" : "").\n" }.joined(separator: "\n")
        story.receive(.manual(["# Long\n\n" + text]))
        #expect(!story.lines.contains { $0.contains("n next") })
        story.press("/")
        story.type("NEEDLE")
        story.press("Enter")
        #expect(story.screen.contains("Line 20 has a needle.") && story.screen.contains("Line 21."), "\(story.screen)")
        #expect(story.lines.contains { $0.contains("n next") })
        story.press("n")
        #expect(story.screen.contains("Line 40 has a needle.") && story.screen.contains("Line 41."), "\(story.screen)")
        story.press("n", "n")
        #expect(story.screen.contains("Line 20 has a needle."), "From the start again")
        story.press("N", "Esc")
        #expect(story.state.overlays.isEmpty)
    }

    @Test(arguments: [(40, 10), (60, 18), (80, 24), (120, 34)])
    func `all of the manual can be reached`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        story.receive(.manual([Self.page]))
        story.press("PageDown", times: 20)
        #expect(story.screen.contains("{ \"a\": 1 }"))
        story.press("g")
        #expect(story.screen.contains("An explorer"))
    }
}
