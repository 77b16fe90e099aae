import OmbiDocument

extension TextStyle {
    package var role: Role {
        switch self {
        case .plain, .emphasis: .plain
        case .key, .tag: .key
        case .string, .code: .string
        case .number: .number
        case .literal: .literal
        case .punctuation, .comment: .punctuation
        case .heading: .title
        case .link: .info
        case .added: .added
        case .removed: .removed
        case .control, .invalid: .warning
        }
    }
}
