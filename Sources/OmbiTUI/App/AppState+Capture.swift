import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// Capturing what the response shows.
extension AppState {
    /// Asks for the variable that captures the value under the cursor of the body; proposes its key.
    func askForCapture() -> [Outcome] {
        guard workbench.request != nil, let path = shownViewer?.page?.path, (try? JSONPath(path)) != nil else {
            return .notify(.info, "A value is captured from JSON; headers, cookies and more in the Capture tab")
        }
        return [
            .open(
                .prompt(PromptOverlay(.capture(path: path), text: Self.variable(named: path), isSelected: true)))
        ]
    }

    /// The last key of a path, as far as a variable may have its characters.
    private static func variable(named path: String) -> String {
        let words = path.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return words.last { Int($0) == nil }.map(String.init) ?? "value"
    }
}
