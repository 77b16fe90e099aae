/// A file, or an item in it, by names: for what outlives the program.
public struct ItemPath: Sendable, Hashable {
    public var file: String
    /// The names from the outermost folder down to the item; empty for the file.
    public var path: [String]

    public init(file: String, path: [String] = []) {
        self.file = file
        self.path = path
    }
}
