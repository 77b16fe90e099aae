extension Collection {
    /// Returns this collection with the identities of another one's items: those of the same kind and name in the same
    /// folder, the first for the first. What belongs to an item by its identity (its run, its folds) then stays with it.
    public func withIdentities(of other: Collection) -> Collection {
        var result = self
        result.items = CollectionItem.identify(items, by: other.items)
        return result
    }
}

extension CollectionItem {
    private enum Label: Hashable {
        case folder(String)
        case request(String)
    }

    private var label: Label {
        switch self {
        case .folder(let folder): .folder(folder.name)
        case .request(let request): .request(request.name)
        }
    }

    fileprivate static func identify(_ items: [CollectionItem], by others: [CollectionItem]) -> [CollectionItem] {
        // The last is the next to be taken.
        var known = Dictionary(grouping: others.reversed(), by: \.label)
        return items.map { item in
            guard let twin = known[item.label]?.popLast() else { return item }
            switch item {
            case .folder(var folder):
                folder.id = twin.id
                folder.items = identify(folder.items, by: twin.items)
                return .folder(folder)
            case .request(var request):
                request.id = twin.id
                return .request(request)
            }
        }
    }
}
