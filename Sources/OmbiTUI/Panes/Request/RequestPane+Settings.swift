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

extension SharedNode {
    /// The title of the pane.
    var title: String { if case .folder = node { "Folder" } else { "Collection" } }
}

extension Workbench {
    /// Shows the level that gives a value to the subject.
    func outcomes(showing source: Provenance) -> [Outcome] {
        switch source {
        case .folder(_, let id): [.perform(.tree(.select(.folder(id)))), .focus(.request)]
        case .collection: context.map { [.perform(.tree(.select(.file($0.path)))), .focus(.request)] } ?? []
        case .environment: [.perform(.environments(.open))]
        case .request, .commandLine, .ombi: .notify(.info, source.description)
        }
    }
}
