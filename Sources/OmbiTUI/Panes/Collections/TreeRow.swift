import OmbiCore
import OmbiWorkspace

/// One visible row of the tree of collections.
struct TreeRow: Equatable, Sendable {
    var node: TreeNode
    var depth: Int
    var name: String
    var method: RequestMethod?
    var isOpen = false
    var isDirty = false
    var isBroken = false

    /// The visible rows when the nodes in `closed` are folded.
    static func rows(of workbench: Workbench, closed: Set<TreeNode>) -> [TreeRow] {
        workbench.files.flatMap { file in
            let node = TreeNode.file(file.path)
            let isOpen = !closed.contains(node)
            let row = TreeRow(
                node: node, depth: 0, name: file.name, isOpen: isOpen, isDirty: file.isDirty,
                isBroken: file.collection == nil)
            guard isOpen, let collection = file.collection else { return [row] }
            return [row] + rows(of: collection.items, depth: 1, dirty: file.dirtyRequests, closed: closed)
        }
    }

    private static func rows(
        of items: [CollectionItem], depth: Int, dirty: Set<ItemID>, closed: Set<TreeNode>
    ) -> [TreeRow] {
        items.flatMap { item -> [TreeRow] in
            switch item {
            case .request(let request):
                return [
                    TreeRow(
                        node: .request(request.id), depth: depth, name: request.name, method: request.method,
                        isDirty: dirty.contains(request.id))
                ]
            case .folder(let folder):
                let node = TreeNode.folder(folder.id)
                let row = TreeRow(node: node, depth: depth, name: folder.name, isOpen: !closed.contains(node))
                return [row]
                    + (row.isOpen ? rows(of: folder.items, depth: depth + 1, dirty: dirty, closed: closed) : [])
            }
        }
    }
}
