import OmbiTerminal
import OmbiWorkspace

/// A prompt for one line of text.
struct PromptOverlay: Equatable, Sendable {
    /// The purpose of the text.
    enum Subject: Equatable, Sendable {
        case rename(ItemID)
        case newRequest(after: TreeNode)
        case newFolder(after: TreeNode)
    }

    let subject: Subject
    let title: String
    var field: TextField

    init(_ subject: Subject, title: String, text: String = "") {
        self.subject = subject
        self.title = title
        field = TextField(text)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw(title, columns: 40, rows: 1, on: &surface, in: screen)
        return field.draw(on: &surface, in: inside.top(1))
    }
}
