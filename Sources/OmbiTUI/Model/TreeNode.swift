import OmbiWorkspace

/// The node behind a row of the tree.
enum TreeNode: Hashable, Sendable {
    /// A collection file, by its path.
    case file(String)
    case folder(ItemID)
    case request(ItemID)

    var item: ItemID? {
        switch self {
        case .file: nil
        case .folder(let id), .request(let id): id
        }
    }
}
