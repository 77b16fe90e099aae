/// How many colours the terminal has.
enum ColorDepth: Equatable, Sendable, CaseIterable {
    /// No colours (`NO_COLOR`, vt100): traits alone tell things apart.
    case none
    case eight, sixteen, many

    init(colors: Int) {
        switch colors {
        case ..<8: self = .none
        case ..<16: self = .eight
        case ..<256: self = .sixteen
        default: self = .many
        }
    }
}
