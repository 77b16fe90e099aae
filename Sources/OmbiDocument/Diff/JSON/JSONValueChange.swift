/// A changed value by its path, with excerpts of what it was and is: a `JSONChange` that outlives its documents.
public struct JSONValueChange: Sendable, Equatable {
    public var kind: JSONChange.Kind
    /// A JSONPath, as short as it can be: `$.items[0].price`. That in the newer document, for a removed value that in the
    /// older one.
    public var path: String
    /// The value as sent, cut where it is long; nil when it was added.
    public var old: String?
    /// Nil when it was removed.
    public var new: String?

    public init(kind: JSONChange.Kind, path: String, old: String?, new: String?) {
        self.kind = kind
        self.path = path
        self.old = old
        self.new = new
    }
}
