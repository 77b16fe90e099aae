/// The position of the cut, and of `…`, in a text that is too long.
package enum Truncation: Sendable {
    case tail, head, middle
    /// Cut at the end with no mark.
    case none
}
