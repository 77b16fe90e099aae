/// The memory that the bodies of all responses take together. What no longer fits goes to temporary files, so many large
/// responses at once, or kept, do not fill the memory.
///
///     let budget = MemoryBudget(bytes: 64 << 20)
///     let transport = CurlTransport(configuration: .init(memoryBudget: budget))
public final class MemoryBudget: Sendable {
    private let left: Lock<Int>

    /// - Parameter bytes: how much there is to share.
    public init(bytes: Int) { left = Lock(max(0, bytes)) }

    /// What all transports share that were given no other: 256 MiB.
    public static let standard = MemoryBudget(bytes: 256 << 20)

    /// Whether there were so many bytes; then they are taken.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
    }

    func giveBack(_ count: Int) { left.withLock { $0 += count } }
}

extension MemoryBudget: Hashable {
    /// Two budgets are equal when they are the same object.
    public static func == (left: MemoryBudget, right: MemoryBudget) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
