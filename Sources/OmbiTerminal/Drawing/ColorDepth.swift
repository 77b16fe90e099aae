/// The number of colours of the terminal.
package enum ColorDepth: Equatable, Sendable, CaseIterable {
    /// No colours (`NO_COLOR`, vt100): roles differ by traits only.
    case none
    case eight, sixteen, many

    package init(colors: Int) {
        switch colors {
        case ..<8: self = .none
        case ..<16: self = .eight
        case ..<256: self = .sixteen
        default: self = .many
        }
    }
}
