import OmbiWorkspace

/// An edited file: its path, the collection, and the content of the file when the edits began.
struct UnsavedFile: Equatable, Sendable {
    var path: String
    var collection: Collection
    var fingerprint: Fingerprint
}
