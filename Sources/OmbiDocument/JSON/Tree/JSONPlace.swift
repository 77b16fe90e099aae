/// Where a value is: in which container, as the how manieth, and how deep.
struct JSONPlace: Sendable, Equatable {
    /// The index of the container; nil for a root.
    var parent: Int?
    /// How many siblings come before it.
    var position: Int
    /// How many containers are around it.
    var depth: Int
}
