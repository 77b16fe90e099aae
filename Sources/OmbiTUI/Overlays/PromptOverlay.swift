import OmbiTerminal
import OmbiWorkspace

/// A prompt for one line of text.
struct PromptOverlay: Equatable, Sendable {
    /// The purpose of the text.
    enum Subject: Equatable, Sendable {
        case rename(ItemID)
        case newRequest(after: TreeNode)
        case newFolder(after: TreeNode)

        fileprivate var title: String {
            switch self {
            case .rename: "Rename"
            case .newRequest: "Name of the new request"
            case .newFolder: "Name of the new folder"
            }
        }

        fileprivate func action(_ name: String) -> Action {
            switch self {
            case .rename(let id): .tree(.rename(id, name))
            case .newRequest(let node): .tree(.addRequest(name, at: node))
            case .newFolder(let node): .tree(.addFolder(name, at: node))
            }
        }
    }

    private let subject: Subject
    private(set) var field: TextField

    init(_ subject: Subject, text: String = "") {
        self.subject = subject
        field = TextField(text)
    }

    /// Returns the action with the text; nil while the prompt stays open.
    mutating func handle(_ action: Action) -> [Action]? {
        switch action {
        case .text(let edit): field.perform(edit)
        case .accept, .nextField: return [subject.action(field.text)]
        default: break
        }
        return nil
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw(subject.title, columns: 40, rows: 1, on: &surface, in: screen)
        return field.draw(on: &surface, in: inside.top(1))
    }
}
