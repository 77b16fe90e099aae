import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// One visible row of the tree of collections.
struct TreeRow: Equatable, Sendable {
    var node: TreeNode
    var depth: Int
    var name: String
    var method: RequestMethod?
    var isWebSocket = false
    /// The number of requests in a folder or a file.
    var count = 0
    var isOpen = false
    var isDirty = false
    var isBroken = false
    /// True where the file has a problem that does not keep it from being read.
    var hasProblem = false

    /// The names of the folders that the row of a search result is in.
    var parents = ""

    /// The visible rows when the nodes in `closed` are folded.
    static func rows(of workbench: Workbench, closed: Set<TreeNode>) -> [TreeRow] {
        var rows: [TreeRow] = []
        for file in workbench.files where !file.isScratch || file.collection?.items.isEmpty == false {
            let node = TreeNode.file(file.path)
            let index = rows.count
            rows.append(
                TreeRow(
                    node: node, depth: 0, name: file.name, isOpen: !closed.contains(node), isDirty: file.isDirty,
                    isBroken: file.collection == nil, hasProblem: file.collection != nil && !file.problems.isEmpty))
            guard let collection = file.collection else { continue }
            let dirty = file.dirtyRequests
            rows[index].count = append(
                collection.items, depth: 1, dirty, closed, to: &rows, isShown: rows[index].isOpen)
            guard !file.itemsWithProblems.isEmpty else { continue }
            for row in rows.indices[(index + 1)...] {
                rows[row].hasProblem = rows[row].node.item.map(file.itemsWithProblems.contains) ?? false
            }
        }
        return rows
    }

    /// Appends the rows of the items, and returns the number of requests in them.
    private static func append(
        _ items: [CollectionItem], depth: Int, _ dirty: Set<ItemID>, _ closed: Set<TreeNode>, to rows: inout [TreeRow],
        isShown: Bool
    ) -> Int {
        var count = 0
        for item in items {
            switch item {
            case .request(let request):
                count += 1
                guard isShown else { continue }
                rows.append(
                    TreeRow(
                        node: .request(request.id), depth: depth, name: request.name, method: request.method,
                        isWebSocket: request.isWebSocket,
                        isDirty: dirty.contains(request.id)))
            case .folder(let folder):
                let node = TreeNode.folder(folder.id)
                let index = rows.count
                let isOpen = !closed.contains(node)
                if isShown { rows.append(TreeRow(node: node, depth: depth, name: folder.name, isOpen: isOpen)) }
                let inside = append(
                    folder.items, depth: depth + 1, dirty, closed, to: &rows, isShown: isShown && isOpen)
                if isShown { rows[index].count = inside }
                count += inside
            }
        }
        return count
    }

    /// The requests that match the query by name, folders, method or URL, in the order of the tree, and the index of the
    /// closest match.
    static func rows(of workbench: Workbench, matching query: FuzzyMatch) -> (rows: [TreeRow], best: Int) {
        var rows: [TreeRow] = []
        var best = (score: Int.min, index: 0)
        for file in workbench.files {
            let dirty = file.dirtyRequests
            guard let collection = file.collection else { continue }
            collection.forEachRequest { request, folders in
                let parents = folders.map(\.name).joined(separator: " › ")
                let text =
                    "\(request.name) \(parents) \(request.method.rawValue) \(request.path)"
                    + Tag.text(collection.tags(of: request, in: folders))
                guard let score = query.score(text) else { return }
                if score > best.score { best = (score, rows.count) }
                rows.append(
                    TreeRow(
                        node: .request(request.id), depth: 1, name: request.name, method: request.method,
                        isWebSocket: request.isWebSocket,
                        isDirty: dirty.contains(request.id), parents: parents))
            }
        }
        return (rows, best.index)
    }
}
