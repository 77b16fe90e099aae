/// A value that is another one in a newer document, or is only in one of the two.
public struct JSONChange: Sendable, Equatable {
    public enum Kind: Sendable {
        case added, removed, changed
    }

    /// The value in the older document; nil when it was added.
    public let old: JSONNode?
    /// The value in the newer document; nil when it was removed.
    public let new: JSONNode?
    /// The containers that it is in.
    let oldParent: JSONNode?
    let newParent: JSONNode?
    /// For a value that was removed the one before it in the newer document.
    let newBefore: JSONNode?
    /// How many containers there are around it, in both documents.
    let depth: Int

    public var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }
}
