/// The result of reading a collection file.
public struct LoadedCollection: Sendable, Equatable {
    public var path: String
    /// Nil when the file has an error: a file that was not read whole is not opened, so that no save can lose any of
    /// it.
    public var collection: Collection?
    /// All problems, in the order of the file.
    public var problems: [Problem]
    /// The state of the file for `CollectionFile.save`, which refuses to overwrite later changes by others.
    public var fingerprint: Fingerprint
    /// True when there is no such file.
    public var isMissing = false
    /// Edits that were not saved when Ombi was ended.
    public var draft: Draft?
    /// The error for which such edits cannot be read, with its place in their draft.
    public var draftProblem: Problem?
    /// The ID of another running process that has unsaved edits of the file.
    public var editor: Int32?

    public init(path: String, collection: Collection?, problems: [Problem] = [], fingerprint: Fingerprint) {
        self.path = path
        self.collection = collection
        self.problems = problems
        self.fingerprint = fingerprint
    }
}
