import OmbiTerminal
import OmbiWorkspace

/// A row that the mouse drags to another place.
struct TreeDrag: Equatable, Sendable {
    /// The row where the button was pressed.
    let node: TreeNode
    /// True once the pointer has left that row.
    var hasMoved = false
    /// The row under the pointer, if it takes what is dragged.
    var target: TreeNode?

    /// The items that are dragged: the marked ones with one of them.
    func items(_ marked: Set<ItemID>) -> Set<ItemID> {
        guard let id = node.item else { return [] }
        return marked.contains(id) ? marked : [id]
    }
}

extension TreePane {
    /// Follows the pointer, and scrolls at the edges.
    /// - Returns: a message that names the place where the items would be put.
    mutating func drag(toLine line: Int, in workbench: Workbench) -> Notice? {
        guard var dragged = drag, dragged.node.item != nil else { return nil }
        if line < 0 { scroll(by: -1) } else if line >= size.rows { scroll(by: 1) }
        let items = workbench.items(dragged.items(marked))
        let row = row(atLine: line).map { rows[$0] }
        if !dragged.hasMoved, row?.node != dragged.node {
            dragged.hasMoved = true
            // It was no click that folds.
            if current?.node == dragged.node { toggle(in: workbench) }
        }
        dragged.target = row.flatMap { takes(items, $0.node, workbench) ? $0.node : nil }
        drag = dragged
        guard let row, dragged.target != nil else { return nil }
        let place = row.method == nil ? "into \(row.name)" : "after \(row.name)"
        return Notice(.info, "Drop \(Workbench.name(of: items)) \(place)")
    }

    private func takes(_ items: [CollectionItem], _ node: TreeNode, _ workbench: Workbench) -> Bool {
        guard workbench.destination(node) != nil else { return false }
        guard let id = node.item else { return true }
        return !items.contains { item in item.id == id || Collection(schema: nil, name: "", items: [item]).contains(id)
        }
    }

    /// Puts what is dragged where the button is released.
    mutating func drop(in workbench: inout Workbench) -> [Outcome] {
        defer { drag = nil }
        return drag?.target.map { put(at: $0, .move, in: &workbench) } ?? []
    }
}
