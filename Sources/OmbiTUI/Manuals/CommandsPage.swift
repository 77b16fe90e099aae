/// The page of the explorer's manual that describes the commands, in the Markdown of the other pages.
enum CommandsPage {
    static func text(_ pages: [ManualPage]) -> String {
        let sections = pages.map { page in "## \(words(of: page))\n\n" + page.blocks.map { text(of: $0) }.joined() }
        return (["# Commands\n"] + sections).joined(separator: "\n")
    }

    /// The words of the command, none of which has a hyphen.
    private static func words(of page: ManualPage) -> String { page.name.title.replacing("-", with: " ") }

    /// The synopsis is left out, as the list of arguments says more.
    private static func text(of block: ManualBlock) -> String {
        switch block {
        case .section("EXIT STATUS"): "The exit status:\n\n"
        case .section, .usage: ""
        case .subsection(let title, _): "### \(title)\n\n"
        case .text(let text), .paragraph(let text): text + "\n\n"
        case .list(let items): items.map { row($0) }.joined() + "\n"
        }
    }

    private static func row(_ item: ManualBlock.Item) -> String {
        let term = item.term.map(\.text).joined(separator: " ").replacing(" ,", with: ",")
        return "| \(escaped(term)) | \(escaped(item.text)) |\n"
    }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
