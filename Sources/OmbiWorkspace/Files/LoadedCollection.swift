/// What became of reading a collection file.
public struct LoadedCollection: Sendable, Equatable {
    public var path: String
    /// Nil when the file has an error: what could not be read whole is not opened, so that no save can lose any of it.
    public var collection: Collection?
    /// Everything that is wrong, in the order of the file.
    public var problems: [Problem]
    /// Hand it to `CollectionFile.save`, which refuses to overwrite what somebody else wrote since.
    public var fingerprint: Fingerprint
    /// Edits of it that were not saved when Ombi was ended.
    public var draft: Draft?

    public init(path: String, collection: Collection?, problems: [Problem] = [], fingerprint: Fingerprint) {
        self.path = path
        self.collection = collection
        self.problems = problems
        self.fingerprint = fingerprint
    }
}
