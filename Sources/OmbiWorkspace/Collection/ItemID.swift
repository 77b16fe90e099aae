import Synchronization

/// Tells the items of all open collections apart while the program runs. It is not saved.
public struct ItemID: Hashable, Sendable {
    private static let last = Atomic<Int>(0)
    private let number: Int

    /// A new identity.
    public init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}
