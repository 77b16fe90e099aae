import OmbiTerminal
import OmbiWorkspace

/// A prompt for one line of text.
struct PromptOverlay: Equatable, Sendable {
    /// The purpose of the text.
    enum Subject: Equatable, Sendable {
        case rename(ItemID)
        case newRequest(after: TreeNode)
        case newFolder(after: TreeNode)
        case firstRequest(after: TreeNode)
        case newCollection
        case newHost(name: String, path: String?)
        /// Collections to open.
        case path

        fileprivate var title: String {
            switch self {
            case .rename: "Rename"
            case .newRequest: "Name of the new request"
            case .newFolder: "Name of the new folder"
            case .firstRequest: "Name of the first request"
            case .newCollection: "Name of the new collection"
            case .newHost(let name, _): "Base URL of \(name), or nothing"
            case .path: "Path of a collection or a folder"
            }
        }

        fileprivate func action(_ name: String) -> Action {
            switch self {
            case .rename(let id): .tree(.rename(id, name))
            case .newRequest(let node), .firstRequest(let node): .tree(.addRequest(name, at: node))
            case .newFolder(let node): .tree(.addFolder(name, at: node))
            case .newCollection: .tree(.askForHost(name: name, path: nil))
            case .newHost(let collection, let path): .tree(.begin(name: collection, host: name, path: path))
            case .path: .tree(.openPath(name))
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
