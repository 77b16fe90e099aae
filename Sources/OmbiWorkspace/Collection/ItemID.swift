import Synchronization

/// Identifies an item among all open collections while the program runs. It is not saved.
public struct ItemID: Hashable, Sendable {
    private static let last = Atomic<Int>(0)
    private let number: Int

    /// Creates a new identity.
    public init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}
