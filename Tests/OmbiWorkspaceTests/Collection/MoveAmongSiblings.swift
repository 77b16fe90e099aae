import TestSupport

@testable import OmbiWorkspace

extension Collection {
    /// Moves an item before or after one of its siblings, as keys would; one without siblings stays.
    mutating func moveAmongSiblings(_ id: ItemID, _ random: inout SeededRandom) {
        let siblings = (ancestors(of: id).last.flatMap { item($0) }?.items ?? items).map(\.id).filter { $0 != id }
        guard let other = siblings.randomElement(using: &random), let moved = item(id) else { return }
        put([moved], Bool.random(using: &random) ? .before(other) : .after(other))
    }
}
