/// The memory shared by the bodies of all responses. The rest is stored in temporary files, so that many large
/// responses, concurrent or retained, do not exhaust memory.
///
///     let budget = MemoryBudget(bytes: 64 << 20)
///     let transport = CurlTransport(configuration: .init(memoryBudget: budget))
public final class MemoryBudget: Sendable {
    private let left: Lock<Int>

    /// - Parameter bytes: The total size in bytes.
    public init(bytes: Int) { left = Lock(max(0, bytes)) }

    /// The default budget, shared by all transports: 256 MiB.
    public static let standard = MemoryBudget(bytes: 256 << 20)

    /// Takes bytes from the budget; returns false if fewer are left.
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
    /// Compares by identity.
    public static func == (left: MemoryBudget, right: MemoryBudget) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
