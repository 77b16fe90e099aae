/// A value that differs in a newer document, or that only one of the two has.
public struct JSONChange: Sendable, Equatable {
    public enum Kind: Sendable {
        case added, removed, changed
    }

    /// The value in the older document; nil when it was added.
    public let old: JSONNode?
    /// The value in the newer document; nil when it was removed.
    public let new: JSONNode?
    /// The containers that hold the value.
    let oldParent: JSONNode?
    let newParent: JSONNode?
    /// For a removed value, the value before it in the newer document.
    let newBefore: JSONNode?
    /// The number of containers around the value, in both documents.
    let depth: Int

    public var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }
}
