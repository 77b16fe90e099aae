/// Where a text that is too long for its place is cut, and `…` put.
enum Truncation: Sendable {
    case tail, head, middle
    /// Cut at the end with no mark.
    case none
}
