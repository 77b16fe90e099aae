import OmbiTerminal
import OmbiWorkspace

/// The examples that are saved with a request, in the place of its response.
extension AppState {
    /// Shows one with all that a body has; one in a file only names that.
    mutating func showExample(_ index: Int) -> [Outcome] {
        guard let request = workbench.request, let example = (request.examples ?? [])[safe: index] else { return [] }
        if let file = example.file {
            let row = [Span(text: "The body is in \(file).", role: .dim)]
            return [.open(.preview(PreviewOverlay("\(example.name) (\(example.status))", [row])))]
        }
        if let run, run.isRunning {
            return .notify(.info, "The request is running; x cancels it", during: .run(run.id))
        }
        responsePane.show(.body)
        let effects = runs.open(OpenedExample(example), of: request.id, named: request.name, at: now)
        return [.focus(.response)] + effects.map(Outcome.effect)
    }
}
