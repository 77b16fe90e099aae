import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// Something that the machine has or lacks for Ombi.
struct Finding: Equatable, Sendable {
    enum State: String, Sendable {
        case ok
        /// Absent; Ombi does without it.
        case missing
        /// Something does not work.
        case problem

        fileprivate var mark: String {
            switch self {
            case .ok: "✓"
            case .missing: "-"
            case .problem: "✗"
            }
        }
    }

    var name: String
    var state: State
    /// In a few words.
    var value: String
    /// The thing to do; empty where nothing is.
    var advice = ""

    /// A line, and one with the advice.
    func text(columns: Int, glyphs: GlyphSet) -> String {
        let line = "\(glyphs.text(state.mark)) \(name.padded(to: columns))  \(value)"
        let lines = advice.isEmpty ? [line] : [line, String(repeating: " ", count: columns + 4) + advice]
        return lines.map(SafeText.line).joined(separator: "\n")
    }

    var json: JSONValue {
        [
            "name": .string(name), "state": .string(state.rawValue), "value": .string(value),
            "advice": advice.isEmpty ? nil : .string(advice),
        ]
    }
}
