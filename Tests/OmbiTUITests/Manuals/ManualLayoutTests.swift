import Testing

@testable import OmbiTUI

/// Manual pages as `ombi help` prints them.
@Suite struct ManualLayoutTests {
    private static let page = ManualPage(
        .command(["tool", "do"]), abstract: "Do it.", seeAlso: [.command(["tool"]), .keys],
        [
            .section("SYNOPSIS"),
            .usage(
                "tool do",
                [
                    .init(words: [.flag("--as"), .argument("way")], isOptional: true),
                    .init(words: [.flag("--now")], isOptional: false),
                    .init(words: [.argument("paths"), .dots], isOptional: true),
                ]),
            .section("DESCRIPTION"), .text("Do it now and then, whatever it is that is to be done."),
            .paragraph("The arguments are as follows:"),
            .list([.init(term: [.flag("-a"), .comma, .flag("--as"), .argument("way")], text: "The way.")]),
        ])

    @Test func `a page is laid out as man does, within the width`() {
        #expect(
            ManualLayout.text(Self.page, columns: 40, isBold: false) == """
                NAME
                     tool-do - do it

                SYNOPSIS
                     tool do [--as way] --now
                             [paths ...]

                DESCRIPTION
                     Do it now and then, whatever it is
                     that is to be done.

                     The arguments are as follows:

                     -a, --as way
                           The way.

                SEE ALSO
                     tool(1), ombi-keys(7)
                """)
    }

    @Test func `headings and what is typed are bold on a terminal, and take no columns`() {
        let plain = ManualLayout.text(Self.page, columns: 40, isBold: false)
        let bold = ManualLayout.text(Self.page, columns: 40, isBold: true)
        #expect(bold.contains("\u{1B}[1mSYNOPSIS\u{1B}[m") && bold.contains("[\u{1B}[1m--as\u{1B}[m way]"))
        #expect(bold.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[m", with: "") == plain)
    }

    @Test(arguments: [1, 40, 80, 200]) func `each command has a text that names its options`(columns: Int) throws {
        for page in ManualsCommand.pagesOfCommands {
            let text = ManualLayout.text(page, columns: columns, isBold: false)
            for case .list(let items) in page.blocks {
                for item in items {
                    let term = item.term.map(\.text)
                    #expect(term.allSatisfy { text.contains($0) }, "\(term) of \(page.name.title)")
                }
            }
            #expect(text.hasPrefix("NAME\n     \(page.name.title) - "))
        }
    }

    @Test func `the manual of the explorer has a part for each command`() {
        let pages = ManualsCommand.pagesOfCommands
        let sections = ManualText.sections(of: [ManualsCommand.pageOfExplorer()])
        #expect(pages.count > 20 && sections.map(\.title).contains("Commands › ombi history list"))
        #expect(sections.count == pages.count)
        let entries = sections.first { $0.title == "Commands › ombi run" }?.entries ?? []
        #expect(
            entries.contains { $0.sign == "-e, --environment environment" && $0.label.hasPrefix("The environment") })
    }
}
