import OmbiTerminal

/// The names of roles in themes.
extension Role {
    var name: String {
        switch self {
        case .plain: "plain"
        case .dim: "dim"
        case .title: "title"
        case .border: "border"
        case .focusedBorder: "focusedBorder"
        case .key: "key"
        case .string: "string"
        case .number: "number"
        case .literal: "literal"
        case .punctuation: "punctuation"
        case .red: "red"
        case .green: "green"
        case .yellow: "yellow"
        case .blue: "blue"
        case .magenta: "magenta"
        case .cyan: "cyan"
        case .brightGreen: "brightGreen"
        case .brightBlue: "brightBlue"
        case .strong: "strong"
        case .success: "success"
        case .warning: "warning"
        case .failure: "failure"
        case .running: "running"
        case .info: "info"
        case .added: "added"
        case .removed: "removed"
        case .placeholder: "placeholder"
        case .footerKey: "keyHint"
        case .match: "match"
        case .gauge: "gauge"
        case .gaugeEmpty: "gaugeEmpty"
        case .alarm: "alarm"
        }
    }
}
