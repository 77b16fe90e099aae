/// The position of a value: its container, its index in it, and its depth.
struct JSONLocation: Sendable, Equatable {
    /// The index of the container; nil for a root.
    var parent: Int?
    /// The number of siblings before the value.
    var position: Int
    /// The number of containers around the value.
    var depth: Int
}
