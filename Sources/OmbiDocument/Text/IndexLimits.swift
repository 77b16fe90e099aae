/// The limits of an index, so that a small response that unpacks to a hostile one does not take all memory. The rest of
/// the body is shown as text.
public struct IndexLimits: Sendable, Equatable {
    /// Levels of containers within each other. What people write has fewer than a hundred.
    public var depth: Int
    /// The memory of an index, in bytes.
    public var memory: Int
    /// Offsets are 32 bits wide.
    static let maximumByteCount = Int(UInt32.max)

    public init(depth: Int = 200_000, memory: Int = 512 << 20) {
        self.depth = depth
        self.memory = memory
    }
}

/// The limit at which an index stopped.
public enum IndexLimit: Sendable, Equatable, CustomStringConvertible {
    case depth(Int)
    /// In bytes.
    case memory(Int)

    /// To follow the name of what is indexed: "JSON …".
    public var description: String {
        switch self {
        case .depth(let levels): "nested deeper than \(GroupedNumber.text(levels)) levels"
        case .memory(let bytes): "whose index takes more than \(GroupedNumber.text(bytes >> 20)) MiB"
        }
    }
}
