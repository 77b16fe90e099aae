import OmbiTerminal
import OmbiWorkspace

/// The settings of a folder or a collection in place of a request.
extension RequestPane {
    /// Draws the line above the tabs: the name, and the number of requests.
    func drawHead(of shared: SharedNode, _ focused: Bool, on surface: inout Surface, in rect: Rect) {
        var pen = Pen(rect)
        pen.write(shared.settings.name, Style(.title), on: &surface)
        let count = Count.of(shared.requestCount, "request")
        pen.write("  for \(count) in this \(shared.title.lowercased())", Style(.dim), on: &surface)
        if focused, editing == nil, position.cursor == 0 { surface.restyle(rect, adding: .highlight) }
    }
}

extension RequestPane {
    /// The space below the rows, with one line between.
    func rest(of rect: Rect, _ workbench: Workbench) -> Rect {
        rect.dropTop(min(rect.rows, headRows + max(0, rows(workbench).count - position.offset) + 1))
    }
}

extension SharedNode {
    /// The title of the pane.
    var title: String { if case .folder = node { "Folder" } else { "Collection" } }
}

extension Workbench {
    /// Shows the level that gives a value to the subject.
    func outcomes(showing source: Provenance) -> [Outcome] {
        let node: TreeNode
        switch source {
        case .folder(_, let id): node = .folder(id)
        case .collection:
            guard let file = shownContext else { return [] }
            node = .file(file.path)
        case .environment: return [.perform(.environments(.open))]
        case .request, .row, .commandLine, .captured, .ombi: return .notify(.info, source.description)
        }
        return [.focus(.tree), .perform(.tree(.select(node))), .perform(.app(.focus(.request)))]
    }
}
