/// A row of a comparison.
public struct JSONDiffRow: Sendable, Equatable {
    public enum Side: Sendable {
        /// Around a change, as it is in the newer document.
        case same
        /// Of the older document.
        case removed
        /// Of the newer document.
        case added
        /// Rows that are left out; the row behind them is in the newer document.
        case gap
    }

    public let side: Side
    /// A row of the tree of its side.
    public let row: JSONRow
}
